// Validation: implements the checks of pipelines, draws and attachments.
// SPDX-License-Identifier: MIT
#include "raster/device/validate.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace valkyr::raster {
namespace {

template <typename Enum>
bool in_range(Enum value, Enum last) {
    return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
}

Error invalid(std::string text) {
    return Error{Errc::InvalidState, {}, std::move(text)};
}

bool valid_blend(const BlendTarget& t) {
    return in_range(t.rgb_func, BlendFunc::Max) && in_range(t.alpha_func, BlendFunc::Max) &&
           in_range(t.rgb_src, BlendFactor::InvSrc1Alpha) &&
           in_range(t.rgb_dst, BlendFactor::InvSrc1Alpha) &&
           in_range(t.alpha_src, BlendFactor::InvSrc1Alpha) &&
           in_range(t.alpha_dst, BlendFactor::InvSrc1Alpha);
}

bool valid_stencil(const StencilFace& f) {
    return in_range(f.func, CompareFunc::Always) && in_range(f.fail, StencilOp::Invert) &&
           in_range(f.depth_fail, StencilOp::Invert) && in_range(f.pass, StencilOp::Invert);
}

Result<void> validate_state(const PipelineDesc& desc) {
    const auto& targets = desc.blend.targets;
    if (!std::all_of(targets.begin(), targets.end(), valid_blend) ||
        !in_range(desc.blend.logic_op, LogicOp::Set))
        return invalid("blend state: an enumerator is out of range");
    const DepthStencilState& zs = desc.depth_stencil;
    if (!in_range(zs.depth_func, CompareFunc::Always) ||
        !in_range(zs.alpha_func, CompareFunc::Always) || !valid_stencil(zs.stencil[0]) ||
        !valid_stencil(zs.stencil[1]))
        return invalid("depth/stencil state: an enumerator is out of range");
    const RasterizerState& r = desc.rasterizer;
    if (!in_range(r.cull, CullFace::FrontAndBack) || !in_range(r.fill_front, PolygonMode::Point) ||
        !in_range(r.fill_back, PolygonMode::Point))
        return invalid("rasterizer state: an enumerator is out of range");
    if (r.line_stipple_factor == 0 || r.line_stipple_factor > kMaxStippleFactor)
        return invalid("rasterizer state: a stipple factor of " +
                       std::to_string(r.line_stipple_factor) + ", not 1 to " +
                       std::to_string(kMaxStippleFactor));
    if (!in_range(desc.primitive, Primitive::Patches))
        return invalid("no such primitive type");
    return {};
}

Result<void> validate_elements(const PipelineDesc& desc) {
    if (desc.elements.size() > exec::kMaxAttributes)
        return Error{Errc::OutOfRange,
                     {},
                     std::to_string(desc.elements.size()) + " vertex elements, at most " +
                         std::to_string(exec::kMaxAttributes)};
    if (desc.strides.size() > kMaxVertexBuffers)
        return Error{Errc::OutOfRange,
                     {},
                     std::to_string(desc.strides.size()) + " vertex buffers, at most " +
                         std::to_string(kMaxVertexBuffers)};
    for (const uint32_t stride : desc.strides)
        if (stride > kMaxVertexStride)
            return Error{Errc::OutOfRange,
                         {},
                         "a vertex stride of " + std::to_string(stride) + " bytes, at most " +
                             std::to_string(kMaxVertexStride)};
    for (size_t i = 0; i < desc.elements.size(); ++i) {
        const VertexElement& e = desc.elements[i];
        const std::string name = "vertex element " + std::to_string(i);
        if (e.buffer >= desc.strides.size())
            return invalid(name + ": no stride for vertex buffer " + std::to_string(e.buffer));
        if (static_cast<unsigned>(e.format) >= exec::kFormatCount || e.format == Format::None)
            return invalid(name + ": no format");
        const exec::FormatInfo& info = exec::format_info(e.format);
        if (info.layout != exec::FormatLayout::Array && info.layout != exec::FormatLayout::Packed)
            return invalid(name + ": " + std::string(info.name) + " is no vertex format");
    }
    return {};
}

Result<void> validate_stream_output(const StreamOutputState& stream) {
    if (stream.elements.size() > kMaxStreamElements)
        return Error{Errc::OutOfRange,
                     {},
                     std::to_string(stream.elements.size()) + " captured outputs, at most " +
                         std::to_string(kMaxStreamElements)};
    for (const StreamOutputElement& e : stream.elements) {
        if (e.buffer >= kMaxStreamTargets)
            return invalid("stream output: no such target slot");
        if (e.components == 0 || e.first_component + e.components > 4)
            return invalid("stream output: components beyond the fourth");
        if (e.offset_words + e.components > stream.stride_words[e.buffer])
            return invalid("stream output: components beyond the stride");
    }
    for (const uint32_t words : stream.stride_words)
        if (words > kMaxVertexStride / sizeof(uint32_t))
            return Error{Errc::OutOfRange, {}, "stream output: too large a stride"};
    return {};
}

/// Returns the format that an attachment is drawn as; it differs from the texture's only for
/// colours of equal size.
Result<Format> surface_format(Format format, const TextureImpl& texture) {
    const Format own = texture.desc().format;
    if (format == Format::None || format == own)
        return own;
    if (static_cast<unsigned>(format) >= exec::kFormatCount)
        return invalid("framebuffer: no such format");
    const exec::FormatInfo& info = exec::format_info(format);
    if (!is_color_renderable(own) || !is_color_renderable(format) ||
        info.block_bytes != texture.texel_bytes())
        return invalid("framebuffer: " + std::string(info.name) + " on texels of " +
                       std::string(exec::format_info(own).name));
    return format;
}

/// Resolves one attachment, which is not empty.
Result<void>
resolve_surface(const Surface& surface, const DeviceTag* owner, TargetSurface& target) {
    TextureImpl* texture = own_texture(surface.texture, owner);
    if (texture == nullptr)
        return invalid("framebuffer: a texture of another device");
    const TextureDesc& desc = texture->desc();
    if (!desc.render_target)
        return invalid("framebuffer: a texture that was not made as a render target");
    if (surface.level >= desc.levels || surface.layer >= texture->level(surface.level).depth)
        return invalid("framebuffer: no such level or layer");
    const exec::TextureLevel& level = texture->level(surface.level);
    target.texture = texture;
    target.level = surface.level;
    target.layer = surface.layer;
    const uint32_t layers = texture->level(surface.level).depth - surface.layer;
    if (surface.layer_count == 0)
        return invalid("framebuffer: an attachment without layers");
    target.layer_count = std::min(surface.layer_count, layers);
    for (uint32_t l = 1; l < target.layer_count; ++l)
        static_cast<void>(texture->slice_clear(surface.level, surface.layer + l));  // creates it
    VALKYR_TRY(format, surface_format(surface.format, *texture));
    target.format = format;
    target.texels = texture->slice(surface.level, surface.layer);
    target.blocks_per_row = level.tiles_per_row;
    target.block_rows = (level.height + 3) / 4;
    target.texel_bytes = texture->texel_bytes();
    target.clear = &texture->slice_clear(surface.level, surface.layer);
    target.tiles_per_row = tiles_across(level.width);
    return {};
}

/// Adds an attachment to the common size and sample count.
Result<void> join(PassTargets& targets, const TargetSurface& surface, bool& first) {
    const exec::TextureLevel& level = surface.texture->level(surface.level);
    const uint32_t samples = surface.texture->desc().samples;
    if (first) {
        targets.width = level.width;
        targets.height = level.height;
        targets.samples = samples;
        targets.layers = surface.layer_count;
        first = false;
        return {};
    }
    if (samples != targets.samples)
        return invalid("framebuffer: attachments with " + std::to_string(samples) + " and " +
                       std::to_string(targets.samples) + " samples");
    targets.width = std::min(targets.width, level.width);
    targets.height = std::min(targets.height, level.height);
    targets.layers = std::min(targets.layers, surface.layer_count);
    return {};
}

}  // namespace

