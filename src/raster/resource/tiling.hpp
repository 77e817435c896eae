// Tiling: copies between linear rows and the 4x4 tiles of textures (exec/descriptors.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// A rectangle of texels inside one slice of tiles.
struct TiledRect {
    uint32_t x = 0, y = 0;
    uint32_t width = 0, height = 0;
    uint32_t tiles_per_row = 0;
    uint32_t texel_bytes = 0;  ///< bytes of a texel, 1..32
    uint32_t samples = 1;      ///< tiles have one plane per sample; the slice pointer selects it
    /// The copy stops before the next row of tiles when `watch` is cancelled; null: never.
    const exec::LoopWatch* watch = nullptr;
};

/// Copies rows `stride_bytes` apart into tiles.
void tile_rows(uint8_t* slice,
               const TiledRect& rect,
               const std::byte* rows,
               size_t stride_bytes) noexcept;
/// Copies tiles into rows.
void untile_rows(const uint8_t* slice,
                 const TiledRect& rect,
                 std::byte* rows,
                 size_t stride_bytes) noexcept;

}  // namespace valkyr::raster
