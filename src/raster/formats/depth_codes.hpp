// Depth codes: convert depths to the codes of tiles, and say how depth and stencil lie in surfaces.
// SPDX-License-Identifier: MIT
//
// A tile keeps depth as 32-bit codes whose integer order is the depth order: D16 and D24 the unorm
// code, D32F the bits of the non-negative float (exec/abi.hpp, DepthStencilKey).
#pragma once

#include "raster/formats/format_convert.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Channel numbers of depth and stencil in a format; -1: the format has no such part.
struct DepthLayout {
    int depth = -1;
    int stencil = -1;
};
DepthLayout depth_layout(exec::Format format) noexcept;

/// Clamps z to [low, high] and to non-negative numbers; NaN gives low.
constexpr float clamp_depth(float z, float low, float high) {
    low = low > 0 ? low : 0;
    z = z > low ? z : low;
    return z < high ? z : high;
}

/// Returns the code of a depth in [0, 1] (D32F: any non-negative number); 0 for formats without
/// depth.
uint32_t encode_depth(exec::Format format, float z) noexcept;
/// Returns the depth of a code.
float decode_depth(exec::Format format, uint32_t code) noexcept;

/// Depth and stencil of a texel, separated; a part that the format lacks is 0.
struct DepthStencil {
    uint32_t depth = 0;
    uint8_t stencil = 0;
    friend bool operator==(const DepthStencil&, const DepthStencil&) = default;
};
DepthStencil load_depth_stencil(exec::Format format, const uint8_t* texel) noexcept;
/// Writes the parts that the format has; unused bits become 0.
void store_depth_stencil(exec::Format format, const DepthStencil& value, uint8_t* texel) noexcept;

}  // namespace valkyr::raster