Result<void> validate_pipeline(const PipelineDesc& desc) {
    if (!desc.vertex)
        return invalid("pipeline: no vertex shader");
    VALKYR_TRY_VOID(validate_state(desc));
    VALKYR_TRY_VOID(validate_stream_output(desc.stream_output));
    return validate_elements(desc);
}

Result<void> validate_attributes(const PipelineDesc& desc, const exec::ProgramInfo& vertex) {
    const uint32_t described = desc.elements.size() >= 32 ? ~0U : (1U << desc.elements.size()) - 1;
    if ((vertex.attributes_read & ~described) == 0)
        return {};
    return invalid("pipeline: the vertex shader reads more attributes than the " +
                   std::to_string(desc.elements.size()) + " vertex elements");
}

namespace {

Result<void> validate_buffers(const DrawState& state, const DeviceTag* owner) {
    if (!in_range(state.index_type, IndexType::U32))
        return invalid("draw: no such index type");
    if (state.index_type != IndexType::None &&
        own_buffer(state.index_buffer.buffer, owner) == nullptr)
        return invalid("draw: an indexed draw without an index buffer");
    for (const BufferRange& range : state.vertex_buffers)
        if (range.buffer && own_buffer(range.buffer, owner) == nullptr)
            return invalid("draw: a vertex buffer of another device");
    return {};
}

Result<void> validate_viewports(const DrawState& state) {
    if (state.viewport_array.size() <= kMaxViewports &&
        state.scissor_array.size() == state.viewport_array.size())
        return {};
    return Error{Errc::OutOfRange,
                 {},
                 "draw: " + std::to_string(state.viewport_array.size()) + " viewports and " +
                     std::to_string(state.scissor_array.size()) + " scissors, at most " +
                     std::to_string(kMaxViewports)};
}

// Errors of the checks that draws make are made by functions apart, which return them as the checks
// do: making one takes a stack of some hundred bytes and most registers.

[[gnu::cold]] Result<void>
too_many(const char* call, size_t count, const char* things, size_t limit) {
    return Error{Errc::OutOfRange,
                 {},
                 std::string(call) + ": " + std::to_string(count) + " " + things + ", at most " +
                     std::to_string(limit)};
}

[[gnu::cold]] Result<void> too_many_vertices(const DrawInfo& info) {
    return Error{Errc::OutOfRange,
                 {},
                 "draw: " + std::to_string(info.count) + " vertices times " +
                     std::to_string(info.instance_count) + " instances, at most " +
                     std::to_string(kMaxDrawVertices)};
}

[[gnu::cold]] Result<void> no_such_patch(const DrawInfo& info) {
    return Error{Errc::OutOfRange,
                 {},
                 "draw: patches of " + std::to_string(info.patch_vertices) + " vertices, 1 to " +
                     std::to_string(exec::kMaxPatchVertices)};
}

}  // namespace

