// Coordinates of the reference sampler: texels and weights of one axis, cube faces.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/sampling/reference_sampler.hpp"

#include <array>
#include <cstdint>

namespace valkyr::tgsi {

/// Stands for a texel outside the texture: the border colour.
inline constexpr int64_t kBorder = INT64_MIN;

/// One axis of a level.
struct SamplerAxis {
    WrapMode wrap = WrapMode::Repeat;
    uint32_t size = 1;
    bool normalized = true;
    int32_t offset = 0;  ///< texels
};

/// The two texels of a linear filter; `second` has weight / 256.
struct TexelPair {
    int64_t first = 0;
    int64_t second = 0;
    int32_t weight = 0;
};

/// An index anywhere, brought into 0..size-1 or kBorder.
int64_t wrapped(int64_t index, WrapMode wrap, int64_t size, bool linear);

/// The texel that holds a coordinate.
int64_t nearest_texel(float coordinate, const SamplerAxis& axis);

/// The texels around a coordinate; `raw`: before wrapping (for cube faces).
TexelPair linear_texels(float coordinate, const SamplerAxis& axis, bool raw);

/// A direction as a face and its s, t in 0..1.
struct CubePoint {
    uint32_t face = 0;
    std::array<float, 2> st{};
};
CubePoint cube_point(const std::array<float, 3>& direction);

/// The derivative of s, t along a face for a derivative of the direction.
std::array<float, 2> cube_gradient(const std::array<float, 3>& direction,
                                   const std::array<float, 3>& change);

/// A texel of a cube, at most one texel outside its face in one axis, brought to the face it is on.
struct CubeTexel {
    uint32_t face = 0;
    int64_t x = 0;
    int64_t y = 0;
};
CubeTexel over_the_edge(const CubeTexel& at, int64_t size);

}  // namespace valkyr::tgsi
