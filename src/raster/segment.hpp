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
    uint16_t last_count = BinChunk::kCapacity;  ///< used entries of `last`
    bool covered = false;  ///< the first entry replaces all colours of the tile
};

/// The bins of one segment, a contiguous range of the pass's primitives, filled by one worker.
struct Segment {
    std::vector<Batch> batches;
    std::vector<Bin> bins;  ///< by tile
    bool lasting = false;   ///< some draw must be executed even if its colours are hidden

    void reset(uint32_t tile_count) {
        batches.clear();
        lasting = false;
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

    /// Drops what is in the tile's bin: the next entry hides it. Does nothing if some of it may do
    /// more than colours.
    void cover(uint32_t tile) {
        if (lasting)
            return;
        Bin& bin = bins[tile];
        bin.covered = true;
        bin.count = 0;
        bin.last = bin.first;
        bin.last_count = bin.first == nullptr ? BinChunk::kCapacity : uint16_t{0};
    }
};

}  // namespace valkyr::raster
