// Stipple blocks: converts a polygon stipple pattern to the 4x4 blocks that the loops read.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

inline constexpr size_t kStippleBlocks = 64;  ///< 8x8 blocks of 4x4 pixels

/// Converts the rows of DrawState::polygon_stipple to lanes of blocks, row by row.
void stipple_blocks(const std::array<uint32_t, 32>& rows, uint16_t* blocks);

}  // namespace valkyr::raster
