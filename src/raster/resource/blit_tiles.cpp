// Tile blits: tabulate texels and weights for the conversions of 4x4 tiles.
// SPDX-License-Identifier: MIT
#include "raster/resource/blit_tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace valkyr::raster {
namespace {

constexpr unsigned kSide = 4;  ///< texels of a tile's side

/// The source texels of destination texel `at`.
TexelPair source_pair(const BlitAxis& axis, Filter filter, int64_t at) {
    const int64_t i = at - axis.destination;
    if (filter == Filter::Linear)
        return texel_pair(axis, i);
    const uint32_t texel = axis.nearest(i);
    return {texel, texel, 0};
}

/// The tile of the source whose first texel is the first of the four that the first texel of tile
/// `tile` is the mean of, and the next one too; nothing if there are no such tiles.
std::optional<uint32_t> halved_tile(const BlitAxis& axis, uint32_t tile) {
    const int64_t shift = axis.source - 2 * axis.destination;
    if (axis.mirrored || axis.source_size != 2 * axis.size || shift % kSide != 0 ||
        axis.source < 0 || axis.source + axis.source_size > axis.limit)
        return std::nullopt;
    const int64_t first = int64_t{2} * tile + shift / kSide;
    const int64_t tiles = (axis.limit + kSide - 1) / kSide;
    if (first < 0 || first + 1 >= tiles)
        return std::nullopt;
    return static_cast<uint32_t>(first);
}

/// Offsets, weights and lanes by column: all rows of the blit share them.
struct Columns {
    uint32_t first_tile = 0;
    uint32_t count = 0;
    std::vector<int32_t> offsets[2];
    std::vector<float> weights;
    std::vector<uint16_t> lanes;

    Columns(const BlitTexels& from, const TileBlit& blit)
        : first_tile(static_cast<uint32_t>(blit.x0 / kSide))
        , count(static_cast<uint32_t>((blit.x1 - 1) / kSide) - first_tile + 1)
        , lanes(count) {
        for (auto& list : offsets)
            list.resize(size_t{count} * exec::kLanes);
        weights.resize(size_t{count} * exec::kLanes);
        for (uint32_t tile = 0; tile < count; ++tile)
            for (unsigned column = 0; column < kSide; ++column)
                set(tile, column, from, blit);
    }

private:
    void set(uint32_t tile, unsigned column, const BlitTexels& from, const TileBlit& blit) {
        const int64_t x = int64_t{kSide} * (int64_t{first_tile} + tile) + column;
        const bool is_written = x >= blit.x0 && x < blit.x1;
        const TexelPair pair =
            source_pair(blit.x, blit.filter, std::clamp(x, blit.x0, blit.x1 - 1));
        const int32_t first = offset(from, pair.first);
        const int32_t second = offset(from, pair.second);
        for (unsigned y = 0; y < kSide; ++y) {
            const unsigned lane = exec::lane_at(column, y);
            const size_t k = size_t{tile} * exec::kLanes + lane;
            if (is_written)
                lanes[tile] = static_cast<uint16_t>(lanes[tile] | 1U << lane);
            offsets[0][k] = first;
            offsets[1][k] = second;
            weights[k] = static_cast<float>(pair.weight) / 256;
        }
    }
    /// Bytes from the first texel of a row: offsets of x and y add up.
    static int32_t offset(const BlitTexels& texels, uint32_t x) {
        return static_cast<int32_t>(texels.at(x, 0, 0, 0) - texels.at(0, 0, 0, 0));
    }
};

/// Blits one slice, a row of tiles at a time.
class SliceBlit {
public:
    SliceBlit(const HostLoops& ops,
              const LaneConversion& conversion,
              const BlitTexels& from,
              const BlitTexels& to,
              const TileBlit& blit,
              const Columns& columns)
        : ops_(ops)
        , conversion_(conversion)
        , from_(from)
        , to_(to)
        , blit_(blit)
        , columns_(columns) {}

