// Segments and bins: what one worker's share of the front end leaves for the tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/batch.hpp"
#include "raster/memory.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::raster {

/// The primitives of one segment that touch one tile, in API order.
struct Bin {
    BinChunk* first = nullptr;
    BinChunk* last = nullptr;
    uint32_t count = 0;
    uint32_t last_count = BinChunk::kCapacity;  ///< used entries of `last`
};

/// The bins of one segment, a contiguous range of the pass's primitives, filled by one worker.
struct Segment {
    std::vector<Batch> batches;
    std::vector<Bin> bins;  ///< by tile

    void reset(uint32_t tile_count) {
        batches.clear();
        bins.assign(tile_count, Bin{});
    }

    void append(Arena& arena, uint32_t tile, BinEntry entry) {
        Bin& bin = bins[tile];
        if (bin.last_count == BinChunk::kCapacity) {
            auto* chunk = arena.allocate_array<BinChunk>(1);
            chunk->next = nullptr;
            (bin.first == nullptr ? bin.first : bin.last->next) = chunk;
            bin.last = chunk;
            bin.last_count = 0;
        }
        bin.last->entries[bin.last_count++] = entry;
        ++bin.count;
    }
};

}  // namespace valkyr::raster
