// Tile blits: tabulate texels and weights for the conversions of 4x4 tiles.
// SPDX-License-Identifier: MIT
#include "raster/resource/blit_tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace valkyr::raster {
namespace {

/// Returns the source texels of destination texel `at`.
TexelPair source_pair(const BlitAxis& axis, Filter filter, int64_t at) {
    const int64_t i = at - axis.destination;
    if (filter == Filter::Linear)
        return texel_pair(axis, i);
    const uint32_t texel = axis.nearest(i);
    return {texel, texel, 0};
}

/// Returns the first of the two source tiles that a destination tile averages in this direction;
/// nothing if the blit does not halve exactly or these tiles do not exist.
std::optional<uint32_t> halved_tile(const BlitAxis& axis, uint32_t tile) {
    const int64_t shift = axis.source - 2 * axis.destination;
    if (axis.mirrored || axis.source_size != 2 * axis.size || shift % kTileSide != 0 ||
        axis.source < 0 || axis.source + axis.source_size > axis.limit)
        return std::nullopt;
    const int64_t first = int64_t{2} * tile + shift / kTileSide;
    const int64_t tiles = (axis.limit + kTileSide - 1) / kTileSide;
    if (first < 0 || first + 1 >= tiles)
        return std::nullopt;
    return static_cast<uint32_t>(first);
}

/// Offsets, weights and lanes by column; all rows of the blit share them.
struct Columns {
    uint32_t first_tile = 0;
    uint32_t count = 0;
    std::vector<int32_t> offsets[2];
    std::vector<float> weights;
    std::vector<uint16_t> lanes;

    Columns(const BlitTexels& from, const TileBlit& blit)
        : first_tile(static_cast<uint32_t>(blit.x0 / kTileSide))
        , count(static_cast<uint32_t>((blit.x1 - 1) / kTileSide) - first_tile + 1)
        , lanes(count) {
        for (auto& list : offsets)
            list.resize(size_t{count} * exec::kLanes);
        weights.resize(size_t{count} * exec::kLanes);
        for (uint32_t tile = 0; tile < count; ++tile)
            for (unsigned column = 0; column < kTileSide; ++column)
                set(tile, column, from, blit);
    }

private:
    void set(uint32_t tile, unsigned column, const BlitTexels& from, const TileBlit& blit) {
        const int64_t x = int64_t{kTileSide} * (int64_t{first_tile} + tile) + column;
        const bool is_written = x >= blit.x0 && x < blit.x1;
        const TexelPair pair =
            source_pair(blit.x, blit.filter, std::clamp(x, blit.x0, blit.x1 - 1));
        const int32_t first = offset(from, pair.first);
        const int32_t second = offset(from, pair.second);
        for (unsigned y = 0; y < kTileSide; ++y) {
            const unsigned lane = exec::lane_at(column, y);
            const size_t k = size_t{tile} * exec::kLanes + lane;
            if (is_written)
                lanes[tile] = static_cast<uint16_t>(lanes[tile] | 1U << lane);
            offsets[0][k] = first;
            offsets[1][k] = second;
            weights[k] = static_cast<float>(pair.weight) / 256;
        }
    }
    /// Returns the byte offset of column x from the first texel of a row: offsets of x and y are
    /// added.
    static int32_t offset(const BlitTexels& texels, uint32_t x) {
        return static_cast<int32_t>(texels.at(x, 0, 0, 0) - texels.at(0, 0, 0, 0));
    }
};

/// The tables of a linear filter by rows, for panels of some columns each.
class FilterTables {
public:
    /// Returns nothing if the source texels exceed a window or the cached rows, or if texels are
    /// the mean of four, which is cheaper without tables.
    static std::optional<FilterTables>
    make(const BlitTexels& from, const TileBlit& blit, const Columns& columns) {
        // Source rows of a row of tiles: three steps of at most two texels, and the lower texel.
        const bool keeps = blit.y.source_size <= 2 * blit.y.size;
        if (blit.filter != Filter::Linear || !keeps || from.texture.desc().samples != 1 ||
            !std::has_single_bit(from.texture.texel_bytes()) ||
            (blit.mixes_slices && blit.z.scaled()) ||
            (halved_tile(blit.x, columns.first_tile) && blit.y.source_size == 2 * blit.y.size))
            return std::nullopt;
        FilterTables tables(blit, columns);
        if (!tables.fits_)
            return std::nullopt;
        return tables;
    }

