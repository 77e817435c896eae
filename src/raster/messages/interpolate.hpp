// Interpolation: evaluates a primitive's planes at points of its pixels.
// SPDX-License-Identifier: MIT
//
// The rule is docs/rules/raster-rules.md "Interpolation": binary32, rounded after every operation,
// FMA fused, relative to the anchor vertex, so that results do not depend on the tile size.
#pragma once

#include "exec/abi.hpp"
#include "raster/sample_positions.hpp"

#include <cmath>

namespace valkyr::raster {

/// A point relative to the anchor of the primitive, in pixels.
struct PointOffset {
    float dx;
    float dy;
};

/// Returns the point at (fx, fy) pixels from the top-left corner of a lane's pixel. It is exact for
/// multiples of 1/256 pixel.
inline PointOffset point_in_lane(const exec::Warp& warp, unsigned lane, float fx, float fy) {
    const exec::PrimitiveSetup& primitive = *warp.fragment->primitive;
    const auto x = static_cast<float>(warp.x + static_cast<int32_t>(exec::lane_x(lane)));
    const auto y = static_cast<float>(warp.y + static_cast<int32_t>(exec::lane_y(lane)));
    return {x + fx - primitive.anchor_x, y + fy - primitive.anchor_y};
}

/// Returns a sample's point in a lane's pixel; the centre if there is one sample, or if all samples
/// lie at the centre.
inline PointOffset
sample_in_lane(const exec::Warp& warp, unsigned lane, unsigned samples, unsigned sample) {
    const auto* key = static_cast<const exec::FragmentKey*>(warp.draw->key);
    const bool centered = key != nullptr && key->centered_samples;
    const std::span<const SamplePosition> positions = sample_positions(centered ? 1 : samples);
    const SamplePosition position = positions[sample & (positions.size() - 1)];
    return point_in_lane(warp, lane, static_cast<float>(position.x) / 16,
                         static_cast<float>(position.y) / 16);
}

/// Returns a + cx * dx + cy * dy.
inline float linear_value(float a, float cx, float cy, PointOffset at) {
    return std::fma(at.dy, cy, std::fma(at.dx, cx, a));
}
inline float linear_value(const exec::Plane& plane, PointOffset at) {
    return linear_value(plane.a, plane.cx, plane.cy, at);
}

/// Returns the value for planes made of differences times q; reciprocal_q is 1 / q(x, y).
inline float perspective_value(float a, float cx, float cy, PointOffset at, float reciprocal_q) {
    return std::fma(std::fma(at.dy, cy, at.dx * cx), reciprocal_q, a);
}

}  // namespace valkyr::raster
