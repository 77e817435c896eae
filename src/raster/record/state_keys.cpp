// State keys: leave irrelevant state at its default, so that equal behaviour means equal keys.
// SPDX-License-Identifier: MIT
#include "raster/record/state_keys.hpp"

#include "raster/data/assemble.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/record/fixed_function.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Keys before any member is set: one copy is faster than their initialisers.
constexpr exec::FragmentKey kBlankFragmentKey{};
constexpr exec::VertexKey kBlankVertexKey{};

/// Sets the blend factors and functions, if blending changes anything.
void set_equation(const BlendTarget& target, exec::BlendKey& key) {
    const bool copies =
        target.rgb_func == BlendFunc::Add && target.rgb_src == BlendFactor::One &&
        target.rgb_dst == BlendFactor::Zero && target.alpha_func == BlendFunc::Add &&
        target.alpha_src == BlendFactor::One && target.alpha_dst == BlendFactor::Zero;
    if (!target.enable || copies)
        return;
    const uint8_t write_mask = key.write_mask;
    static_cast<exec::BlendEquation&>(key) = target;
    key.write_mask = write_mask;
}

exec::BlendKey blend_key(const BlendState& state, size_t index, Format format) {
    exec::BlendKey key;
    if (format == Format::None) {
        key.write_mask = 0;
        return key;
    }
    const BlendTarget& target = state.targets[state.independent ? index : 0];
    const exec::FormatInfo& info = exec::format_info(format);
    key.format = format;
    key.write_mask = target.write_mask & 0xF;
    // Logic operations replace blending; neither affects formats that it does not apply to.
    if (state.logic_op_enable && state.logic_op != LogicOp::Copy) {
        key.logic_op_enable = true;
        key.logic_op = state.logic_op;
    } else if (!state.logic_op_enable && !is_integer(info)) {
        set_equation(target, key);
    }
    return key;
}

exec::DepthStencilKey
depth_stencil_key(const PipelineDesc& pipeline, const exec::ProgramInfo& info, Format format) {
    const DepthStencilState& state = pipeline.depth_stencil;
    exec::DepthStencilKey key;
    if (format == Format::None)
        return key;
    if (has_depth(format) && state.depth_test) {
        key.depth_test = true;
        key.depth_write = state.depth_write;
        key.depth_func = state.depth_func;
    }
    if (has_stencil(format) && state.stencil[0].enable) {
        key.stencil[0] = state.stencil[0];
        key.stencil[1] = state.stencil[state.stencil[1].enable ? 1 : 0];
    }
    if (key.depth_test || key.stencil_test()) {
        key.format = format;
        key.early = tests_early(pipeline, info);
    }
    return key;
}

bool modifies_coverage(const PipelineDesc& pipeline, const exec::ProgramInfo& info) {
    return info.writes_sample_mask || info.uses_discard || pipeline.depth_stencil.alpha_test ||
           pipeline.blend.alpha_to_coverage;
}

bool changes(const StencilFace& face) {
    return face.write_mask != 0 &&
           (face.fail != StencilOp::Keep || face.depth_fail != StencilOp::Keep ||
            face.pass != StencilOp::Keep);
}

}  // namespace

bool writes_depth(const DepthStencilState& state) {
    return state.depth_test && state.depth_write;
}

bool writes_stencil(const DepthStencilState& state) {
    return state.stencil[0].enable &&
           (changes(state.stencil[0]) || (state.stencil[1].enable && changes(state.stencil[1])));
}

bool tests_early(const PipelineDesc& pipeline, const exec::ProgramInfo& info) {
    if (info.early_fragment_tests)
        return true;
    if (info.writes_depth || info.writes_stencil || info.has_side_effects)
        return false;
    return !modifies_coverage(pipeline, info) ||
           !(writes_depth(pipeline.depth_stencil) || writes_stencil(pipeline.depth_stencil));
}

void count_samples(const PipelineDesc& pipeline,
                   const exec::ProgramInfo& info,
                   exec::FragmentKey& key) {
    const bool tests = key.zs.depth_test || key.zs.stencil_test();
    key.zs.count_samples = true;
    if (!tests || key.zs.early)
        key.zs.early = info.early_fragment_tests ||
                       !(info.writes_depth || info.writes_stencil || info.has_side_effects ||
                         modifies_coverage(pipeline, info));
}

bool draws_points_only(const PipelineDesc& pipeline) {
    const RasterizerState& state = pipeline.rasterizer;
    switch (shape_of(pipeline.primitive)) {
    case Shape::Point: return true;
    case Shape::Line: return false;
    case Shape::Triangle: break;
    }
    return state.fill_front == PolygonMode::Point && state.fill_back == PolygonMode::Point;
}

bool is_sprite_slot(const exec::VaryingSlot& slot, const PipelineDesc& pipeline) {
    const RasterizerState& state = pipeline.rasterizer;
    const bool replaceable =
        slot.name == exec::VaryingName::Generic || slot.name == exec::VaryingName::TexCoord;
    return replaceable && draws_points_only(pipeline) && state.point_sprite && slot.index < 32 &&
           (state.sprite_texcoords >> slot.index & 1) != 0;
}