    /// Row of tiles `tile_row` of slice z.
    void run(uint32_t tile_row, uint32_t z) const {
        TileRow row;
        row.across[0] = columns_.offsets[0].data();
        row.across[1] = columns_.offsets[1].data();
        row.across_weights = blit_.filter == Filter::Linear ? columns_.weights.data() : nullptr;
        row.columns = columns_.lanes.data();
        row.count = columns_.count;
        const Filter slice_filter = blit_.mixes_slices ? blit_.filter : Filter::Nearest;
        const TexelPair slices = source_pair(blit_.z, slice_filter, z);
        const uint8_t* base = set_rows(row, tile_row, slices.first);
        const int64_t behind = from_.at(0, 0, slices.second, 0) - from_.at(0, 0, slices.first, 0);
        if (blit_.filter == Filter::Linear && from_.texture.desc().samples == 1)
            set_halves(row, tile_row, slices.first);
        const uint32_t samples = to_.texture.desc().samples;
        const size_t plane = size_t{exec::kLanes} * to_.texture.texel_bytes();
        row.target_stride = static_cast<uint32_t>(samples * plane);
        for (uint32_t s = 0; s < samples; ++s) {
            row.target = to_.at(kSide * columns_.first_tile, kSide * tile_row, z, s);
            row.source = base + (from_.texture.desc().samples > 1
                                     ? s * exec::kLanes * from_.texture.texel_bytes()
                                     : 0);
            if (slices.weight != 0) {
                row.behind = row.source + behind;
                row.behind_weight = static_cast<float>(slices.weight) / 256;
            }
            ops_.convert_tiles(conversion_, row);
        }
    }

private:
    /// Finds the tiles whose texels are means of four.
    void set_halves(TileRow& row, uint32_t tile_row, uint32_t slice) const {
        const auto column = halved_tile(blit_.x, columns_.first_tile);
        const auto line = halved_tile(blit_.y, tile_row);
        if (!column || !line || !std::has_single_bit(from_.texture.texel_bytes()))
            return;
        for (uint32_t k = 0; k < 2; ++k)
            row.halved[k] = from_.at(kSide * *column, kSide * (*line + k), slice, 0);
        const uint32_t tiles = (static_cast<uint32_t>(blit_.x.limit) + kSide - 1) / kSide;
        row.halved_count = std::min(columns_.count, (tiles - *column) / 2);
    }

    /// Fills in what belongs to rows; the place that offsets count from.
    const uint8_t* set_rows(TileRow& row, uint32_t tile_row, uint32_t slice) const {
        std::array<std::array<const uint8_t*, kSide>, 2> texels;
        std::array<float, kSide> weights;
        for (unsigned k = 0; k < kSide; ++k) {
            const int64_t y = int64_t{kSide} * tile_row + k;
            if (y >= blit_.y0 && y < blit_.y1)
                for (unsigned x = 0; x < kSide; ++x)
                    row.rows = static_cast<uint16_t>(row.rows | 1U << exec::lane_at(x, k));
            const TexelPair pair =
                source_pair(blit_.y, blit_.filter, std::clamp(y, blit_.y0, blit_.y1 - 1));
            texels[0][k] = from_.at(0, pair.first, slice, 0);
            texels[1][k] = from_.at(0, pair.second, slice, 0);
            weights[k] = static_cast<float>(pair.weight) / 256;
        }
        const uint8_t* base = std::min(*std::min_element(texels[0].begin(), texels[0].end()),
                                       *std::min_element(texels[1].begin(), texels[1].end()));
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            const unsigned k = exec::lane_y(lane);
            for (unsigned t = 0; t < 2; ++t)
                row.down[t][lane] = static_cast<int32_t>(texels[t][k] - base);
            row.down_weights[lane] = weights[k];
        }
        return base;
    }

    const HostLoops& ops_;
    const LaneConversion& conversion_;
    const BlitTexels& from_;
    const BlitTexels& to_;
    const TileBlit& blit_;
    const Columns& columns_;
};

}  // namespace

Result<void> blit_tiles(const HostLoops& ops,
                        const LaneConversion& conversion,
                        const BlitTexels& from,
                        const BlitTexels& to,
                        const TileBlit& blit,
                        const RowRunner& run) {
    const exec::TextureLevel& source = from.texture.level(from.level);
    if (source.slice_bytes > size_t{std::numeric_limits<int32_t>::max()})
        return Error{Errc::OutOfRange, {}, "a slice of more than 2 GiB"};
    const Columns columns(from, blit);
    const SliceBlit slice(ops, conversion, from, to, blit, columns);
    const auto first = static_cast<uint32_t>(blit.y0 / kSide);
    const uint32_t rows = static_cast<uint32_t>((blit.y1 - 1) / kSide) - first + 1;
    const auto first_slice = static_cast<uint32_t>(blit.z.destination);
    const uint32_t all = rows * static_cast<uint32_t>(blit.z.size);
    return run(all, [&](uint32_t begin, uint32_t end) {
        for (uint32_t i = begin; i < end && !is_cancelled(to.texture.owner()); ++i)
            slice.run(first + i % rows, first_slice + i / rows);
    });
}

}  // namespace valkyr::raster
