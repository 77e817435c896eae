// Hidden work: determines which hidden colours and depths of a draw tiles may skip.
// SPDX-License-Identifier: MIT
#include "raster/record/hidden.hpp"

#include "raster/formats/depth_codes.hpp"

#include <cstddef>

namespace valkyr::raster {
namespace {

/// Returns whether the shader's colour replaces the whole colour of every bound target.
bool replaces_colors(const exec::FragmentKey& key,
                     const exec::ProgramInfo& fragment,
                     const PassTargets& targets) {
    const uint32_t outputs = fragment.color0_writes_all && (fragment.color_outputs & 1) != 0
                                 ? 0xFFU
                                 : fragment.color_outputs;
    for (size_t i = 0; i < targets.color.size(); ++i) {
        if (targets.color[i].texture == nullptr)
            continue;
        const exec::BlendKey& blend = key.blend[i];
        if ((outputs >> i & 1) == 0 || blend.enable || blend.logic_op_enable ||
            blend.write_mask != 0xF)
            return false;
    }
    return true;
}

/// Returns whether every covered pixel is certainly drawn.
bool draws_all(const exec::FragmentKey& key, const exec::ProgramInfo& fragment) {
    return !key.zs.depth_test && !key.zs.stencil_test() && !fragment.uses_discard &&
           !fragment.writes_sample_mask && !fragment.reads_tile &&
           key.alpha_func == exec::CompareFunc::Always && !key.alpha_to_coverage;
}

bool is_whole(const PixelRect& rect, const PassTargets& targets) {
    return rect.x0 == 0 && rect.y0 == 0 && rect.x1 == static_cast<int32_t>(targets.width) &&
           rect.y1 == static_cast<int32_t>(targets.height);
}

DepthCull depth_cull(exec::CompareFunc func) {
    switch (func) {
    case exec::CompareFunc::Less: return DepthCull::Less;
    case exec::CompareFunc::LessEqual: return DepthCull::LessEqual;
    case exec::CompareFunc::Greater: return DepthCull::Greater;
    case exec::CompareFunc::GreaterEqual: return DepthCull::GreaterEqual;
    default: return DepthCull::None;
    }
}

void set_depth(HiddenState& hidden,
               const DrawRecord& draw,
               const exec::FragmentKey& key,
               const exec::ProgramInfo& fragment,
               const PassTargets& targets) {
    const exec::CompareFunc func = key.zs.depth_func;
    hidden.depth_written = key.zs.depth_write;
    hidden.depth_lowers = func == exec::CompareFunc::Less || func == exec::CompareFunc::LessEqual;
    hidden.depth_raises =
        func == exec::CompareFunc::Greater || func == exec::CompareFunc::GreaterEqual;
    const exec::FormatInfo& info = exec::format_info(targets.depth_stencil.format);
    const auto channel = static_cast<unsigned>(depth_layout(targets.depth_stencil.format).depth);
    hidden.depth_scale = info.type == exec::ChannelType::Float
                             ? 0
                             : static_cast<float>((uint32_t{1} << info.bits[channel]) - 1);
    // A fragment that fails must have no effect, and its depth must be the primitive's.
    const bool silent = !key.zs.stencil_test() && !fragment.has_side_effects &&
                        draw.counters == nullptr && !fragment.writes_depth;
    if (silent && !draw.tile->offset.enabled && !draw.shape->shapes && targets.samples == 1)
        hidden.depth_cull = depth_cull(func);
}

}  // namespace

HiddenState hidden_work(const DrawRecord& draw,
                        const exec::FragmentKey& key,
                        const exec::ProgramInfo& fragment,
                        const PassTargets& targets) {
    const ShapeState& shape = *draw.shape;
    HiddenState hidden;
    hidden.lasting = key.zs.depth_write || key.zs.stencil_test() || fragment.has_side_effects ||
                     draw.counters != nullptr;
    hidden.replaces = draws_all(key, fragment) && replaces_colors(key, fragment, targets) &&
                      !shape.multisample && !shape.shapes &&
                      draw.tile->polygon_stipple == nullptr && is_whole(shape.rect, targets);
    if (key.zs.depth_test)
        set_depth(hidden, draw, key, fragment, targets);
    return hidden;
}

}  // namespace valkyr::raster
