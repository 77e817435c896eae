// Image rows: load and store texels whose pixels lie as the lanes of a warp do.
// SPDX-License-Identifier: MIT
//
// Images are stored as 4x4 tiles, each of them one register of texels (exec/descriptors.hpp). So a
// block of pixels is one load, and a row lies in four or five tiles that follow each other. These
// are loaded as a whole and permuted. Rows are stored only if they begin with a tile: LEA_TEX
// notes their address, so that the store or atomic behind it need not compare those of the lanes.
#include "jit/expand/image/image_rows.hpp"

#include "jit/context/formula.hpp"
#include "jit/expand/memory/lane_addresses.hpp"
#include "jit/expand/memory/noted_row.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace valkyr::jit {

using exec::ImageDescriptor;
using exec::TextureKind;

namespace {

constexpr unsigned kTileShift = 6;
/// A row of lanes begins at any pixel of its first tile.
constexpr unsigned kRowTexels = exec::kLanes + kTileSide;

bool is_block(const EmitContext& c) {
    return c.stage() == exec::Stage::Fragment;
}

/// The number of a texel within a tile.
constexpr uint32_t in_tile(uint32_t x, uint32_t y) {
    return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

/// The pixels of the lanes relative to that of lane 0, packed as coordinates are.
Address lane_pixels(EmitContext& c) {
    std::array<uint32_t, exec::kLanes> pixels{};
    for (uint32_t lane = 0; lane < exec::kLanes; ++lane) {
        const uint32_t x = (lane & 1) | (lane >> 1 & 2);
        const uint32_t y = (lane >> 1 & 1) | (lane >> 2 & 2);
        pixels[lane] = is_block(c) ? x | y << 16 : lane;
    }
    return c.pool_row(pixels);
}

/// Texel numbers by the place of lane 0 in its tile: row y of the tile has kRowTexels of them, from
/// the first column on; 16 is the first texel of the next tile.
Address row_table(EmitContext& c) {
    std::array<uint32_t, kRowTexels * kTileSide> table{};
    for (uint32_t y = 0; y < kTileSide; ++y)
        for (uint32_t x = 0; x < kRowTexels; ++x)
            table[y * kRowTexels + x] = exec::kLanes * (x / kTileSide) + in_tile(x, y);
    return c.h.pool_words(table);
}

/// The coordinates of lane 0, packed as in source 0 of the message. Jumps if running lanes do not
/// lie around it as they do in the warp; blocks may be mirrored, as many programs turn y around.
Scalar first_pixel(EmitContext& c, Vec coordinates, Label otherwise) {
    HostAssembler& h = c.h;
    Scalar first = c.scalar();
    const Temp start = c.scratch();
    const Temp all = c.scratch();
    h.op(is_block(c) ? Binary::Xor : Binary::SubI32, start, coordinates,
         Operand::memory(lane_pixels(c)));
    h.extract_first(first, start);
    h.broadcast_first(all, start);
    const TempMask differs = c.scratch_mask();
    h.compare(IntCond::NotEqual, Element::B32, true, differs, start, all);
    jump_if_any(c, differs, otherwise);
    return first;
}

/// The numbers of the lanes' texels in a tile, by the place of lane 0 in it, row by row.
Address block_orders(EmitContext& c) {
    std::array<uint32_t, exec::kLanes * exec::kLanes> orders{};
    for (uint32_t place = 0; place < exec::kLanes; ++place)
        for (uint32_t lane = 0; lane < exec::kLanes; ++lane)
            orders[place * exec::kLanes + lane] =
                in_tile(place % kTileSide, place / kTileSide) ^ lane;
    return c.h.pool_words(orders);
}

/// The address of the texels' numbers in the tile, by lane. Jumps if the running lanes have other
/// coordinates than a block's, or if a pixel is outside.
/// tile  becomes the address of the tile
Scalar
find_block(EmitContext& c, const ImageUnit& unit, Vec coordinates, Gp tile, Label otherwise) {
    HostAssembler& h = c.h;
    constexpr uint32_t kLowBits = kTileSide - 1;
    const Scalar first = first_pixel(c, coordinates, otherwise);
    Scalar order = c.scalar();
    {
        const Scalar row = c.scalar();
        h.move(order, first);
        h.and32(order, kLowBits << 16 | kLowBits);
        h.sub32(first, order);
        h.move(row, order);
        h.shift_right32(row, 16);
        h.load_address(order, {order, 0, row, 2});
        h.and32(order, exec::kLanes - 1);
        h.shift_left64(order, std::countr_zero(sizeof(exec::Lanes)));
        const Scalar table = image_descriptors(c);
        find_pixel(c, unit, table, first, tile, row, otherwise);
        h.shift_right32(tile, 2);
        find_tile(c, unit, table, row, tile);
    }
    h.load_address(first, block_orders(c));
    h.add64(order, first);
    return order;
}

/// The place of lane 0 in a tile.
struct TilePlace {
    Scalar tile;    ///< address
    Scalar column;  ///< 0 to 3
    Scalar row;
};

/// Jumps if not all pixels from the first one on are inside.
TilePlace find_place(EmitContext& c, const ImageUnit& unit, Gp first, Label otherwise) {
    HostAssembler& h = c.h;
    TilePlace place{c.scalar(), c.scalar(), c.scalar()};
    const Scalar table = image_descriptors(c);
    find_pixel(c, unit, table, first, place.column, place.row, otherwise);
    h.move(place.tile, place.column);
    h.shift_right32(place.tile, 2);
    find_tile(c, unit, table, place.row, place.tile);
    h.and32(place.column, kTileSide - 1);
    h.and32(place.row, kTileSide - 1);
    return place;
}

/// texels = the texels of a row.
void permute_row(EmitContext& c, const TilePlace& place, Vec texels) {
    HostAssembler& h = c.h;
    const Label done = h.new_label();
    const auto tile = [&](int32_t number) { return Address{place.tile, kTileBytes * number}; };
    const Temp loaded = c.scratch();
    const TempMask first = c.scratch_mask();   // lanes in tiles 0 and 1
    const TempMask second = c.scratch_mask();  // in tiles 2 and 3
    const TempMask last = c.scratch_mask();    // in tile 4
    {
        const Scalar table = c.scalar();
        h.load_address(table, row_table(c));
        h.load_address(place.row, {place.row, 0, place.row, 2});
        static_assert(kRowTexels == 5 * 4);
        h.load_address(place.row, {place.column, 0, place.row, 2});
        h.load(texels, {table, 0, place.row, 2});
    }
    h.compare(IntCond::Less, Element::B32, false, first, texels, c.pool(2 * exec::kLanes));
    h.test_bit(second, texels, 5);
    h.test_bit(last, texels, 6);
    h.load(loaded, tile(0));
    h.permute_pair(texels, loaded, Operand::memory(tile(1)), first);
    h.load(loaded, tile(2));
    h.permute_pair(texels, loaded, Operand::memory(tile(3)), second);
    // An aligned row ends before tile 4, which may not exist.
    h.test32(place.column);
    h.jump(Jump::Equal, done);
    h.load(loaded, tile(4));
    h.permute_pair(texels, loaded, loaded, last);
    h.bind(done);
}

/// Stores the texels of a row, four to a tile.
void store_four_tiles(EmitContext& c, Gp base, Vec texels) {
    HostAssembler& h = c.h;
    constexpr uint32_t row_of_tile =
        1U << in_tile(0, 0) | 1U << in_tile(1, 0) | 1U << in_tile(2, 0) | 1U << in_tile(3, 0);
    const TempMask written = c.scratch_mask();
    {
        const Scalar bits = c.scalar();
        h.move(bits, uint64_t{row_of_tile});
        h.mask_from_bits(written, bits);
    }
    const Temp tile = c.scratch();
    for (uint32_t number = 0; number < exec::kLanes / kTileSide; ++number) {
        std::array<uint32_t, exec::kLanes> lanes{};
        for (uint32_t x = 0; x < kTileSide; ++x)
            lanes[in_tile(x, 0)] = kTileSide * number + x;
        h.load(tile, c.pool_row(lanes));
        h.permute(tile, tile, texels);
        h.store_masked({base, word_offset(c, 0) + kTileBytes * static_cast<int32_t>(number)},
                       written, tile);
    }
}

/// The distances of texels of a row in bytes from that of lane 0, the first one of a tile.
std::array<uint32_t, exec::kLanes> row_distances() {
    std::array<uint32_t, exec::kLanes> distances{};
    for (uint32_t lane = 0; lane < exec::kLanes; ++lane)
        distances[lane] =
            sizeof(uint32_t) * (exec::kLanes * (lane / kTileSide) + in_tile(lane % kTileSide, 0));
    return distances;
}

/// Jumps if the lower word wraps within this distance. Within a tile it does not.
void require_no_wrap(EmitContext& c, Gp start, uint32_t distance, Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar last = c.scalar();
    h.move(last, start);
    h.add32(last, static_cast<int32_t>(distance));
    h.compare32(last, distance);
    h.jump(Jump::Below, otherwise);
}

/// distances = those of the texels from the returned address.
Scalar find_block_texels(
    EmitContext& c, const ImageUnit& unit, Vec coordinates, U32& distances, Label otherwise) {
    Scalar start = c.scalar();
    const Scalar order = find_block(c, unit, coordinates, start, otherwise);
    c.h.store64(order_note(c), order);
    c.h.load(distances, {order, 0});
    distances <<= 2;
    return start;
}

/// As find_block_texels() for a row that begins with a tile.
Scalar find_row_texels(
    EmitContext& c, const ImageUnit& unit, Vec coordinates, U32& distances, Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar first = first_pixel(c, coordinates, otherwise);
    TilePlace place = find_place(c, unit, first, otherwise);
    h.test32(place.column);
    h.jump(Jump::NotEqual, otherwise);
    h.load_address(first, tile_orders(c));
    h.shift_left64(place.row, std::countr_zero(sizeof(exec::Lanes)));
    h.add64(place.row, first);
    h.load32(place.row, {place.row, 0});
    h.load_address(place.tile, {place.tile, 0, place.row, 2});
    distances = c.pool_row(row_distances());
    return std::move(place.tile);
}

}  // namespace

void find_pixel(
    EmitContext& c, const ImageUnit& unit, Gp table, Gp first, Gp column, Gp row, Label otherwise) {
    HostAssembler& h = c.h;
    h.move(row, first);
    h.shift_right32(row, 16);
    h.move(column, first);
    h.and32(column, 0xFFFF);
    const auto require_below = [&](Gp at, unsigned lanes, size_t size) {
        const Scalar last = c.scalar();
        h.load_address(last, {at, static_cast<int32_t>(lanes - 1)});
        h.compare32(last, unit.member(table, size));
        h.jump(Jump::AboveEqual, otherwise);
    };
    require_below(column, is_block(c) ? kTileSide : exec::kLanes, offsetof(ImageDescriptor, width));
    require_below(row, is_block(c) ? kTileSide : 1, offsetof(ImageDescriptor, height));
}

void find_tile(EmitContext& c, const ImageUnit& unit, Gp table, Gp row, Gp tile) {
    HostAssembler& h = c.h;
    const Scalar rows = c.scalar();
    const Scalar stride = c.scalar();
    h.move(rows, row);
    h.shift_right32(rows, 2);
    h.load32(stride, unit.member(table, offsetof(ImageDescriptor, tiles_per_row)));
    h.mul64(rows, stride);
    h.add64(tile, rows);
    h.shift_left64(tile, kTileShift);
    h.load64(stride, unit.member(table, offsetof(ImageDescriptor, data)));
    h.add64(tile, stride);
}

Address tile_orders(EmitContext& c) {
    std::array<uint32_t, exec::kLanes * kTileSide> orders{};
    for (uint32_t y = 0; y < kTileSide; ++y)
        for (uint32_t x = 0; x < exec::kLanes; ++x)
            orders[y * exec::kLanes + x] =
                exec::kLanes * (x / kTileSide % 2) + in_tile(x % kTileSide, y);
    return c.h.pool_words(orders);
}

bool has_flat_words(const ImageUnit& unit) {
    const bool flat = unit.key.kind == TextureKind::Tex2D || unit.key.kind == TextureKind::Rect;
    return flat && unit.key.samples <= 1 && unit.info->block_bytes == sizeof(uint32_t);
}

bool has_rows(const EmitContext& c, const ImageUnit& unit) {
    return has_flat_words(unit) && unit.index && c.h.traits().permutes_pairs;
}

void load_row(EmitContext& c, const ImageUnit& unit, Vec coordinates, Vec texels, Label otherwise) {
    HostAssembler& h = c.h;
    if (is_block(c)) {
        const Scalar tile = c.scalar();
        const Scalar order = find_block(c, unit, coordinates, tile, otherwise);
        const Temp loaded = c.scratch();
        h.load(loaded, {tile, 0});
        h.load(texels, {order, 0});
        h.permute(texels, texels, loaded);
        return;
    }
    const Scalar first = first_pixel(c, coordinates, otherwise);
    permute_row(c, find_place(c, unit, first, otherwise), texels);
}

void find_row(EmitContext& c,
              const ImageUnit& unit,
              Vec coordinates,
              const VecPair& address,
              Label otherwise) {
    HostAssembler& h = c.h;
    U32 low(c, address.low);
    {
        const Scalar start = is_block(c) ? find_block_texels(c, unit, coordinates, low, otherwise)
                                         : find_row_texels(c, unit, coordinates, low, otherwise);
        if (!is_block(c))
            require_no_wrap(c, start, row_distances().back(), otherwise);
        h.store64(row_note(c), start);
    }
    low += Operand::broadcast(row_note(c));
    h.move(address.high, Operand::broadcast(row_note(c).plus(sizeof(uint32_t))));
}

bool stores_rows(const EmitContext& c, const exec::FormatInfo& info) {
    return has_noted_row(c) && info.block_bytes == sizeof(uint32_t);
}

void store_row(EmitContext& c, Vec texels, Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar row = noted_row(c, otherwise);
    if (!is_block(c))
        return store_four_tiles(c, row, texels);
    // As an order, that of a block is its own inverse.
    const Temp tile = c.scratch();
    load_noted_order(c, tile);
    h.permute(tile, tile, texels);
    h.store({row, word_offset(c, 0)}, tile);
}

}  // namespace valkyr::jit
