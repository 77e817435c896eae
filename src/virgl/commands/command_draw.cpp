// Draw commands: execute draws and clears.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace valkyr::virgl {
namespace {

using raster::StateGroup;

void use_vertex_buffers(Context& context) {
    SubContext& sub = context.sub();
    if (!sub.changed.has(StateGroup::VertexBuffers | StateGroup::Pipeline))
        return;
    const uint32_t count = sub.parts.elements ? sub.parts.elements->buffers : 0;
    auto& buffers = sub.draw.vertex_buffers;
    if (buffers.size() != count)
        sub.changed |= StateGroup::VertexBuffers;
    buffers.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
        const VertexBufferBinding& binding = sub.vertex_buffers[i];
        if (!binding.resource) {
            buffers[i] = {};
            continue;
        }
        const raster::BufferRef& host = binding.resource->buffer(context.device());
        if (buffers[i].buffer != host)
            buffers[i].buffer = host;
        buffers[i].offset = binding.offset;
    }
}

void use_index_buffer(Context& context, bool indexed) {
    SubContext& sub = context.sub();
    const IndexBufferBinding& binding = sub.index_buffer;
    const bool is_bound = indexed && binding.resource;
    const bool was_bound = sub.draw.index_type != raster::IndexType::None;
    if (is_bound == was_bound && !sub.changed.has(StateGroup::IndexBuffer))
        return;
    sub.changed |= StateGroup::IndexBuffer;
    sub.draw.index_type = raster::IndexType::None;
    if (!is_bound)
        return;
    sub.draw.index_type = binding.type;
    sub.draw.index_buffer = {binding.resource->buffer(context.device()), binding.offset};
}

/// Uniform buffers as they are now.
void use_uniforms(Context& context,
                  StageState& state,
                  StateGroup group,
                  std::vector<std::vector<uint32_t>>& constants) {
    if (!state.has_uniforms)
        return;
    context.sub().changed |= group;  // Writes to the buffers do not say so.
    constants.resize(kMaxUniformBuffers);
    for (uint32_t i = 1; i < kMaxUniformBuffers; ++i) {
        const UniformBinding& binding = state.uniforms[i];
        std::vector<uint32_t>& words = constants[i];
        words.clear();
        if (!binding.resource || !binding.resource->is_buffer())
            continue;
        const uint64_t size = binding.resource->desc().width;
        const uint64_t offset = std::min<uint64_t>(binding.offset, size);
        const uint64_t bytes = std::min<uint64_t>({binding.bytes, size - offset, 65536});
        words.resize((bytes + 3) / 4);
        context.accept(context.device().read_buffer(binding.resource->buffer(context.device()),
                                                    offset,
                                                    {reinterpret_cast<std::byte*>(words.data()),
                                                     static_cast<size_t>(bytes)}),
                       "uniform buffer");
    }
}

/// Buffers that are sampled get their host storage when somebody first asks for it.
void use_buffer_views(Context& context,
                      StageState& state,
                      StateGroup group,
                      std::vector<raster::TextureView>& textures) {
    if (!state.has_buffer_views || !context.sub().changed.has(group))
        return;
    for (size_t i = 0; i < textures.size(); ++i) {
        if (!state.views[i] || !state.views[i]->resource->is_buffer())
            continue;
        Resource& resource = *state.views[i]->resource;
        textures[i].buffer.buffer = resource.buffer(context.device());
    }
}

/// Viewport and scissor 0, or all of them for shaders that choose.
void use_viewports(SubContext& sub) {
    raster::DrawState& draw = sub.draw;
    const Ref<ShaderObject>& last = sub.parts.last_vertex_stage();
    const bool all = last && last->chooses_viewport;
    if (all == draw.viewport_array.empty())
        sub.changed |= StateGroup::Viewports;
    if (!sub.changed.has(StateGroup::Viewports))
        return;
    if (all) {
        draw.viewport_array.assign(sub.viewports.begin(), sub.viewports.end());
        draw.scissor_array.assign(sub.scissors.begin(), sub.scissors.end());
        return;
    }
    draw.viewport_array.clear();
    draw.scissor_array.clear();
    draw.viewport = sub.viewports[0];
    draw.scissor = sub.scissors[0];
}

