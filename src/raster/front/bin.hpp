// Binning: finds the tiles that a primitive touches.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/data/segment.hpp"
#include "raster/loops/level.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Bin numbers of a layer's tiles.
struct TileGrid {
    uint32_t per_row = 0;
    uint32_t first = 0;  ///< bin number of the layer's first tile
};

/// Adds a primitive to the bins of its tiles. In a larger box, tiles outside an edge are skipped;
/// some tiles that the primitive misses remain. `replaces`: the primitive is drawn by
/// HiddenState::replaces, so bins of tiles that it covers are emptied first.
void bin_primitive(Segment& segment,
                   Arena& arena,
                   const TileGrid& grid,
                   const WindowRow* rows,
                   const PrimitiveRef& primitive,
                   const Survivor& box,
                   BinEntry entry,
                   bool replaces);

/// Adds primitive n of a batch of lines to the bins of its tiles. In a larger box, tiles outside a
/// long edge are skipped.
/// half  half the width of the lines, in 1/256 pixel
void bin_line(Segment& segment,
              Arena& arena,
              const TileGrid& grid,
              const Batch& batch,
              uint32_t n,
              int32_t half,
              const Survivor& box,
              BinEntry entry);

/// Adds a rectangle of pixels to the bins of all tiles of its box.
/// replaces  as in bin_primitive()
void bin_quad(Segment& segment,
              Arena& arena,
              const TileGrid& grid,
              const Survivor& box,
              BinEntry entry,
              bool replaces);

/// Adds a primitive to the bins of all tiles of its box.
void bin_box(
    Segment& segment, Arena& arena, const TileGrid& grid, const Survivor& box, BinEntry entry);

}  // namespace valkyr::raster
