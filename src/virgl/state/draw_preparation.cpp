// Draw preparation: brings a sub-context's state up to date before a draw or dispatch.
// SPDX-License-Identifier: MIT
//
// Setters keep most of the state up to date. The rest depends on several bindings at once
// (pipeline, vertex buffers), on host storage that buffers get at first use, or on contents that
// change without a command to this sub-context (uniform buffers).
#include "virgl/state/sub_context.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace valkyr::virgl {

using raster::StateGroup;

namespace {

/// Whether images of a kind show one layer or slice.
bool is_single_layer(raster::TextureKind kind) {
    using raster::TextureKind;
    return kind == TextureKind::Tex1D || kind == TextureKind::Tex2D || kind == TextureKind::Rect ||
           kind == TextureKind::Tex2DMs;
}

std::string size_text(const std::array<uint32_t, 3>& size) {
    return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
           std::to_string(size[2]);
}

}  // namespace

Result<void> SubContext::use_pipeline(PipelineCache& pipelines, raster::Primitive primitive) {
    if (!parts_changed_ && parts_.primitive == primitive)
        return {};
    parts_.primitive = primitive;
    parts_changed_ = true;
    const auto& pipeline = pipelines.pipeline(parts_);
    if (!pipeline)
        return pipeline.error();
    if (draw_.pipeline != *pipeline) {
        draw_.pipeline = *pipeline;
        changed_ |= StateGroup::Pipeline;
    }
    parts_changed_ = false;
    return {};
}

void SubContext::use_vertex_buffers(raster::Device& device) {
    if (!changed_.has(StateGroup::VertexBuffers | StateGroup::Pipeline))
        return;
    const uint32_t count = parts_.elements ? parts_.elements->buffers : 0;
    auto& buffers = draw_.vertex_buffers;
    if (buffers.size() != count)
        changed_ |= StateGroup::VertexBuffers;
    buffers.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
        const VertexBufferBinding& binding = vertex_buffers_[i];
        if (!binding.resource) {
            buffers[i] = {};
            continue;
        }
        const raster::BufferRef& host = binding.resource->buffer(device);
        if (buffers[i].buffer != host)
            buffers[i].buffer = host;
        buffers[i].offset = binding.offset;
    }
}

void SubContext::use_index_buffer(raster::Device& device, bool indexed) {
    const bool is_bound = indexed && index_buffer_.resource;
    const bool was_bound = draw_.index_type != raster::IndexType::None;
    if (is_bound == was_bound && !changed_.has(StateGroup::IndexBuffer))
        return;
    changed_ |= StateGroup::IndexBuffer;
    draw_.index_type = raster::IndexType::None;
    if (!is_bound)
        return;
    draw_.index_type = index_buffer_.type;
    draw_.index_buffer = {index_buffer_.resource->buffer(device), index_buffer_.offset};
}

/// Copies the current contents of uniform buffers. It does so in every draw, because a write to a
/// buffer marks no group.
void SubContext::use_uniforms(raster::Device& device, ShaderStage which, const Refused& refused) {
    const StageState& state = stage(which);
    if (!state.has_uniforms)
        return;
    mark_constants(which);
    auto& constants = resources(which)->constants;
    constants.resize(kMaxUniformBuffers);
    for (uint32_t i = 1; i < kMaxUniformBuffers; ++i) {
        const RangeBinding& binding = state.uniforms[i];
        std::vector<uint32_t>& words = constants[i];
        words.clear();
        if (!binding.resource || !binding.resource->is_buffer())
            continue;
        constexpr uint64_t kMostBytes = 65536;
        const uint64_t size = binding.resource->desc().width;
        const uint64_t offset = std::min<uint64_t>(binding.offset, size);
        const uint64_t bytes = std::min<uint64_t>({binding.bytes, size - offset, kMostBytes});
        words.resize((bytes + 3) / 4);
        refused(device.read_buffer(
            binding.resource->buffer(device), offset,
            {reinterpret_cast<std::byte*>(words.data()), static_cast<size_t>(bytes)}));
    }
}

void SubContext::use_buffer_views(raster::Device& device, ShaderStage which) {
    const StageState& state = stage(which);
    if (!state.has_buffer_views || !units_marked(which))
        return;
    auto& textures = resources(which)->textures;
    for (size_t i = 0; i < textures.size(); ++i)
        if (state.views[i] && state.views[i]->resource->is_buffer())
            textures[i].buffer.buffer = state.views[i]->resource->buffer(device);
}