    struct Panel {
        uint32_t first_tile = 0;  ///< first tile of the destination's columns
        uint32_t count = 0;
        uint32_t source_tile = 0;
        uint32_t source_tiles = 0;
    };
    [[nodiscard]] const std::vector<Panel>& panels() const { return panels_; }
    /// Returns the words or numbers of texels that the largest panel caches.
    [[nodiscard]] size_t texel_count() const {
        return size_t{width_} * FilterPanel::kSlots * kTileSide * FilterPanel::kPlanes;
    }
    /// Returns the data that all rows of a panel share. `memory` has room for texel_count() numbers
    /// and, behind them, FilterPanel::kMixedCount.
    [[nodiscard]] FilterPanel start(const Panel& panel, float* memory) const {
        FilterPanel made;
        made.texels = memory;
        made.mixed = memory + texel_count();
        made.source_tiles = panel.source_tiles;
        made.strips = (panel.count * kTileSide + FilterPanel::kStrip - 1) / FilterPanel::kStrip;
        made.windows = windows_.data() + size_t{panel.first_tile} * kTileSide / FilterPanel::kStrip;
        for (uint32_t k = 0; k < 2; ++k)
            made.columns[k] = columns_[k].data() + size_t{panel.first_tile} * kTileSide;
        made.weights = weights_.data() + size_t{panel.first_tile} * kTileSide;
        made.width = width_;
        return made;
    }

private:
    FilterTables(const TileBlit& blit, const Columns& columns) {
        const uint32_t strips =
            (columns.count * kTileSide + FilterPanel::kStrip - 1) / FilterPanel::kStrip;
        for (auto& list : columns_)
            list.resize(size_t{strips} * FilterPanel::kStrip);
        weights_.resize(size_t{strips} * FilterPanel::kStrip);
        windows_.resize(strips);
        for (uint32_t first = 0; first < columns.count; first += FilterPanel::kTiles)
            add_panel({first, std::min(FilterPanel::kTiles, columns.count - first)}, blit,
                      columns.first_tile);
    }

    void add_panel(Panel panel, const TileBlit& blit, uint32_t first_tile) {
        constexpr uint32_t kStrip = FilterPanel::kStrip;
        const uint32_t begin = panel.first_tile * kTileSide;
        const uint32_t end = (begin + panel.count * kTileSide + kStrip - 1) / kStrip * kStrip;
        uint32_t lowest = ~0U;
        uint32_t highest = 0;
        for (uint32_t i = begin; i < end; ++i) {
            const int64_t x = int64_t{kTileSide} * first_tile + i;
            const TexelPair pair =
                source_pair(blit.x, blit.filter, std::clamp(x, blit.x0, blit.x1 - 1));
            columns_[0][i] = static_cast<int32_t>(pair.first);
            columns_[1][i] = static_cast<int32_t>(pair.second);
            weights_[i] = static_cast<float>(pair.weight) / 256;
            lowest = std::min({lowest, pair.first, pair.second});
            highest = std::max({highest, pair.first, pair.second});
        }
        panel.source_tile = lowest / kTileSide;
        panel.source_tiles = highest / kTileSide - panel.source_tile + 1;
        for (uint32_t i = begin; i < end; i += kStrip)
            set_window(i, kTileSide * panel.source_tile);
        // Tiles are decoded in groups of four, and the last window may begin in the last tile.
        const uint32_t width = (panel.source_tiles + 3) / 4 * kStrip + FilterPanel::kWindow;
        width_ = std::max(width_, width);
        panels_.push_back(panel);
    }

