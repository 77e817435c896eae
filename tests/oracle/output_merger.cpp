// Output merger: runs the late tests of a shaded fragment and writes its target samples.
// SPDX-License-Identifier: MIT
#include "tests/oracle/output_merger.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

/// Alpha to coverage: the first round(alpha * n) samples.
uint32_t alpha_mask(float alpha, uint32_t samples) {
    const float saturated = std::isnan(alpha) ? 0 : std::clamp(alpha, 0.0F, 1.0F);
    const auto count =
        static_cast<uint32_t>(std::nearbyintf(saturated * static_cast<float>(samples)));
    return (1U << count) - 1;
}

struct Range {
    float low;
    float high;
};

/// The range of depths. Without depth clipping, it is the viewport's own range.
Range depth_range(const raster::Viewport& viewport, const raster::RasterizerState& state) {
    if (state.depth_clip)
        return {0, 1};
    const float scale = viewport.scale[2];
    const float translate = viewport.translate[2];
    const float near_depth = state.clip_halfz ? translate : translate - scale;
    const float far_depth = translate + scale;
    return {std::min(near_depth, far_depth), std::max(near_depth, far_depth)};
}

/// Clamps a depth; NaN gives the lower end, and -0 counts as 0.
float clamp_depth(float z, Range range) {
    if (!(z > range.low))
        return range.low;
    return z > range.high ? range.high : z;
}

}  // namespace

float OutputMerger::depth_at(const Primitive& primitive,
                             const Fragment& fragment,
                             uint32_t sample) const {
    const Range range = depth_range(state_.viewport, pipeline_.rasterizer);
    if (fragment.depth)
        return clamp_depth(*fragment.depth, range);
    const Point point = multisampled()
                            ? sample_point(fragment.x, fragment.y, sample, targets_.samples)
                            : sample_point(fragment.x, fragment.y, 0, 1);
    return clamp_depth(primitive.plane->z(point), range);
}

uint32_t OutputMerger::test(const Primitive& primitive, const Fragment& fragment) {
    const Attachment& zs = targets_.depth_stencil;
    if (zs.texture == nullptr)
        return fragment.coverage;
    const bool back_state = primitive.back_facing && pipeline_.depth_stencil.stencil[1].enable;
    uint32_t passed = 0;
    for (uint32_t s = 0; s < targets_.samples; s++) {
        if ((fragment.coverage >> s & 1) == 0)
            continue;
        DepthStencilInput input;
        if (has_depth(zs.format()))
            input.depth_code = encode_depth(zs.format(), depth_at(primitive, fragment, s));
        input.stencil_reference =
            fragment.stencil.value_or(state_.stencil_reference[back_state ? 1 : 0]);
        input.back_facing = primitive.back_facing;
        if (depth_stencil(pipeline_.depth_stencil, zs.format(), input,
                          zs.texel(fragment.x, fragment.y, s)))
            passed |= 1U << s;
    }
    return passed;
}

uint32_t OutputMerger::surviving(const Fragment& fragment) const {
    uint32_t coverage = fragment.coverage;
    if (multisampled() && fragment.sample_mask)
        coverage &= *fragment.sample_mask;
    const float alpha = fragment.color[0] ? as_float((*fragment.color[0])[3]) : 1.0F;
    const raster::DepthStencilState& tests = pipeline_.depth_stencil;
    if (tests.alpha_test && !compare(tests.alpha_func, alpha, state_.alpha_reference))
        return 0;
    if (multisampled() && pipeline_.blend.alpha_to_coverage)
        coverage &= alpha_mask(alpha, targets_.samples);
    return coverage;
}

void OutputMerger::write(const Fragment& fragment) {
    for (size_t i = 0; i < targets_.color.size(); i++) {
        const Attachment& target = targets_.color[i];
        if (target.texture == nullptr || !fragment.color[i])
            continue;
        BlendInput input;
        input.source = *fragment.color[i];
        input.source1 = fragment.second_color.value_or(Vec4{});
        input.blend_constant = state_.blend_color;
        if (multisampled() && pipeline_.blend.alpha_to_one && !is_integer(target.format()))
            input.source[3] = input.source1[3] = as_bits(1.0F);
        const raster::BlendTarget& blend =
            pipeline_.blend.targets[pipeline_.blend.independent ? i : 0];
        for (uint32_t s = 0; s < targets_.samples; s++)
            if ((fragment.coverage >> s & 1) != 0)
                blend_sample(pipeline_.blend, blend, target.format(), input,
                             target.texel(fragment.x, fragment.y, s));
    }
}

}  // namespace valkyr::reference