/// Remembers what a vertex takes in each target.
void note_capture(const SubContext& sub) {
    const Ref<ShaderObject>& last = sub.parts.last_vertex_stage();
    for (size_t i = 0; last && i < sub.stream_targets.size() && i < raster::kMaxStreamTargets; ++i)
        if (sub.stream_targets[i])
            sub.stream_targets[i]->vertex_bytes = 4 * last->stream_output.stride_words[i];
}

/// errors  no pipeline: the text says why
Result<void> prepare(Context& context, raster::Primitive primitive, bool indexed) {
    SubContext& sub = context.sub();
    if (sub.parts_changed || sub.parts.primitive != primitive) {
        sub.parts.primitive = primitive;
        const auto& pipeline = context.pipelines().pipeline(sub.parts);
        sub.parts_changed = true;
        if (!pipeline)
            return pipeline.error();
        if (sub.draw.pipeline != *pipeline) {
            sub.draw.pipeline = *pipeline;
            sub.changed |= StateGroup::Pipeline;
        }
        sub.parts_changed = false;
    }
    if (sub.stage(ShaderStage::TessEvaluation).shader)
        return Error{Errc::Unsupported, {}, "tessellation shaders"};
    use_vertex_buffers(context);
    use_index_buffer(context, indexed);
    StageState& vertex = sub.stage(ShaderStage::Vertex);
    StageState& fragment = sub.stage(ShaderStage::Fragment);
    use_uniforms(context, vertex, StateGroup::VertexConstants, sub.draw.vertex_constants);
    use_uniforms(context, fragment, StateGroup::FragmentConstants, sub.draw.fragment_constants);
    StageState& geometry = sub.stage(ShaderStage::Geometry);
    if (sub.parts.geometry)
        use_uniforms(context, geometry, StateGroup::GeometryConstants, sub.draw.geometry.constants);
    use_viewports(sub);
    note_capture(sub);
    use_buffer_views(context, geometry, StateGroup::GeometryUnits, sub.draw.geometry.textures);
    use_buffer_views(context, vertex, StateGroup::VertexUnits, sub.draw.vertex_textures);
    use_buffer_views(context, fragment, StateGroup::FragmentUnits, sub.draw.fragment_textures);
    return {};
}

/// The number of vertices that stream output left in the target that a draw means: of those of this
/// size that are not bound, one whose buffer is bound for drawing before others, then the one that
/// was bound last. The command names no more than the size.
uint32_t captured_vertices(const SubContext& sub, uint32_t size) {
    const StreamTargetObject* best = nullptr;
    std::pair<bool, uint64_t> best_rank;
    for (const auto& [handle, object] : sub.objects) {
        const auto* target = std::get_if<Ref<StreamTargetObject>>(&object);
        if (target == nullptr || !(*target)->target || (*target)->size != size ||
            (*target)->vertex_bytes == 0 ||
            std::ranges::find(sub.stream_targets, *target) != sub.stream_targets.end())
            continue;
        const bool drawn = std::ranges::any_of(sub.vertex_buffers, [&](const auto& buffer) {
            return buffer.resource == (*target)->resource;
        });
        const std::pair<bool, uint64_t> rank{drawn, (*target)->released};
        if (best == nullptr || rank > best_rank) {
            best = target->get();
            best_rank = rank;
        }
    }
    if (best == nullptr)
        return 0;
    return static_cast<uint32_t>(
        std::min<uint64_t>(best->target->position() / best->vertex_bytes, UINT32_MAX));
}

