// Segments: keep the batches and bins of one worker's share of the front end.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/prefetch.hpp"
#include "raster/data/batch.hpp"
#include "raster/support/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace valkyr::raster {

/// The primitives of one segment that touch one tile, in API order.
struct Bin {
    BinChunk* first = nullptr;
    BinEntry* at = nullptr;   ///< place of the next entry in the last chunk
    BinEntry* end = nullptr;  ///< end of the last chunk
    uint32_t chunks = 0;
    bool covered = false;  ///< the first entry replaces all colours of the tile

    [[nodiscard]] uint32_t count() const {
        return chunks * BinChunk::kCapacity - static_cast<uint32_t>(end - at);
    }
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
        if (bin.at == bin.end)
            add_chunk(arena, bin);
        *bin.at++ = entry;
    }

    /// Empties the tile's bin, because the next entry hides all of it. Does nothing if the segment
    /// has entries with effects besides colours.
    void cover(uint32_t tile) {
        if (lasting)
            return;
        Bin& bin = bins[tile];
        bin.covered = true;
        if (bin.first != nullptr) {
            bin.chunks = 1;
            bin.at = bin.first->entries;
            bin.end = bin.at + BinChunk::kCapacity;
        }
    }

private:
    static void add_chunk(Arena& arena, Bin& bin) {
        auto* chunk = arena.allocate_array<BinChunk>(1);
        chunk->next = nullptr;
        if (bin.first == nullptr)
            bin.first = chunk;
        else
            append_chunk(bin, chunk);
        bin.at = chunk->entries;
        bin.end = chunk->entries + BinChunk::kCapacity;
        ++bin.chunks;
    }
    static void append_chunk(const Bin& bin, BinChunk* chunk) {
        chunk_of(bin.end)->next = chunk;
        // A long bin will be longer still: lines come while entries are written to the first one.
        for (size_t at = kCacheLine; at < sizeof(BinChunk); at += kCacheLine)
            prefetch_to_write(chunk, at);
    }
    /// Returns the chunk whose entries end at `end`.
    static BinChunk* chunk_of(BinEntry* end) {
        static_assert(std::is_standard_layout_v<BinChunk> && offsetof(BinChunk, entries) == 0);
        return reinterpret_cast<BinChunk*>(end - BinChunk::kCapacity);
    }
};

}  // namespace valkyr::raster