    /// Converts the columns of a strip to places in its window.
    void set_window(uint32_t begin, uint32_t first_column) {
        int32_t lowest = columns_[0][begin];
        int32_t highest = lowest;
        for (const auto& list : columns_)
            for (uint32_t i = begin; i < begin + FilterPanel::kStrip; ++i) {
                lowest = std::min(lowest, list[i]);
                highest = std::max(highest, list[i]);
            }
        fits_ = fits_ && highest - lowest < static_cast<int32_t>(FilterPanel::kWindow);
        windows_[begin / FilterPanel::kStrip] = lowest - static_cast<int32_t>(first_column);
        for (auto& list : columns_)
            for (uint32_t i = begin; i < begin + FilterPanel::kStrip; ++i)
                list[i] -= lowest;
    }

    std::vector<Panel> panels_;
    std::vector<int32_t> windows_;
    std::vector<int32_t> columns_[2];
    std::vector<float> weights_;
    uint32_t width_ = 0;
    bool fits_ = true;
};

/// Source texels of the four texel rows in a row of tiles.
struct RowPairs {
    TexelPair texels[kTileSide];
    uint16_t lanes = 0;  ///< lanes that are written

    RowPairs(const TileBlit& blit, uint32_t tile_row) {
        for (unsigned k = 0; k < kTileSide; ++k) {
            const int64_t y = int64_t{kTileSide} * tile_row + k;
            if (y >= blit.y0 && y < blit.y1)
                for (unsigned x = 0; x < kTileSide; ++x)
                    lanes = static_cast<uint16_t>(lanes | 1U << exec::lane_at(x, k));
            texels[k] = source_pair(blit.y, blit.filter, std::clamp(y, blit.y0, blit.y1 - 1));
        }
    }
};

struct alignas(64) CacheLine {
    float numbers[16];
};

/// Blits one slice, row of tiles by row of tiles.
class SliceBlit {
public:
    SliceBlit(ConvertTiles convert,
              const LaneConversion& conversion,
              const BlitTexels& from,
              const BlitTexels& to,
              const TileBlit& blit,
              const Columns& columns)
        : convert_(convert)
        , conversion_(conversion)
        , from_(from)
        , to_(to)
        , blit_(blit)
        , columns_(columns) {}

    /// Blits row of tiles `tile_row` of slice z.
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
            row.target = to_.at(kTileSide * columns_.first_tile, kTileSide * tile_row, z, s);
            row.source = base + (from_.texture.desc().samples > 1
                                     ? s * exec::kLanes * from_.texture.texel_bytes()
                                     : 0);
            if (slices.weight != 0) {
                row.behind = row.source + behind;
                row.behind_weight = static_cast<float>(slices.weight) / 256;
            }
            convert_(conversion_, row);
        }
    }

    /// Blits rows of tiles [first_row, end) of all slices, numbered consecutively, by panels.
    void run_filtered(const FilterTables& tables,
                      uint32_t first_row,
                      uint32_t rows,
                      uint32_t first_slice,
                      uint32_t begin,
                      uint32_t end) const {
        const auto memory = std::make_unique_for_overwrite<CacheLine[]>(
            (tables.texel_count() + FilterPanel::kMixedCount) / std::size(CacheLine{}.numbers));
        std::vector<RowPairs> pairs;
        for (uint32_t i = begin; i < end; ++i)
            pairs.emplace_back(blit_, first_row + i % rows);
        for (const FilterTables::Panel& plan : tables.panels()) {
            uint32_t slice = ~0U;
            FilterPanel panel;
            for (uint32_t i = begin; i < end && !is_cancelled(to_.texture.owner()); ++i) {
                const uint32_t z = first_slice + i / rows;
                if (z != slice)
                    panel = start_panel(tables, plan, memory[0].numbers, z);
                slice = z;
                run_panel(panel, plan, pairs[i - begin], first_row + i % rows, z);
            }
        }
    }