/// Hands on the shader buffers, clipped to their resources.
void SubContext::use_storage(raster::Device& device, ShaderStage which) {
    const StageState& state = stage(which);
    if (!state.has_storage || !units_marked(which))
        return;
    auto& storage = resources(which)->storage;
    storage.assign(used_slots(state.storage), {});
    for (size_t i = 0; i < storage.size(); ++i) {
        const RangeBinding& binding = state.storage[i];
        if (!binding || !binding.resource->is_buffer())
            continue;
        const uint32_t size = binding.resource->desc().width;
        const uint32_t offset = std::min(binding.offset, size);
        storage[i] = {binding.resource->buffer(device), offset,
                      std::min(binding.bytes, size - offset)};
    }
}

/// Hands on the images that the bound shader declares, as the kinds that it declares.
void SubContext::use_images(raster::Device& device, ShaderStage which) {
    const StageState& state = stage(which);
    if (!state.has_images || !units_marked(which))
        return;
    auto& images = resources(which)->images;
    const DeclaredImages declared = state.shader ? state.shader->images : DeclaredImages();
    images.assign(static_cast<size_t>(std::bit_width(declared.mask)), {});
    for (size_t i = 0; i < images.size(); ++i) {
        const ImageBinding& binding = state.images[i];
        if (!binding || (declared.mask >> i & 1) == 0)
            continue;
        images[i] = binding.view;
        images[i].kind = declared.kinds[i];
        images[i].texture = binding.resource->texture();
        images[i].buffer.buffer = binding.resource->buffer(device);
        if (is_single_layer(declared.kinds[i]))
            images[i].layer_count = 1;
    }
}

/// Looks up the host storage of all units of a stage.
void SubContext::use_units(raster::Device& device, ShaderStage which) {
    use_buffer_views(device, which);
    use_storage(device, which);
    use_images(device, which);
}

/// Sets viewport and scissor 0, or all of them if the shader chooses one.
void SubContext::use_viewports() {
    const Ref<ShaderObject>& last = parts_.last_vertex_stage();
    const bool all = last && last->chooses_viewport;
    if (all == draw_.viewport_array.empty())
        changed_ |= StateGroup::Viewports;
    if (!changed_.has(StateGroup::Viewports))
        return;
    if (all) {
        draw_.viewport_array.assign(viewports_.begin(), viewports_.end());
        draw_.scissor_array.assign(scissors_.begin(), scissors_.end());
        return;
    }
    draw_.viewport_array.clear();
    draw_.scissor_array.clear();
    draw_.viewport = viewports_[0];
    draw_.scissor = scissors_[0];
}

/// Notes the bytes of a vertex in each bound target; captured_vertices() divides by them.
void SubContext::note_capture() const {
    const Ref<ShaderObject>& last = parts_.last_vertex_stage();
    for (size_t i = 0; last && i < stream_targets_.size() && i < raster::kMaxStreamTargets; ++i)
        if (stream_targets_[i])
            stream_targets_[i]->vertex_bytes = 4 * last->stream_output.stride_words[i];
}

Result<void> SubContext::prepare(raster::Device& device,
                                 PipelineCache& pipelines,
                                 raster::Primitive primitive,
                                 bool indexed,
                                 const Refused& refused) {
    VALKYR_TRY_VOID(use_pipeline(pipelines, primitive));
    use_vertex_buffers(device);
    use_index_buffer(device, indexed);
    use_viewports();
    note_capture();
    for (const ShaderStage which :
         {ShaderStage::Vertex, ShaderStage::TessControl, ShaderStage::TessEvaluation,
          ShaderStage::Geometry, ShaderStage::Fragment}) {
        if (stage(which).shader || which == ShaderStage::Fragment)
            use_uniforms(device, which, refused);
        use_units(device, which);
    }
    return {};
}

Result<void> SubContext::prepare_dispatch(raster::Device& device,
                                          PipelineCache& pipelines,
                                          const std::array<uint32_t, 3>& group_size,
                                          const Refused& refused) {
    const Ref<ShaderObject>& shader = stage(ShaderStage::Compute).shader;
    if (!shader)
        return Error{Errc::InvalidState, {}, "no compute shader"};
    if (!shader->shader)
        return Error{Errc::InvalidState, {}, "the compute shader was refused"};
    if (group_size != shader->group_size)
        return Error{Errc::InvalidState,
                     {},
                     "work-groups of " + size_text(group_size) + ", but the shader's have " +
                         size_text(shader->group_size)};
    const auto& pipeline = pipelines.compute_pipeline(*shader);
    if (!pipeline)
        return pipeline.error();
    dispatch_.pipeline = *pipeline;
    use_uniforms(device, ShaderStage::Compute, refused);
    use_units(device, ShaderStage::Compute);
    dispatch_units_marked_ = false;
    return {};
}

}  // namespace valkyr::virgl
