// Binning: bins small boxes without tests, and tests each tile of large boxes against the edges.
// SPDX-License-Identifier: MIT
#include "raster/front/bin.hpp"

#include <array>
#include <cstdlib>

namespace valkyr::raster {
namespace {

using LineEnds = std::array<WindowRow, 2>;

constexpr int64_t kTileSubpixels = int64_t{exec::kTileSize} * kSubpixels;

/// Distance from a tile's corner to the nearest pixel centre, in x and in y.
constexpr int64_t kInset = kSubpixels / 2;

/// Edge functions at the innermost corner of a tile: negative means that no point of the tile is
/// inside. A line has two edges, and the third function is 0. Subtracting `margin` gives them at
/// the outermost pixel centre.
struct TileEdges {
    size_t count = 0;
    std::array<int64_t, 3> value{};  ///< at tile (0, 0)
    std::array<int64_t, 3> step_x{};
    std::array<int64_t, 3> step_y{};
    std::array<int64_t, 3> margin{};

    TileEdges(const WindowRow* rows, const PrimitiveRef& p) {
        const WindowRow& r0 = rows[p.v[0]];
        const WindowRow& r1 = rows[p.v[1]];
        const WindowRow& r2 = rows[p.v[2]];
        const int64_t area =
            int64_t{r1.x - r0.x} * (r2.y - r0.y) - int64_t{r2.x - r0.x} * (r1.y - r0.y);
        const int64_t sign = area < 0 ? -1 : 1;
        add(r0, r1, sign);
        add(r1, r2, sign);
        add(r2, r0, sign);
    }

    /// Sets the long edges of a line; `half` is half its width.
    TileEdges(const LineEnds& ends, bool x_major, int32_t half) {
        const auto at = [&](const WindowRow& end, int32_t side) {
            return WindowRow{end.x + (x_major ? 0 : side), end.y + (x_major ? side : 0), 0, 0};
        };
        const bool forwards = x_major ? ends[0].x < ends[1].x : ends[0].y > ends[1].y;
        const int64_t sign = forwards ? 1 : -1;
        add(at(ends[0], -half), at(ends[1], -half), sign);
        add(at(ends[1], half), at(ends[0], half), sign);
    }

    /// Adds the edge between two corners of a polygon whose area has this sign.
    void add(const WindowRow& from, const WindowRow& to, int64_t sign) {
        const size_t i = count++;
        const int64_t a = sign * (from.y - to.y);
        const int64_t b = sign * (to.x - from.x);
        step_x[i] = a * kTileSubpixels;
        step_y[i] = b * kTileSubpixels;
        margin[i] = (std::abs(a) + std::abs(b)) * (kTileSubpixels - kInset);
        value[i] = -a * from.x - b * from.y + (a > 0 ? step_x[i] : 0) + (b > 0 ? step_y[i] : 0);
    }

    /// Calls visit(x, y, values of the edge functions) for the tiles of a box that have points
    /// inside. From tile to tile, the functions grow by their steps.
    template <typename Visit>
    void visit_touched(const Survivor& box, const Visit& visit) const {
        const auto first = [&](size_t i, uint32_t y) {
            return value[i] + step_x[i] * box.tile_x0 + step_y[i] * y;
        };
        for (uint32_t y = box.tile_y0; y <= box.tile_y1; ++y) {
            // Three variables, because an array would be a vector whose parts pass through memory.
            int64_t a = first(0, y);
            int64_t b = first(1, y);
            int64_t c = first(2, y);
            for (uint32_t x = box.tile_x0; x <= box.tile_x1; ++x) {
                if ((a | b | c) >= 0)
                    visit(x, y, std::array{a, b, c});
                a += step_x[0];
                b += step_x[1];
                c += step_x[2];
            }
        }
    }

    /// Returns whether every pixel centre of a tile with these values lies inside, and on no edge.
    [[nodiscard]] bool covers(const std::array<int64_t, 3>& at) const {
        return at[0] > margin[0] && at[1] > margin[1] && at[2] > margin[2];
    }
};

/// Returns the long edges of a line that is not placed.
TileEdges plain_edges(const LineEnds& ends, int32_t half) {
    const int32_t dx = std::abs(ends[1].x - ends[0].x);
    const int32_t dy = std::abs(ends[1].y - ends[0].y);
    return {ends, dx >= dy, half};
}

}  // namespace

void bin_box(
    Segment& segment, Arena& arena, const TileGrid& grid, const Survivor& box, BinEntry entry) {
    for (uint32_t y = box.tile_y0; y <= box.tile_y1; ++y)
        for (uint32_t x = box.tile_x0; x <= box.tile_x1; ++x)
            segment.append(arena, grid.first + y * grid.per_row + x, entry);
}

void bin_quad(Segment& segment,
              Arena& arena,
              const TileGrid& grid,
              const Survivor& box,
              BinEntry entry,
              bool replaces) {
    for (uint32_t y = box.tile_y0; y <= box.tile_y1; ++y)
        for (uint32_t x = box.tile_x0; x <= box.tile_x1; ++x) {
            const uint32_t tile = grid.first + y * grid.per_row + x;
            const bool inner =
                x > box.tile_x0 && x < box.tile_x1 && y > box.tile_y0 && y < box.tile_y1;
            if (replaces && inner)
                segment.cover(tile);
            segment.append(arena, tile, entry);
        }
}

void bin_line(Segment& segment,
              Arena& arena,
              const TileGrid& grid,
              const Batch& batch,
              uint32_t n,
              int32_t half,
              const Survivor& box,
              BinEntry entry) {
    if (box.tile_x0 == box.tile_x1 || box.tile_y0 == box.tile_y1) {
        bin_box(segment, arena, grid, box, entry);
        return;
    }
    const PrimitiveRef& primitive = batch.primitives[n];
    // Placing moves a line by less than a pixel across its major axis.
    const TileEdges edges =
        batch.plain_lines ? plain_edges({batch.rows[primitive.v[0]], batch.rows[primitive.v[1]]},
                                        half + kSubpixels)
                          : TileEdges({batch.lines[n].ends[0], batch.lines[n].ends[1]},
                                      (primitive.provoking & kLineXMajor) != 0, half);
    edges.visit_touched(box, [&](uint32_t x, uint32_t y, const auto&) {
        segment.append(arena, grid.first + y * grid.per_row + x, entry);
    });
}

void bin_primitive(Segment& segment,
                   Arena& arena,
                   const TileGrid& grid,
                   const WindowRow* rows,
                   const PrimitiveRef& primitive,
                   const Survivor& box,
                   BinEntry entry,
                   bool replaces) {
    if (box.tile_x0 == box.tile_x1 || box.tile_y0 == box.tile_y1) {
        bin_box(segment, arena, grid, box, entry);
        return;
    }
    const TileEdges edges(rows, primitive);
    edges.visit_touched(box, [&](uint32_t x, uint32_t y, const auto& at) {
        const uint32_t tile = grid.first + y * grid.per_row + x;
        if (replaces && edges.covers(at))
            segment.cover(tile);
        segment.append(arena, tile, entry);
    });
}

}  // namespace valkyr::raster
