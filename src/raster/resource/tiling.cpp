// Tiling: copies whole tiles in vectors or pairs of texels, and edges texel by texel.
// SPDX-License-Identifier: MIT
#include "raster/resource/tiling.hpp"

#include "exec/abi.hpp"

#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Copies between a texel's place in its tile and its place in a row. `ToTile` gives the direction.
template <unsigned Bytes, bool ToTile>
void copy_piece(uint8_t* tile, std::byte* row, unsigned texels) noexcept {
    if constexpr (ToTile)
        std::memcpy(tile, row, static_cast<size_t>(texels) * Bytes);
    else
        std::memcpy(row, tile, static_cast<size_t>(texels) * Bytes);
}

/// Lanes 2k and 2k+1 are horizontal neighbours: a tile is eight pairs.
template <unsigned Bytes, bool ToTile>
void copy_pairs(uint8_t* tile, std::byte* rows, size_t stride) noexcept {
    for (unsigned pair = 0; pair < 8; ++pair) {
        const unsigned lane = 2 * pair;
        copy_piece<Bytes, ToTile>(tile + lane * Bytes,
                                  rows + exec::lane_y(lane) * stride + exec::lane_x(lane) * Bytes,
                                  2);
    }
}

constexpr size_t kVector = 16;  ///< bytes, which every processor has in one register

/// Tiles side by side whose rows fill vectors; 0: rows of pairs of texels fill vectors.
template <unsigned Bytes>
constexpr unsigned kGroup = Bytes == 1   ? 4
                            : Bytes == 2 ? 2
                            : Bytes == 4 ? 1
                                         : 0;

/// A row of pairs of texels.
template <unsigned Bytes>
struct PairVector;
template <>
struct PairVector<1> {
    using Type [[gnu::vector_size(kVector)]] = uint16_t;
    static Type low(Type a, Type b) {
        return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    }
    static Type high(Type a, Type b) {
        return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    static Type even(Type a, Type b) {
        return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    }
    static Type odd(Type a, Type b) {
        return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    }
};
template <>
struct PairVector<2> {
    using Type [[gnu::vector_size(kVector)]] = uint32_t;
    static Type low(Type a, Type b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
    static Type high(Type a, Type b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
    static Type even(Type a, Type b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
    static Type odd(Type a, Type b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }
};
template <>
struct PairVector<4> {
    using Type [[gnu::vector_size(kVector)]] = uint64_t;
    static Type low(Type a, Type b) { return __builtin_shufflevector(a, b, 0, 2); }
    static Type high(Type a, Type b) { return __builtin_shufflevector(a, b, 1, 3); }
    static Type even(Type a, Type b) { return __builtin_shufflevector(a, b, 0, 2); }
    static Type odd(Type a, Type b) { return __builtin_shufflevector(a, b, 1, 3); }
};

/// Copies kGroup whole tiles, `step` bytes apart. Half a tile holds pairs of two rows alternately.
template <unsigned Bytes, bool ToTile>
void copy_group(uint8_t* tiles, size_t step, std::byte* rows, size_t stride) noexcept {
    using Pairs = PairVector<Bytes>;
    using Vector = typename Pairs::Type;
    constexpr size_t kHalf = size_t{8} * Bytes;
    for (unsigned half = 0; half < 2; ++half) {
        std::byte* const upper = rows + 2 * half * stride;
        std::byte* const lower = upper + stride;
        Vector v[2];  // this half of each tile, tile by tile
        auto* const halves = reinterpret_cast<uint8_t*>(v);
        if constexpr (ToTile) {
            Vector a;
            Vector b;
            std::memcpy(&a, upper, kVector);
            std::memcpy(&b, lower, kVector);
            v[0] = Pairs::low(a, b);
            v[1] = Pairs::high(a, b);
            for (size_t k = 0; k < kGroup<Bytes>; ++k)
                std::memcpy(tiles + k * step + half * kHalf, halves + k * kHalf, kHalf);
        } else {
            for (size_t k = 0; k < kGroup<Bytes>; ++k)
                std::memcpy(halves + k * kHalf, tiles + k * step + half * kHalf, kHalf);
            const Vector a = Pairs::even(v[0], v[1]);
            const Vector b = Pairs::odd(v[0], v[1]);
            std::memcpy(upper, &a, kVector);
            std::memcpy(lower, &b, kVector);
        }
    }
}

/// Copies one row of tiles: y is the first of at most 4 texel rows, all in one row of tiles.
template <unsigned Bytes, bool ToTile>
void copy_tile_row(uint8_t* slice,
                   const TiledRect& rect,
                   uint32_t y,
                   uint32_t y_end,
                   std::byte* rows,
                   size_t stride) noexcept {
    const size_t step = size_t{16} * Bytes * rect.samples;
    uint8_t* tiles = slice + size_t{y / 4} * rect.tiles_per_row * step;
    const uint32_t x_end = rect.x + rect.width;
    const bool whole_rows = y % 4 == 0 && y + 4 == y_end;
    for (uint32_t x = rect.x; x < x_end;) {
        uint8_t* tile = tiles + x / 4 * step;
        std::byte* corner = rows + size_t{x - rect.x} * Bytes;
        if constexpr (kGroup<Bytes> != 0)
            if (x % 4 == 0 && x + 4 * kGroup<Bytes> <= x_end && whole_rows) {
                copy_group<Bytes, ToTile>(tile, step, corner, stride);
                x += 4 * kGroup<Bytes>;
                continue;
            }
        if (x % 4 == 0 && x + 4 <= x_end && whole_rows) {
            copy_pairs<Bytes, ToTile>(tile, corner, stride);
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

/// By texel size in bytes; null for sizes that no format has.
template <bool ToTile>
constexpr std::array<CopyRect, 33> kCopyRect = [] {
    std::array<CopyRect, 33> table{};
    table[1] = copy_rect<1, ToTile>;
    table[2] = copy_rect<2, ToTile>;
    table[3] = copy_rect<3, ToTile>;
    table[4] = copy_rect<4, ToTile>;
    table[6] = copy_rect<6, ToTile>;
    table[8] = copy_rect<8, ToTile>;
    table[12] = copy_rect<12, ToTile>;
    table[16] = copy_rect<16, ToTile>;
    table[24] = copy_rect<24, ToTile>;
    table[32] = copy_rect<32, ToTile>;
    return table;
}();

}  // namespace

void tile_rows(uint8_t* slice,
               const TiledRect& rect,
               const std::byte* rows,
               size_t stride_bytes) noexcept {
    // Copies into tiles only read the rows, so the const_cast is safe.
    kCopyRect<true>[rect.texel_bytes](slice, rect, const_cast<std::byte*>(rows), stride_bytes);
}

void untile_rows(const uint8_t* slice,
                 const TiledRect& rect,
                 std::byte* rows,
                 size_t stride_bytes) noexcept {
    kCopyRect<false>[rect.texel_bytes](const_cast<uint8_t*>(slice), rect, rows, stride_bytes);
}

}  // namespace valkyr::raster
