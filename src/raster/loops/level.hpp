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

/// One channel of a texel in conversions of sixteen texels at a time.
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
    uint8_t word = 0;       ///< 32-bit word of the texel that holds it
    uint8_t shift = 0;      ///< its lowest bit there
    uint8_t bits = 0;       ///< 1..32
    uint8_t component = 0;  ///< 0 red .. 3 alpha: what is written to it
    float scale = 0;        ///< M of normalised channels (docs/rules/formats.md, Conversions)
    float inverse = 0;      ///< RN(1 / M)
};

/// A texel as its channels.
struct LaneFormat {
    uint8_t bytes = 0;  ///< of a texel
    uint8_t words = 0;  ///< 32-bit words of a texel, the last one maybe cut
    uint8_t channel_count = 0;
    LaneChannel channels[4];
    int8_t source[4] = {};  ///< channel that a component is read from, -1: 0, -2: 1
};

/// The source of a channel's code if codes go over as they are.
struct LaneMove {
    int8_t channel = -1;  ///< of the source; -1: the constant
    int32_t constant = 0;
};

/// A conversion between two formats, both of numbers or both of integers.
struct LaneConversion {
    LaneFormat from;
    LaneFormat to;
    int32_t one = 0;               ///< bits of 1 as a component of the source
    bool signed_integers = false;  ///< what integers of the source are
    bool copies = false;           ///< words go over as they are
    uint32_t masks[4] = {};        ///< bits that are written of each word
    bool moves_codes = false;      ///< without a filter: channels are alike
    bool moves_averages = false;   ///< the same of averages, which have the codes of encoding
    LaneMove moves[4];
    /// Samples of a source texel that are averaged, a power of two, and RN(1 / their number).
    uint32_t samples = 1;
    bool averages_bytes = false;  ///< all channels are bytes, which are averaged as such
    float sample_weight = 1;
    uint32_t sample_bytes = 0;  ///< between samples
};

/// Some columns of a linear filter. It keeps what its rows have in common: rows of the source,
/// whose texels are put side by side and maybe decoded once, and these rows mixed along x.
struct FilterPanel {
    static constexpr uint32_t kTiles = 32;   ///< of the destination, at the most
    static constexpr uint32_t kStrip = 16;   ///< columns that take from a window of the source ...
    static constexpr uint32_t kWindow = 32;  ///< ... of so many
    static constexpr uint32_t kSlots = 3;    ///< rows of tiles that are kept, as many as are needed
    static constexpr uint32_t kMixed = 8;    ///< mixed rows that are kept, as many as are needed
    static constexpr uint32_t kPlanes = 4;   ///< words of a texel, or channels
    static constexpr uint32_t kNone = ~0U;

    const uint8_t* source = nullptr;   ///< the columns' first tile in the first row of tiles
    size_t source_stride = 0;          ///< bytes between rows of tiles
    uint32_t source_tiles = 0;         ///< of a row
    uint32_t strips = 0;               ///< of the destination
    const int32_t* windows = nullptr;  ///< first column of each strip's window
    const int32_t* columns[2] = {};    ///< left and right texel in the window, by column
    const float* weights = nullptr;    ///< shares of the right texels, by column
    float* texels = nullptr;           ///< by slot, row, plane and column of the source
    uint32_t width = 0;                ///< columns of such a row, with those behind the last window
    bool decoded = false;              ///< texels are numbers of channels, not words
    float* mixed = nullptr;            ///< by slot, channel and column of the destination
    uint32_t held_tiles[kSlots] = {kNone, kNone, kNone};  ///< the row of tiles in each slot
    uint32_t held_rows[kMixed] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    uint32_t rows[2][4] = {};   ///< upper and lower texel of the four rows of the destination
    float row_weights[4] = {};  ///< shares of the lower texels

    /// Numbers of `mixed`.
    static constexpr size_t kMixedCount = size_t{kMixed} * kPlanes * kTiles * 4;

    [[nodiscard]] float* row(uint32_t number, uint32_t plane) const {
        const uint32_t slot = number / 4 % kSlots;
        return texels + size_t{width} * (kPlanes * (4 * slot + number % 4) + plane);
    }
    [[nodiscard]] float* mixed_row(uint32_t number, uint32_t channel) const {
        return mixed + size_t{4} * kTiles * (kPlanes * (number % kMixed) + channel);
    }
};

/// A row of 4x4 tiles of the destination. Lanes are the texels of a tile in lane order.
struct TileRow {
    const uint8_t* source = nullptr;  ///< what offsets count from
    const uint8_t* behind = nullptr;  ///< the same in the slice that is mixed in; null: none is
    float behind_weight = 0;          ///< its share
    const int32_t* across[2] = {};    ///< bytes, left and right texel, by lane of each tile
    alignas(64) int32_t down[2][16];  ///< the same of the upper and the lower texel, by lane
    /// Shares of the right texels, by lane of each tile; null: the left ones only.
    const float* across_weights = nullptr;
    alignas(64) float down_weights[16];
    const uint16_t* columns = nullptr;  ///< lanes of each tile that are written ...
    uint16_t rows = 0;                  ///< ... if they are here, too
    uint8_t* target = nullptr;          ///< the first tile
    uint32_t target_stride = 0;         ///< bytes between tiles
    uint32_t count = 0;                 ///< tiles
    /// Each texel of the first `halved_count` tiles is the mean of four that lie in two tiles of
    /// these rows of tiles: upper, lower. Offsets are not read for them.
    const uint8_t* halved[2] = {};
    uint32_t halved_count = 0;
    /// A linear filter without mixed slices that is computed by rows; null: it is not. Offsets and
    /// weights of this row are not read then.
    FilterPanel* panel = nullptr;
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
    /// Writes a row of tiles of a conversion.
    void (*convert_tiles)(const LaneConversion& conversion, const TileRow& row) noexcept;
};

/// The loops for this processor; `host` other than Auto asks for a lower level, for tests.
const HostLoops& host_loops(Host host);

}  // namespace valkyr::raster
