// The rasterizer's hot loops, compiled once for each host level and chosen when a device is made.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/batch.hpp"
#include "raster/draw_record.hpp"
#include "valhall/isa/exec_abi.hpp"

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

/// Counters of one worker.
struct WalkStatistics {
    uint64_t blocks_shaded = 0;
    uint64_t pixels_covered = 0;
};

/// What the walk of one tile needs; one object a worker, all buffers inside.
struct alignas(64) TileWalk {
    exec::FragmentCall call;  ///< tile position, tile buffers, worker and TLS set by the caller
    uint32_t samples = 1;
    int32_t sample_x[exec::kMaxSamples] = {};  ///< in the pixel, 1/256 pixel
    int32_t sample_y[exec::kMaxSamples] = {};
    WalkStatistics statistics;
    exec::PrimitiveSetup setup;
    exec::BlockRef blocks[kTileBlocks];
    uint16_t sample_masks[kTileBlocks * exec::kMaxSamples];
    exec::SlotPlanes planes[exec::kMaxVaryingSlots];
};

inline constexpr unsigned kRunLength = 16;

struct LevelOps {
    /// Window rows and clip codes of vertices 0..count-1; arrays are padded to whole warps.
    void (*window_rows)(const ClipState& clip,
                        const uint8_t* records,
                        uint32_t stride,
                        uint32_t count,
                        WindowRow* rows,
                        uint32_t* codes) noexcept;
    /// Culls `count` primitives, by facing too if `by_facing`; returns how many survivors were
    /// written, in order.
    uint32_t (*cull)(const DrawRecord& draw,
                     const WindowRow* rows,
                     const uint32_t* codes,
                     const PrimitiveRef* primitives,
                     uint32_t count,
                     bool by_facing,
                     Survivor* survivors) noexcept;
    /// Draws up to kRunLength primitives of one draw into the tile.
    void (*walk)(TileWalk& walk,
                 const DrawRecord& draw,
                 const TileEntry* entries,
                 uint32_t count) noexcept;
};

/// The loops for this processor; `host` other than Auto asks for a lower level, for tests.
const LevelOps& level_ops(Host host);

}  // namespace valkyr::raster
