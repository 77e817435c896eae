// Texture wrapping: turns a coordinate into texels and weights (GL 4.6 section 8.14.2).
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/sampling.md "Texel and weight". All arithmetic is binary32, so that recompiled
// code finds equal texels.
#pragma once

#include "exec/abi.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Index that stands for the border colour instead of a texel.
inline constexpr int64_t kBorderTexel = -1;

/// One axis of a level.
struct Axis {
    exec::Wrap wrap = exec::Wrap::Repeat;
    uint32_t size = 1;       ///< texels, > 0
    bool normalized = true;  ///< false: coordinates count texels
    int offset = 0;          ///< texel offset of the message
};

/// Two neighbouring texels; the second contributes weight/256.
struct LinearTexels {
    int64_t first;
    int64_t second;
    int32_t weight;  ///< 0..255
};

/// Wraps any index into [0, size), or returns kBorderTexel.
/// linear  whether GL_CLAMP may blend with the border
int64_t wrap_index(int64_t index, exec::Wrap wrap, uint32_t size, bool linear) noexcept;

/// Returns the texels of the linear filter on a cube's face, not wrapped: the coordinate is clamped
/// to the face, so at most one of the two is outside, by one texel.
LinearTexels face_texels(float coordinate, const Axis& axis) noexcept;

/// Returns the texels of the linear filter, wrapped.
LinearTexels linear_texels(float coordinate, const Axis& axis) noexcept;

/// Returns the texel that holds the coordinate, wrapped.
int64_t nearest_texel(float coordinate, const Axis& axis) noexcept;

}  // namespace valkyr::raster
