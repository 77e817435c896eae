// Tiling: copies whole tiles as eight pieces of two texels, and edges texel by texel.
// SPDX-License-Identifier: MIT
#include "raster/resource/tiling.hpp"

#include "exec/abi.hpp"

#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Copies between the place of a texel in its tile and its place in a row. `ToTile` says which way.
template <unsigned Bytes, bool ToTile>
void copy_piece(uint8_t* tile, std::byte* row, unsigned texels) noexcept {
    if constexpr (ToTile)
        std::memcpy(tile, row, static_cast<size_t>(texels) * Bytes);
    else
        std::memcpy(row, tile, static_cast<size_t>(texels) * Bytes);
}

/// Lanes 2k and 2k+1 are horizontal neighbours: a tile is eight pairs.
template <unsigned Bytes, bool ToTile>
void copy_whole_tile(uint8_t* tile, std::byte* rows, size_t stride) noexcept {
    for (unsigned pair = 0; pair < 8; ++pair) {
        const unsigned lane = 2 * pair;
        copy_piece<Bytes, ToTile>(tile + lane * Bytes,
                                  rows + exec::lane_y(lane) * stride + exec::lane_x(lane) * Bytes,
                                  2);
    }
}

/// One row of tiles: y is the first of at most 4 texel rows, all in the same row of tiles.
template <unsigned Bytes, bool ToTile>
void copy_tile_row(uint8_t* slice,
                   const TiledRect& rect,
                   uint32_t y,
                   uint32_t y_end,
                   std::byte* rows,
                   size_t stride) noexcept {
    uint8_t* tiles = slice + size_t{y / 4} * rect.tiles_per_row * 16 * Bytes;
    const uint32_t x_end = rect.x + rect.width;
    for (uint32_t x = rect.x; x < x_end;) {
        uint8_t* tile = tiles + size_t{x / 4} * 16 * Bytes;
        std::byte* corner = rows + size_t{x - rect.x} * Bytes;
        if (x % 4 == 0 && x + 4 <= x_end && y % 4 == 0 && y + 4 == y_end) {
            copy_whole_tile<Bytes, ToTile>(tile, corner, stride);
            x += 4;
            continue;
        }
        for (uint32_t row = y; row < y_end; ++row)
            copy_piece<Bytes, ToTile>(tile + exec::lane_at(x % 4, row % 4) * Bytes,
                                      corner + (row - y) * stride, 1);
        ++x;
    }
}

template <unsigned Bytes, bool ToTile>
void copy_rect(uint8_t* slice, const TiledRect& rect, std::byte* rows, size_t stride) noexcept {
    const uint32_t y_last = rect.y + rect.height;
    for (uint32_t y = rect.y; y < y_last && !exec::is_cancelled(rect.watch);) {
        const uint32_t y_end = y / 4 * 4 + 4 < y_last ? y / 4 * 4 + 4 : y_last;
        copy_tile_row<Bytes, ToTile>(slice, rect, y, y_end, rows + (y - rect.y) * stride, stride);
        y = y_end;
    }
}

using CopyRect = void (*)(uint8_t*, const TiledRect&, std::byte*, size_t) noexcept;

/// By texel size in bytes; sizes that no format has are null.
template <bool ToTile>
constexpr std::array<CopyRect, 17> kCopyRect = [] {
    std::array<CopyRect, 17> table{};
    table[1] = copy_rect<1, ToTile>;
    table[2] = copy_rect<2, ToTile>;
    table[3] = copy_rect<3, ToTile>;
    table[4] = copy_rect<4, ToTile>;
    table[6] = copy_rect<6, ToTile>;
    table[8] = copy_rect<8, ToTile>;
    table[12] = copy_rect<12, ToTile>;
    table[16] = copy_rect<16, ToTile>;
    return table;
}();

}  // namespace

void tile_rows(uint8_t* slice,
               const TiledRect& rect,
               const std::byte* rows,
               size_t stride_bytes) noexcept {
    // The copy towards the tile only reads its rows.
    kCopyRect<true>[rect.texel_bytes](slice, rect, const_cast<std::byte*>(rows), stride_bytes);
}

void untile_rows(const uint8_t* slice,
                 const TiledRect& rect,
                 std::byte* rows,
                 size_t stride_bytes) noexcept {
    kCopyRect<false>[rect.texel_bytes](const_cast<uint8_t*>(slice), rect, rows, stride_bytes);
}

}  // namespace valkyr::raster
