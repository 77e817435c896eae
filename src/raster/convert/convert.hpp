// Tile conversion: declares conversions of rows of tiles, compiled once for each host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

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

/// Writes a row of tiles of a conversion.
using ConvertTiles = void (*)(const LaneConversion& conversion, const TileRow& row) noexcept;

/// The conversion of a host level; of another one where the processor lacks it, with equal bits.
ConvertTiles convert_tiles_of(Host host);

}  // namespace valkyr::raster
