// Loops: declares the rasterizer's hot loops, compiled once for each host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"

#include <cstdint>

namespace valkyr::raster {

/// A primitive that is not culled, and the tiles that its bounding box touches (inclusive).
struct Survivor {
    uint16_t index = 0;  ///< in the list that was culled
    uint8_t needs_clip = 0;
    uint8_t reserved = 0;
    uint8_t tile_x0 = 0, tile_y0 = 0, tile_x1 = 0, tile_y1 = 0;
};

/// One primitive of a tile's bin.
struct TileEntry {
    const Batch* batch = nullptr;
    const PrimitiveRef* primitive = nullptr;
};

/// Bounds of the depth codes that a tile holds, for each of its 16x16 squares in lane order. Codes
/// are below 2^31 in every format.
struct DepthBounds {
    int32_t farthest[16] = {};  ///< no code of the square is greater
    int32_t nearest[16] = {};   ///< no negated code is greater
    uint32_t written[16] = {};  ///< pixels that may have changed since the bounds were found
    uint32_t renew = kRenew;    ///< so many, and looking for them again may pay

    static constexpr uint32_t kRenew = 256;
    static constexpr uint32_t kRenewLate = 16 * kRenew;

    /// All codes are `code`.
    void set(uint32_t code) {
        for (unsigned i = 0; i < 16; ++i) {
            farthest[i] = static_cast<int32_t>(code);
            nearest[i] = -static_cast<int32_t>(code);
            written[i] = 0;
        }
        renew = kRenew;
    }
    /// Nothing is known.
    void forget() {
        for (unsigned i = 0; i < 16; ++i) {
            farthest[i] = nearest[i] = INT32_MAX;
            written[i] = kRenewLate;
        }
        renew = kRenew;
    }
};

/// Counters of one worker.
struct WalkStatistics {
    uint64_t blocks_shaded = 0;
    uint64_t pixels_covered = 0;
    uint64_t invocations = 0;        ///< of fragment shaders, by pixel or by sample
    uint64_t primitives_hidden = 0;  ///< by hierarchical depth, in a tile
    uint64_t samples_tested = 0;     ///< covered samples of draws with DrawRecord::counts_killed
    uint64_t samples_killed = 0;     ///< samples_tested that did not pass
};

/// Primitives of one draw that are walked together.
inline constexpr unsigned kPacketSize = 16;
/// Varying slots of a draw whose small primitives share kernel calls.
inline constexpr unsigned kMaxBatchSlots = 4;

/// State and buffers for the walk of one tile; one object a worker.
struct alignas(64) TileWalk {
    exec::FragmentCall call;  ///< tile position, tile buffers, worker and TLS set by the caller
    uint32_t samples = 1;
    int32_t sample_x[exec::kMaxSamples] = {};  ///< in the pixel, 1/256 pixel
    int32_t sample_y[exec::kMaxSamples] = {};
    WalkStatistics statistics;
    DepthBounds bounds;
    exec::PrimitiveSetup setup;
    exec::PrimitiveSetup setups[kPacketSize];  ///< calls of several primitives
    alignas(64) exec::SlotPlanes batch_planes[kPacketSize][kMaxBatchSlots];
    exec::BlockRef blocks[kTileBlocks];
    uint16_t sample_masks[kTileBlocks * exec::kMaxSamples];
    exec::SlotPlanes planes[2 * exec::kMaxVaryingSlots];
};

struct HostLoops {
    /// Window rows and clip codes of vertices 0..count-1; arrays are padded to whole warps. Returns
    /// the bits that any code has.
    /// numbers  by vertex: the number of its record, padded like the arrays; null: its own
    uint32_t (*window_rows)(const ClipState& clip,
                            const uint8_t* records,
                            uint32_t stride,
                            const uint32_t* numbers,
                            uint32_t count,
                            WindowRow* rows,
                            uint32_t* codes) noexcept;
    /// FMA(t, b - a, a) of the floats of two vertex records of `stride` bytes, a multiple of 16.
    void (*mix_records)(
        const uint8_t* a, const uint8_t* b, float t, uint32_t stride, uint8_t* out) noexcept;
    /// Culls `count` primitives, by facing too if `by_facing`; returns how many survivors were
    /// written, in order.
    /// codes  null: all are 0
    /// primitives  null: those with vertices 3i, 3i + 1 and 3i + 2
    /// quads  as Batch::quads
    uint32_t (*cull)(const ShapeState& shape,
                     const WindowRow* rows,
                     const uint32_t* codes,
                     const PrimitiveRef* primitives,
                     uint32_t count,
                     bool by_facing,
                     bool quads,
                     Survivor* survivors) noexcept;
    /// Applies the rules of thin lines to `count` of them, which lie inside the guard band: their
    /// ends, places and flags (PrimitiveRef::provoking) are set. Returns how many survivors were
    /// written, in order.
    /// lines  whole groups of sixteen; `ends` as given, `place[0]` is added to depths
    uint32_t (*place_lines)(const ShapeState& shape,
                            LineRow* lines,
                            PrimitiveRef* primitives,
                            uint32_t count,
                            Survivor* survivors) noexcept;
    /// Draws up to kPacketSize primitives of one draw into the tile.
    void (*walk)(TileWalk& walk,
                 const DrawRecord& draw,
                 const TileEntry* entries,
                 uint32_t count) noexcept;
};

/// The loops for this processor; `host` other than Auto asks for a lower level, for tests.
const HostLoops& host_loops(Host host);

}  // namespace valkyr::raster
