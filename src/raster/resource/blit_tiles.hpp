// Tile blits: tabulate texels and weights for the conversions of 4x4 tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/convert/convert.hpp"
#include "raster/resource/blit_axis.hpp"
#include "raster/resource/row_runner.hpp"
#include "raster/state.hpp"

#include <cstdint>

namespace valkyr::raster {

/// The destination texels of a blit in slices of one level, not empty.
struct TileBlit {
    BlitAxis x, y, z;
    Filter filter = Filter::Nearest;
    bool mixes_slices = true;                ///< with the filter
    int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< half-open, inside the level
};

/// Blits between two levels of unlike memory. With several samples in both, samples go to their
/// like; one goes to all; of several, the first goes to one.
/// errors  OutOfRange: the source's slices are too large for the tables; those of `run`
Result<void> blit_tiles(ConvertTiles convert,
                        const LaneConversion& conversion,
                        const BlitTexels& from,
                        const BlitTexels& to,
                        const TileBlit& blit,
                        const RowRunner& run);

}  // namespace valkyr::raster