Result<void> draw_indirect(Context& context, const Words& words) {
    VALKYR_TRY(buffer, context.resource(words[15]));
    VALKYR_TRY(count_buffer, context.resource_or_none(words[20]));
    raster::IndirectInfo info;
    info.buffer = buffer->buffer(context.device());
    info.offset = words[16];
    info.stride = words[17];
    info.draw_count = words[18];
    if (count_buffer)
        info.count_buffer = count_buffer->buffer(context.device());
    info.count_offset = words[19];
    info.primitive_restart = words[8] != 0;
    info.restart_index = words[9];
    if (!context.accept(context.device().draw_indirect(context.sub().draw, info), "DRAW_VBO"))
        ++context.figures().refused_draws;
    return {};
}

void draw_direct(Context& context, const Words& words) {
    const bool indexed = words[4] != 0;
    raster::DrawInfo info;
    info.first = indexed ? 0 : words[1];  // the index buffer's offset includes the first index
    info.count = words[12] != 0 ? captured_vertices(context.sub(), words[12]) : words[2];
    info.base_vertex = indexed ? words.signed_word(6) : 0;
    info.first_instance = words[7];
    info.instance_count = words[5];
    info.primitive_restart = words[8] != 0;
    info.restart_index = words[9];
    info.draw_id = words[14];
    if (DrawWatcher* watcher = context.draw_watcher())
        watcher->before_draw(context.device(), context.sub().draw, info);
    const raster::StateGroups changed = std::exchange(context.sub().changed, {});
    if (!context.accept(context.device().redraw(context.sub().draw, info, changed), "DRAW_VBO"))
        ++context.figures().refused_draws;
}

/// One layer of an attachment, or nothing if it has no such layer.
raster::Surface layer_of(const Ref<SurfaceObject>& object, uint32_t layer) {
    raster::Surface surface;
    if (!object || layer > object->last_layer - object->first_layer)
        return surface;
    surface.texture = object->resource->texture();
    surface.format = drawn_format(*object);
    surface.level = object->level;
    surface.layer = object->first_layer + layer;
    return surface;
}

}  // namespace

Result<void> draw_vbo(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(primitive,
               enumerator(words[3], raster::Primitive::TriangleStripAdjacency, "primitive"));
    ++context.figures().draws;
    if (!context.condition_holds())
        return {};
    const auto ready = prepare(context, primitive, words[4] != 0);
    if (!ready) {
        ++context.figures().refused_draws;
        context.accept(ready, "DRAW_VBO");
        return {};
    }
    if (words.size() >= 20 && words[15] != 0)
        return draw_indirect(context, words);
    draw_direct(context, words);
    return {};
}

Result<void> clear(Context& context, const Command& command) {
    const Words& words = command.words;
    const uint32_t mask = words[1];
    SubContext& sub = context.sub();
    raster::ClearInfo info;
    info.depth = (mask & 1) != 0;
    info.stencil = (mask & 2) != 0;
    info.color_targets = mask >> 2 & 0xFF;
    for (auto& color : info.color)
        color = {words[2], words[3], words[4], words[5]};
    double depth = 0;
    const uint64_t bits = words[6] | uint64_t{words[7]} << 32;
    std::memcpy(&depth, &bits, sizeof depth);
    info.depth_value = static_cast<float>(depth);
    info.stencil_value = static_cast<uint8_t>(words[8]);
    ++context.figures().clears;
    if (!context.condition_holds())
        return {};

    uint32_t layers = 1;
    const auto count = [&](const Ref<SurfaceObject>& s) {
        if (s)
            layers = std::max(layers, s->last_layer - s->first_layer + 1);
    };
    count(sub.depth_stencil);
    std::for_each(sub.color.begin(), sub.color.end(), count);
    for (uint32_t layer = 0; layer < layers; ++layer) {
        raster::Framebuffer framebuffer;
        framebuffer.depth_stencil = layer_of(sub.depth_stencil, layer);
        for (const Ref<SurfaceObject>& surface : sub.color)
            framebuffer.color.push_back(layer_of(surface, layer));
        if (!context.accept(context.device().clear(framebuffer, info), "CLEAR"))
            return {};
    }
    return {};
}

}  // namespace valkyr::virgl