Result<void> validate_constants(const std::vector<std::vector<uint32_t>>& buffers,
                                const char* call) {
    if (buffers.size() > exec::kMaxConstantBuffers)
        return too_many(call, buffers.size(), "constant buffers", exec::kMaxConstantBuffers);
    for (const std::vector<uint32_t>& words : buffers)
        if (words.size() > kMaxConstantBufferWords)
            return too_many(call, words.size(), "words in a constant buffer",
                            kMaxConstantBufferWords);
    return {};
}

Result<void> validate_units(const StageResources& stage, const char* call) {
    const size_t units = std::max(stage.textures.size(), stage.samplers.size());
    if (units > exec::kMaxTextureUnits)
        return too_many(call, units, "texture units", exec::kMaxTextureUnits);
    if (stage.images.size() > exec::kMaxImages)
        return too_many(call, stage.images.size(), "images", exec::kMaxImages);
    const size_t buffers = std::max(stage.storage.size(), stage.counters.size());
    if (buffers > kMaxStorageBuffers)
        return too_many(call, buffers, "shader buffers", kMaxStorageBuffers);
    return {};
}

namespace {

/// Checks the groups of stages that may have changed. Most draws have one or none of them, so that
/// walking over those costs less than asking for each group.
Result<void> validate_stages(const DrawState& state, StateGroups groups) {
    // Constants of all stages, then units of all stages, are the last groups.
    const uint32_t of_stages = groups.bits() >> static_cast<size_t>(StateGroup::VertexConstants);
    for (uint32_t left = of_stages; left != 0; left &= left - 1) {
        const auto place = static_cast<size_t>(std::countr_zero(left));
        if (place < kDrawStages)
            VALKYR_TRY_VOID(
                validate_constants(state.stage(kAllDrawStages[place]).constants, "draw"));
        else
            VALKYR_TRY_VOID(
                validate_units(state.stage(kAllDrawStages[place - kDrawStages]), "draw"));
    }
    return {};
}

}  // namespace