private:
    [[nodiscard]] FilterPanel start_panel(const FilterTables& tables,
                                          const FilterTables::Panel& plan,
                                          float* memory,
                                          uint32_t z) const {
        FilterPanel panel = tables.start(plan, memory);
        // sRGB channels are decoded once, because their table look-ups are slow.
        for (uint32_t c = 0; c < conversion_.from.channel_count; ++c)
            panel.decoded |= conversion_.from.channels[c].kind == LaneChannel::Kind::Srgb;
        const uint32_t slice = source_pair(blit_.z, Filter::Nearest, z).first;
        panel.source = from_.at(kTileSide * plan.source_tile, 0, slice, 0);
        panel.source_stride =
            static_cast<size_t>(from_.at(0, kTileSide, slice, 0) - from_.at(0, 0, slice, 0));
        return panel;
    }

    void run_panel(FilterPanel& panel,
                   const FilterTables::Panel& plan,
                   const RowPairs& pairs,
                   uint32_t tile_row,
                   uint32_t z) const {
        TileRow row;
        row.panel = &panel;
        row.columns = columns_.lanes.data() + plan.first_tile;
        row.rows = pairs.lanes;
        row.count = plan.count;
        for (unsigned k = 0; k < kTileSide; ++k) {
            panel.rows[0][k] = pairs.texels[k].first;
            panel.rows[1][k] = pairs.texels[k].second;
            panel.row_weights[k] = static_cast<float>(pairs.texels[k].weight) / 256;
        }
        row.target_stride = exec::kLanes * to_.texture.texel_bytes();
        row.target =
            to_.at(kTileSide * (columns_.first_tile + plan.first_tile), kTileSide * tile_row, z, 0);
        convert_(conversion_, row);
    }

    /// Finds the tiles whose texels are means of four.
    void set_halves(TileRow& row, uint32_t tile_row, uint32_t slice) const {
        const auto column = halved_tile(blit_.x, columns_.first_tile);
        const auto line = halved_tile(blit_.y, tile_row);
        if (!column || !line || !std::has_single_bit(from_.texture.texel_bytes()))
            return;
        for (uint32_t k = 0; k < 2; ++k)
            row.halved[k] = from_.at(kTileSide * *column, kTileSide * (*line + k), slice, 0);
        const uint32_t tiles = (static_cast<uint32_t>(blit_.x.limit) + kTileSide - 1) / kTileSide;
        row.halved_count = std::min(columns_.count, (tiles - *column) / 2);
    }

    /// Sets the row offsets and weights; returns the base of the offsets.
    const uint8_t* set_rows(TileRow& row, uint32_t tile_row, uint32_t slice) const {
        std::array<std::array<const uint8_t*, kTileSide>, 2> texels;
        std::array<float, kTileSide> weights;
        const RowPairs pairs(blit_, tile_row);
        row.rows = pairs.lanes;
        for (unsigned k = 0; k < kTileSide; ++k) {
            const TexelPair pair = pairs.texels[k];
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

    ConvertTiles convert_;
    const LaneConversion& conversion_;
    const BlitTexels& from_;
    const BlitTexels& to_;
    const TileBlit& blit_;
    const Columns& columns_;
};

}  // namespace

Result<void> blit_tiles(ConvertTiles convert,
                        const LaneConversion& conversion,
                        const BlitTexels& from,
                        const BlitTexels& to,
                        const TileBlit& blit,
                        const RowRunner& run) {
    const exec::TextureLevel& source = from.texture.level(from.level);
    if (source.slice_bytes > size_t{std::numeric_limits<int32_t>::max()})
        return Error{Errc::OutOfRange, {}, "a slice of more than 2 GiB"};
    const Columns columns(from, blit);
    const SliceBlit slice(convert, conversion, from, to, blit, columns);
    const auto first = static_cast<uint32_t>(blit.y0 / kTileSide);
    const uint32_t rows = static_cast<uint32_t>((blit.y1 - 1) / kTileSide) - first + 1;
    const auto first_slice = static_cast<uint32_t>(blit.z.destination);
    const uint32_t all = rows * static_cast<uint32_t>(blit.z.size);
    const auto tables = FilterTables::make(from, blit, columns);
    return run(all, [&](uint32_t begin, uint32_t end) {
        if (tables) {
            slice.run_filtered(*tables, first, rows, first_slice, begin, end);
            return;
        }
        for (uint32_t i = begin; i < end && !is_cancelled(to.texture.owner()); ++i)
            slice.run(first + i % rows, first_slice + i / rows);
    });
}

}  // namespace valkyr::raster
