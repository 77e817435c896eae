// Tile blits: blit by conversions of 4x4 tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/convert/convert.hpp"
#include "raster/resource/blit_axis.hpp"
#include "raster/resource/row_runner.hpp"
#include "raster/state.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Destination texels of a blit in slices of one level, not empty.
struct TileBlit {
    BlitAxis x, y, z;
    Filter filter = Filter::Nearest;
    bool mixes_slices = true;                ///< the filter mixes slices
    int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< half-open, inside the level
};

/// Blits between two levels with separate memory. With several samples in both, each sample is
/// copied to its own index; one sample is copied to all; of several samples, the first one is read
/// for a single-sample level.
/// errors  OutOfRange: the source's slices are too large for the tables; those of `run`
Result<void> blit_tiles(ConvertTiles convert,
                        const LaneConversion& conversion,
                        const BlitTexels& from,
                        const BlitTexels& to,
                        const TileBlit& blit,
                        const RowRunner& run);

}  // namespace valkyr::raster
