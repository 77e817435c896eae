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
/// Varying slots that a draw may have if its small primitives share kernel calls.
inline constexpr unsigned kMaxBatchSlots = 4;

/// State and buffers for the walk of one tile; one object a worker.
struct alignas(64) TileWalk {
    exec::FragmentCall call;  ///< tile position, tile buffers, worker and TLS set by the caller
    uint32_t samples = 1;
    int32_t sample_x[exec::kMaxSamples] = {};  ///< sample position in the pixel, 1/256 pixel
    int32_t sample_y[exec::kMaxSamples] = {};
    WalkStatistics statistics;
    DepthBounds bounds;
    exec::PrimitiveSetup setup;
    exec::PrimitiveSetup setups[kPacketSize];  ///< for kernel calls of several primitives
    alignas(64) exec::SlotPlanes batch_planes[kPacketSize][kMaxBatchSlots];
    exec::BlockRef blocks[kTileBlocks];
    uint16_t sample_masks[kTileBlocks * exec::kMaxSamples];
    exec::SlotPlanes planes[2 * exec::kMaxVaryingSlots];
};

/// One channel of a texel format, for conversions of sixteen texels at a time.
struct LaneChannel {
    enum class Kind : uint8_t {
        Absent,
        Unorm,           ///< up to 16 bits
        WideUnorm,       ///< 17 to 24 bits
        Snorm,           ///< up to 16 bits
        Srgb,            ///< 8 bits
        Float,           ///< 32 bits
        DepthFloat,      ///< 32 bits without a sign
        Half,            ///< 16 bits
        SmallFloat,      ///< 11 or 10 bits, without a sign
        SharedExponent,  ///< a fraction of R9G9B9E5
        Uint,
        Sint,
    };
    Kind kind = Kind::Absent;
    uint8_t word = 0;       ///< 32-bit word of the texel that holds the channel
    uint8_t shift = 0;      ///< lowest bit of the channel in that word
    uint8_t bits = 0;       ///< 1..32
    uint8_t component = 0;  ///< component written to the channel, 0 red .. 3 alpha
    float scale = 0;        ///< M of normalised channels (docs/rules/formats.md, Conversions)
    float inverse = 0;      ///< RN(1 / M)
};

/// Channels of a texel format.
struct LaneFormat {
    uint8_t bytes = 0;  ///< bytes of a texel
    uint8_t words = 0;  ///< 32-bit words of a texel; the last one may be partial
    uint8_t channel_count = 0;
    LaneChannel channels[4];
    int8_t source[4] = {};  ///< source channel of each component; -1: constant 0, -2: constant 1
};

/// Source of a destination channel's code when codes are copied without decoding.
struct LaneMove {
    int8_t channel = -1;  ///< source channel; -1: `constant`
    int32_t constant = 0;
};

/// A conversion between two formats: both hold numbers, or both hold integers.
struct LaneConversion {
    LaneFormat from;
    LaneFormat to;
    int32_t one = 0;               ///< bits of 1 in a component of the source format
    bool signed_integers = false;  ///< integers of the source are signed
    bool copies = false;           ///< whole words are copied
    uint32_t masks[4] = {};        ///< bits of each destination word that are written
    bool moves_codes = false;      ///< codes are copied unless there is a filter
    bool moves_averages = false;   ///< codes of averaged samples are copied
    LaneMove moves[4];
    /// Samples of a source texel that are averaged, a power of two, and RN(1 / their number).
    uint32_t samples = 1;
    bool averages_bytes = false;  ///< all channels are bytes and are averaged as integers
    float sample_weight = 1;
    uint32_t sample_bytes = 0;  ///< bytes between samples
};

