// Front end output: adds batches and bins to the segment being filled.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/segment.hpp"
#include "raster/front/bin.hpp"
#include "raster/loops/level.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Counters of one worker.
struct FrontStatistics {
    uint64_t vertices = 0;
    uint64_t triangles_in = 0;
    uint64_t triangles_culled = 0;
    uint64_t triangles_binned = 0;
};

/// One worker's output.
struct FrontOutput {
    const HostLoops* ops = nullptr;
    Segment* segment = nullptr;
    Arena* arena = nullptr;
    TileGrid grid;
    FrontStatistics statistics;

    /// Adds a batch, whose primitives are binned next; returns the bin entry of its first
    /// primitive.
    BinEntry add_batch(const Batch& batch);
    /// Bins one primitive of a batch in the tiles of a survivor.
    [[gnu::always_inline]] void
    bin(const Batch& batch, BinEntry first, uint32_t primitive, const Survivor& box) {
        ++statistics.triangles_binned;
        if (box.tile_x0 == box.tile_x1 && box.tile_y0 == box.tile_y1)  // most small triangles
            segment->append(*arena, grid.first + box.tile_y0 * grid.per_row + box.tile_x0,
                            first | primitive);
        else
            bin_in_tiles(batch, first, primitive, box);
    }
    /// Culls up to kChunkPrimitives unclipped primitives of a batch and bins the survivors.
    void cull_and_bin(const Batch& batch, uint32_t count);

private:
    /// Bins a primitive that may touch several tiles.
    void bin_in_tiles(const Batch& batch, BinEntry first, uint32_t primitive, const Survivor& box);

    // Properties of the draw whose batch was added last.
    bool replaces_ = false;
    int32_t line_half_ = 0;
};

}  // namespace valkyr::raster