exec::FragmentKey fragment_key(const PipelineDesc& pipeline,
                               const exec::ProgramInfo& info,
                               const PassTargets& targets) {
    exec::FragmentKey key = kBlankFragmentKey;
    for (size_t i = 0; i < targets.color.size(); ++i)
        key.blend[i] = blend_key(pipeline.blend, i, targets.color[i].format);
    key.zs = depth_stencil_key(pipeline, info, targets.depth_stencil.format);
    key.samples = static_cast<uint8_t>(targets.samples);
    const bool multisample = raster_samples(pipeline.rasterizer, targets) > 1;
    key.centered_samples = targets.samples > 1 && !multisample;
    key.per_sample = (multisample && (info.per_sample || pipeline.rasterizer.sample_shading)) ||
                     (targets.samples > 1 && info.reads_tile);
    key.alpha_to_coverage = multisample && pipeline.blend.alpha_to_coverage;
    key.alpha_to_one = multisample && pipeline.blend.alpha_to_one;
    if (pipeline.depth_stencil.alpha_test)
        key.alpha_func = pipeline.depth_stencil.alpha_func;
    for (uint32_t s = 0; s < info.varying_slot_count && s < exec::kMaxVaryingSlots; ++s) {
        const exec::Interpolation interpolation = info.varyings[s].interpolation;
        if (interpolation == exec::Interpolation::Linear)
            key.linear_slots |= 1U << s;
        if (!info.varyings[s].written && is_sprite_slot(info.varyings[s], pipeline))
            key.point_slots |= 1U << s;
        if (interpolation == exec::Interpolation::Color)
            key.flat_shade = pipeline.rasterizer.flat_shade;
    }
    return key;
}

namespace {

/// Whether the outputs of a vertex program go to interpolation only, where NaNs are alike. Other
/// stages, captured outputs, flat inputs, pairs of halves and numbers of layers are bits.
bool has_float_outputs(const PipelineDesc& pipeline,
                       const exec::ProgramInfo& info,
                       const exec::ProgramInfo* fragment) {
    if (info.stage != exec::Stage::Vertex || pipeline.geometry != nullptr ||
        pipeline.tess_evaluation != nullptr || !pipeline.stream_output.elements.empty() ||
        info.writes_layer || info.writes_viewport_index)
        return false;
    if (fragment == nullptr)
        return true;
    return std::none_of(fragment->varyings, fragment->varyings + known_slots(*fragment),
                        [&](const exec::VaryingSlot& slot) {
                            return slot.half || slot_kind(slot, pipeline) == SlotKind::Flat;
                        });
}

}  // namespace

exec::VertexKey vertex_key(const PipelineDesc& pipeline,
                           const exec::ProgramInfo& info,
                           const exec::ProgramInfo* fragment) {
    exec::VertexKey key = kBlankVertexKey;
    key.float_outputs = has_float_outputs(pipeline, info, fragment);
    for (size_t i = 0; i < pipeline.elements.size() && i < exec::kMaxAttributes; ++i) {
        if ((info.attributes_read >> i & 1) == 0)
            continue;
        key.attribute_format[i] = pipeline.elements[i].format;
        if (pipeline.elements[i].divisor != 0)
            key.instanced |= 1U << i;
    }
    return key;
}

namespace {

bool has_plain_slices(const exec::TextureDescriptor& texture) {
    if (texture.first_level >= exec::kMaxLevels || texture.level_count == 0)
        return false;
    const exec::TextureLevel& base = texture.levels[texture.first_level];
    const uint32_t bytes = exec::format_info(texture.format).block_bytes;
    const bool cube =
        texture.kind == exec::TextureKind::Cube || texture.kind == exec::TextureKind::CubeArray;
    const uint64_t slices = cube ? std::max<uint64_t>(texture.layer_count / 6, 1) * 6
                                 : std::max<uint64_t>(texture.layer_count, 1);
    constexpr uint64_t limit = uint64_t{1} << 29;
    return bytes != 0 &&
           (texture.kind == exec::TextureKind::Tex3D ||
            texture.first_layer + slices <= base.depth) &&
           base.slice_bytes / bytes * base.depth < limit;
}

}  // namespace

exec::TextureKey texture_key(const exec::TextureDescriptor& texture) {
    exec::TextureKey key;
    key.kind = texture.kind;
    key.format = texture.format;
    for (size_t i = 0; i < 4; ++i)
        key.swizzle[i] = texture.swizzle[i];
    key.power_of_two = texture.power_of_two;
    key.single_level = texture.level_count == 1;
    key.plain_slices = has_plain_slices(texture);
    key.samples = texture.samples;
    key.footprints = texture.footprints != 0;
    return key;
}

exec::ImageKey image_key(const exec::ImageDescriptor& image) {
    constexpr uint64_t limit = uint64_t{1} << 31;
    const exec::FormatInfo& info = exec::format_info(image.format);
    exec::ImageKey key;
    if (image.data == nullptr || !is_plain(info))
        return key;
    const uint64_t bytes = image.kind == TextureKind::Buffer
                               ? uint64_t{image.width} * info.block_bytes
                               : image.slice_bytes * image.depth;
    key.kind = image.kind;
    key.format = image.format;
    key.samples = image.samples;
    key.near = bytes <= limit;
    return key;
}

}  // namespace valkyr::raster
