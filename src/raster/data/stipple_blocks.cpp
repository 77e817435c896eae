// Stipple blocks: rearranges the rows of a polygon stipple pattern.
// SPDX-License-Identifier: MIT
#include "raster/data/stipple_blocks.hpp"

#include "exec/abi.hpp"

namespace valkyr::raster {

void stipple_blocks(const std::array<uint32_t, 32>& rows, uint16_t* blocks) {
    for (uint32_t block = 0; block < kStippleBlocks; ++block) {
        uint32_t lanes = 0;
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            const uint32_t x = block % 8 * 4 + exec::lane_x(lane);
            const uint32_t y = block / 8 * 4 + exec::lane_y(lane);
            lanes |= (rows[y] >> (31 - x) & 1) << lane;
        }
        blocks[block] = static_cast<uint16_t>(lanes);
    }
}

}  // namespace valkyr::raster