/// Some columns of a linear filter. It caches source rows (their texels side by side, decoded once
/// if that pays) and these rows mixed along x, for the destination rows that share them.
struct FilterPanel {
    static constexpr uint32_t kTiles = 32;   ///< destination tiles, at most
    static constexpr uint32_t kStrip = 16;   ///< columns that share one window of the source
    static constexpr uint32_t kWindow = 32;  ///< columns of such a window
    static constexpr uint32_t kSlots = 3;    ///< cached rows of tiles; one row needs no more
    static constexpr uint32_t kMixed = 8;    ///< cached mixed rows; one row of tiles needs no more
    static constexpr uint32_t kPlanes = 4;   ///< words of a texel, or channels
    static constexpr uint32_t kNone = ~0U;

    const uint8_t* source = nullptr;   ///< first row of tiles: the tile where the columns begin
    size_t source_stride = 0;          ///< bytes between rows of tiles
    uint32_t source_tiles = 0;         ///< tiles in a row of the source
    uint32_t strips = 0;               ///< strips of the destination
    const int32_t* windows = nullptr;  ///< first column of each strip's window
    const int32_t* columns[2] = {};    ///< left and right texel in the window, by column
    const float* weights = nullptr;    ///< shares of the right texels, by column
    float* texels = nullptr;           ///< source texels by slot, row, plane and column
    uint32_t width = 0;      ///< columns of such a row, with padding behind the last window
    bool decoded = false;    ///< `texels` holds decoded channels, not words
    float* mixed = nullptr;  ///< mixed rows by slot, channel and destination column
    uint32_t held_tiles[kSlots] = {kNone, kNone, kNone};  ///< the row of tiles in each slot
    uint32_t held_rows[kMixed] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    uint32_t rows[2][4] = {};   ///< upper and lower texel of the four rows of the destination
    float row_weights[4] = {};  ///< shares of the lower texels

    /// Floats in `mixed`.
    static constexpr size_t kMixedCount = size_t{kMixed} * kPlanes * kTiles * 4;

    [[nodiscard]] float* row(uint32_t number, uint32_t plane) const {
        const uint32_t slot = number / 4 % kSlots;
        return texels + size_t{width} * (kPlanes * (4 * slot + number % 4) + plane);
    }
    [[nodiscard]] float* mixed_row(uint32_t number, uint32_t channel) const {
        return mixed + size_t{4} * kTiles * (kPlanes * (number % kMixed) + channel);
    }
};

/// A row of 4x4 destination tiles. Lanes are the texels of a tile in lane order.
struct TileRow {
    const uint8_t* source = nullptr;  ///< base of all offsets
    const uint8_t* behind = nullptr;  ///< base in the slice that is mixed in; null: there is none
    float behind_weight = 0;          ///< share of that slice
    const int32_t* across[2] = {};  ///< byte offsets of left and right texel, by lane of each tile
    alignas(64) int32_t down[2][16];  ///< byte offsets of the upper and lower texel, by lane
    /// Shares of the right texels, by lane of each tile; null: only left texels are read.
    const float* across_weights = nullptr;
    alignas(64) float down_weights[16];
    const uint16_t* columns = nullptr;  ///< a lane is written if its bit is set here, by tile ...
    uint16_t rows = 0;                  ///< ... and here
    uint8_t* target = nullptr;          ///< the first tile
    uint32_t target_stride = 0;         ///< bytes between tiles
    uint32_t count = 0;                 ///< tiles
    /// Each texel of the first `halved_count` tiles is the mean of four texels in two tiles of
    /// these rows of tiles: upper, lower. These tiles do not use the offsets.
    const uint8_t* halved[2] = {};
    uint32_t halved_count = 0;
    /// Cache of a linear filter by rows, without mixed slices; null: the filter is computed by
    /// texel. With a panel, the offsets and weights of this row are unused.
    FilterPanel* panel = nullptr;
};

struct HostLoops {
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
    /// Writes a row of tiles of a conversion.
    void (*convert_tiles)(const LaneConversion& conversion, const TileRow& row) noexcept;
};

/// Returns the loops of a host level. Auto: the best level of this processor; tests ask for lower
/// ones.
const HostLoops& host_loops(Host host);

}  // namespace valkyr::raster
