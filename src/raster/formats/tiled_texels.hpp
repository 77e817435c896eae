// Tiled texels: finds a texel in 4x4 tiles in lane order (exec/descriptors.hpp, TextureLevel).
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Texels of a tile's side.
inline constexpr uint32_t kTileSide = 4;

/// Place of a texel in a level or image. Buffers use x alone.
struct TexelPlace {
    uint32_t x = 0;
    uint32_t y = 0;
    uint32_t slice = 0;
    uint32_t sample = 0;
};

/// Returns the byte offset of a texel from the level's data. The place must be inside.
constexpr size_t texel_offset(const TexelPlace& at,
                              uint32_t tiles_per_row,
                              uint64_t slice_bytes,
                              uint32_t samples,
                              uint32_t texel_bytes) {
    const size_t tile = size_t{at.y / kTileSide} * tiles_per_row + at.x / kTileSide;
    const size_t element =
        (tile * samples + at.sample) * exec::kLanes + exec::lane_at(at.x & 3, at.y & 3);
    return at.slice * slice_bytes + element * texel_bytes;
}

/// Returns the byte offset of a texel for any kind of texture: buffers are linear.
constexpr size_t texel_offset(exec::TextureKind kind,
                              const TexelPlace& at,
                              uint32_t tiles_per_row,
                              uint64_t slice_bytes,
                              uint32_t samples,
                              uint32_t texel_bytes) {
    if (kind == exec::TextureKind::Buffer)
        return size_t{at.x} * texel_bytes;
    return texel_offset(at, tiles_per_row, slice_bytes, samples, texel_bytes);
}

}  // namespace valkyr::raster
