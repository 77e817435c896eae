// Tile conversion: declares conversions of rows of tiles, compiled once for each host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

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

/// Converts a row of tiles.
using ConvertTiles = void (*)(const LaneConversion& conversion, const TileRow& row) noexcept;

/// Returns the conversion of a host level, or of a lower one if the processor lacks that level. All
/// levels give equal bits. Auto: the best level of this processor.
ConvertTiles convert_tiles_of(Host host);

}  // namespace valkyr::raster
