// Where the front end leaves its results: batches and bins of the segment being filled.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/level.hpp"
#include "raster/segment.hpp"

#include <array>
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
    const LevelOps* ops = nullptr;
    Segment* segment = nullptr;
    Arena* arena = nullptr;
    uint32_t tiles_per_row = 0;
    FrontStatistics statistics;

    /// Keeps a batch; returns the bin entry of its first primitive.
    BinEntry add_batch(const Batch& batch);
    /// Bins one primitive of a batch with the tiles of a survivor.
    void bin(const Batch& batch, BinEntry first, uint32_t primitive, const Survivor& box);
    /// Culls up to kChunkPrimitives unclipped primitives of a batch and bins those that are left.
    void cull_and_bin(const Batch& batch, uint32_t count);
};

}  // namespace valkyr::raster
