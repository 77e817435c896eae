// Loops: declares the rasterizer's hot loops, compiled once for each host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"

#include <cstdint>

namespace valkyr::raster {

/// A primitive that survived culling, and the range of tiles that its bounding box touches.
struct Survivor {
    uint16_t index = 0;  ///< place in the culled list
    uint8_t needs_clip = 0;
    uint8_t reserved = 0;
    uint8_t tile_x0 = 0, tile_y0 = 0, tile_x1 = 0, tile_y1 = 0;
};

/// One primitive of a tile's bin.
struct TileEntry {
    const Batch* batch = nullptr;
    const PrimitiveRef* primitive = nullptr;
};

/// Bounds of the depth codes that a tile holds, one pair for each of its 16x16 squares in lane
/// order. Codes are below 2^31 in every format.
struct DepthBounds {
    int32_t farthest[16] = {};  ///< largest code of the square, or more
    int32_t nearest[16] = {};   ///< largest negated code, or more
    uint32_t written[16] = {};  ///< pixels that may have changed since the bounds were computed
    uint32_t renew = kRenew;    ///< `written` count from which computing the bounds again may pay

    static constexpr uint32_t kRenew = 256;
    static constexpr uint32_t kRenewLate = 16 * kRenew;

    /// Sets the bounds of a tile whose codes are all `code`.
    void set(uint32_t code) {
        for (unsigned i = 0; i < 16; ++i) {
            farthest[i] = static_cast<int32_t>(code);
            nearest[i] = -static_cast<int32_t>(code);
            written[i] = 0;
        }
        renew = kRenew;
    }
    /// Sets the bounds to unknown: no primitive is hidden until they are computed again.
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
    uint64_t invocations = 0;        ///< fragment shader invocations, by pixel or by sample
    uint64_t primitives_hidden = 0;  ///< skipped by hierarchical depth, counted per tile
    uint64_t samples_tested = 0;     ///< covered samples of draws with DrawRecord::counts_killed
    uint64_t samples_killed = 0;     ///< those samples_tested that failed
};

/// Largest number of primitives of one draw that one walk() call takes.
inline constexpr unsigned kPacketSize = 16;
/// Most warps of packed quads in a call: all are full, except one a primitive of each 64 blocks.
inline constexpr unsigned kMaxQuadWarps = exec::kTileQuads / 4 + kTileBlocks / 64 * kPacketSize;

/// State and buffers for the walk of one tile; one object a worker.
struct alignas(64) TileWalk {
    TileWalk() {
        for (exec::BatchPrimitive& primitive : batch)
            primitive.setup.slots = primitive.planes;
    }
    TileWalk(const TileWalk&) = delete;
    TileWalk& operator=(const TileWalk&) = delete;

    exec::FragmentCall call;  ///< tile position, tile buffers, worker and TLS set by the caller
    uint32_t samples = 1;
    int32_t sample_x[exec::kMaxSamples] = {};  ///< sample position in the pixel, 1/256 pixel
    int32_t sample_y[exec::kMaxSamples] = {};
    WalkStatistics statistics;
    DepthBounds bounds;
    exec::PrimitiveSetup setup;
    exec::BatchPrimitive batch[kPacketSize];  ///< for kernel calls of several primitives
    exec::BlockRef blocks[kTileBlocks];
    exec::QuadWarp quad_warps[kMaxQuadWarps];
    uint16_t sample_masks[kTileBlocks * exec::kMaxSamples];
    exec::SlotPlanes planes[2 * exec::kMaxVaryingSlots];
};

struct HostLoops {
    /// A result of cull_lines().
    static constexpr uint32_t kFarLine = ~0U;

    /// Computes window rows and clip codes of vertices 0..count-1; arrays are padded to whole
    /// warps. Returns the OR of all codes.
    /// numbers  record number of each vertex, padded like the arrays; null: the vertex number
    uint32_t (*window_rows)(const ClipState& clip,
                            const uint8_t* records,
                            uint32_t stride,
                            const uint32_t* numbers,
                            uint32_t count,
                            WindowRow* rows,
                            uint32_t* codes) noexcept;
    /// Computes FMA(t, b - a, a) of the floats of two vertex records of `stride` bytes, a multiple
    /// of 16.
    void (*mix_records)(
        const uint8_t* a, const uint8_t* b, float t, uint32_t stride, uint8_t* out) noexcept;
    /// Culls `count` primitives, by facing too if `by_facing`; returns the number of survivors.
    /// They are written in order.
    /// codes  null: all are 0
    /// primitives  null: primitive i has vertices 3i, 3i + 1 and 3i + 2
    /// quads  meaning of Batch::quads
    /// survivors  room for `count`, rounded up to whole groups of sixteen
    uint32_t (*cull)(const ShapeState& shape,
                     const WindowRow* rows,
                     const uint32_t* codes,
                     const PrimitiveRef* primitives,
                     uint32_t count,
                     bool by_facing,
                     bool quads,
                     Survivor* survivors) noexcept;
    /// Applies the rules of thin lines to `count` lines inside the guard band: sets their ends,
    /// places and flags (PrimitiveRef::provoking). Returns the number of survivors, which are
    /// written in order.
    /// lines  whole groups of sixteen; `ends` is input, `place[0]` is added to depths
    /// survivors  as many
    uint32_t (*place_lines)(const ShapeState& shape,
                            LineRow* lines,
                            PrimitiveRef* primitives,
                            uint32_t count,
                            Survivor* survivors) noexcept;
    /// Does the same for lines between vertices of a batch, and writes nothing but survivors; no
    /// depth is added. Returns kFarLine, and survivors are not valid, if an end lies further from
    /// the origin than `reach` in x or y.
    /// primitives  Batch::plain_lines
    /// reach  1/256 pixel
    /// survivors  as for cull()
    uint32_t (*cull_lines)(const ShapeState& shape,
                           const WindowRow* rows,
                           const PrimitiveRef* primitives,
                           uint32_t count,
                           int32_t reach,
                           Survivor* survivors) noexcept;
    /// Draws up to kPacketSize primitives of one draw into the tile.
    void (*walk)(TileWalk& walk,
                 const DrawRecord& draw,
                 const TileEntry* entries,
                 uint32_t count) noexcept;
};

/// Returns the loops of a host level. Auto: the best level of this processor; tests ask for lower
/// ones.
const HostLoops& host_loops(Host host);

}  // namespace valkyr::raster