Result<void> validate_draw(const DrawState& state,
                           const DrawInfo& info,
                           const DeviceTag* owner,
                           StateGroups groups) {
    if (uint64_t{info.count} * info.instance_count > kMaxDrawVertices)
        return too_many_vertices(info);
    if (info.patch_vertices == 0 || info.patch_vertices > exec::kMaxPatchVertices)
        return no_such_patch(info);
    if (groups.has(StateGroup::VertexBuffers | StateGroup::IndexBuffer))
        VALKYR_TRY_VOID(validate_buffers(state, owner));
    if (groups.has(StateGroup::Viewports))
        VALKYR_TRY_VOID(validate_viewports(state));
    return validate_stages(state, groups);
}

namespace {

/// Sets the size of a framebuffer without attachments.
Result<void> set_bare_size(PassTargets& targets, const Framebuffer& framebuffer) {
    if (framebuffer.width > kMaxTextureSize || framebuffer.height > kMaxTextureSize)
        return Error{Errc::OutOfRange,
                     {},
                     "framebuffer: more than " + std::to_string(kMaxTextureSize) +
                         " pixels a side"};
    if (!std::has_single_bit(framebuffer.samples) || framebuffer.samples > exec::kMaxSamples)
        return invalid("framebuffer: " + std::to_string(framebuffer.samples) + " samples");
    if (framebuffer.layers == 0 || framebuffer.layers > kMaxTextureLayers)
        return Error{Errc::OutOfRange, {}, "framebuffer: as many layers as no texture has"};
    if (framebuffer.width == 0 || framebuffer.height == 0)
        return {};
    targets.width = framebuffer.width;
    targets.height = framebuffer.height;
    targets.samples = framebuffer.samples;
    targets.layers = framebuffer.layers;
    return {};
}

}  // namespace

Result<void> validate_layers(const PassTargets& targets, const exec::ProgramInfo& vertex) {
    if (!vertex.writes_layer || uint64_t{targets.tile_count()} * targets.layers <= kMaxLayeredTiles)
        return {};
    return Error{Errc::OutOfRange,
                 {},
                 "draw: " + std::to_string(targets.layers) + " layers of " +
                     std::to_string(targets.width) + "x" + std::to_string(targets.height) +
                     " to choose from"};
}

Result<void>
resolve_targets(const Framebuffer& framebuffer, const DeviceTag* owner, PassTargets& targets) {
    if (framebuffer.color.size() > exec::kMaxRenderTargets)
        return Error{Errc::OutOfRange,
                     {},
                     "framebuffer: " + std::to_string(framebuffer.color.size()) +
                         " colour targets, at most " + std::to_string(exec::kMaxRenderTargets)};
    bool first = true;
    for (size_t i = 0; i < framebuffer.color.size(); ++i) {
        if (!framebuffer.color[i].texture)
            continue;
        TargetSurface& surface = targets.color[i];
        VALKYR_TRY_VOID(resolve_surface(framebuffer.color[i], owner, surface));
        if (!is_color_renderable(surface.format))
            return invalid("framebuffer: " + std::string(exec::format_info(surface.format).name) +
                           " as a colour target");
        VALKYR_TRY_VOID(join(targets, surface, first));
    }
    if (framebuffer.depth_stencil.texture) {
        TargetSurface& surface = targets.depth_stencil;
        VALKYR_TRY_VOID(resolve_surface(framebuffer.depth_stencil, owner, surface));
        if (!is_depth_stencil(surface.format))
            return invalid("framebuffer: " + std::string(exec::format_info(surface.format).name) +
                           " as a depth/stencil target");
        VALKYR_TRY_VOID(join(targets, surface, first));
    }
    if (first)
        VALKYR_TRY_VOID(set_bare_size(targets, framebuffer));
    return {};
}

}  // namespace valkyr::raster
