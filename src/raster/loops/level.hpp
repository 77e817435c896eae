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

/// Source of each byte of a destination texel, in blits of 8-bit channels.
struct ByteMap {
    static constexpr int8_t kConstant = -1;
    uint32_t target_bytes = 0;  ///< 1..4, of a texel
    int8_t source[4] = {};      ///< byte of the source texel, or kConstant
    uint8_t constant[4] = {};   ///< 0 or 255
    uint32_t mask = 0;          ///< bits of the destination texel that are written
};

/// A row of such a blit. Source arrays are padded to whole multiples of 16 destination texels.
struct ByteRow {
    const uint8_t* rows[2] = {};     ///< the first texels of the two source rows
    const int32_t* offsets[2] = {};  ///< bytes from there to the left and the right texel
    const float* weights = nullptr;  ///< right texels' share; null: nearest, the left one
    float row_weight = 0;            ///< weight of the second row
    uint8_t* target = nullptr;
    const int32_t* target_offsets = nullptr;
    uint32_t count = 0;
};

struct LevelOps {
    /// Window rows and clip codes of vertices 0..count-1; arrays are padded to whole warps. Returns
    /// the bits that any code has.
    uint32_t (*window_rows)(const ClipState& clip,
                            const uint8_t* records,
                            uint32_t stride,
                            uint32_t count,
                            WindowRow* rows,
                            uint32_t* codes) noexcept;
    /// Culls `count` primitives, by facing too if `by_facing`; returns how many survivors were
    /// written, in order.
    /// codes  null: all are 0
    /// primitives  null: those with vertices 3i, 3i + 1 and 3i + 2
    uint32_t (*cull)(const DrawRecord& draw,
                     const WindowRow* rows,
                     const uint32_t* codes,
                     const PrimitiveRef* primitives,
                     uint32_t count,
                     bool by_facing,
                     Survivor* survivors) noexcept;
    /// Draws up to kPacketSize primitives of one draw into the tile.
    void (*walk)(TileWalk& walk,
                 const DrawRecord& draw,
                 const TileEntry* entries,
                 uint32_t count) noexcept;
    /// Writes one row of a blit.
    void (*blit_row)(const ByteMap& map, const ByteRow& row) noexcept;
};

/// The loops for this processor; `host` other than Auto asks for a lower level, for tests.
const LevelOps& level_ops(Host host);

}  // namespace valkyr::raster
