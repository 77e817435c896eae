// Texture windows: load the texels of a footprint by tiles instead of gathering them.
// SPDX-License-Identifier: MIT
//
// A window is two by two tiles. The corners of the pixel block give a guess of its first tile. At
// run time every running lane is compared with the window and with the edges of the level, because
// texels of a window do not wrap.
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureLevel;

namespace {

constexpr uint32_t kTileSide = 4;
constexpr uint32_t kLastTexel = 2 * kTileSide - 1;  ///< of a row or column of the window
constexpr int32_t kTileBytes = 64;

/// Stores the least column and row of the corners of the block, down to those of tiles:
/// first_column() and first_row(), each with copies. Corners that do not run may all lie before the
/// level, where the window of lanes that run must not begin.
void keep_first_tile(const TextureSite& site, Vec x, Vec y) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    constexpr uint32_t of_y = exec::kLanes;
    constexpr std::array<uint32_t, exec::kLanes> corners = {
        0, 5, 10, 15, of_y, of_y + 5, of_y + 10, of_y + 15, 0, 0, 0, 0, 0, 0, 0, 0};
    U32 least(c, u32(c.pool_row(corners)));
    h.permute_pair(least, x, y, Mask{});
    for (const unsigned other : {0x4EU, 0xB1U})
        least = min(least, quad_permute(least, other));
    least &= ~(kTileSide - 1);
    if (c.lanes_can_be_inactive())
        least = u32(max(s32(least), 0));
    h.store(site.window(), least);
}

/// Stores the last column and row of the level.
void keep_last_texel(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    const Scalar s = site.c.scalar();
    constexpr std::array<size_t, 2> sizes = {offsetof(TextureLevel, width),
                                             offsetof(TextureLevel, height)};
    for (unsigned axis = 0; axis < 2; ++axis) {
        h.load32(s, site.level_member(sizes[axis]));
        h.add32(s, -1);
        h.store32(axis == 0 ? site.last_column() : site.last_row(), s);
    }
}

/// Jumps if a running lane has a texel outside the window or the level. x and y are relative to the
/// window, the raw texels of the axes to the level.
void leave_window(const TextureSite& site, const FootprintAxes& axes, Vec x, Vec y, Label outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const TempMask lanes = c.scratch_mask();
    const TempMask more = c.scratch_mask();
    const auto leave_from = [&](Vec texel, Operand last) {
        h.compare(IntCond::GreaterEqual, Element::B32, false, more, texel, last);
        h.mask_or(lanes, lanes, more);
    };
    h.compare(IntCond::GreaterEqual, Element::B32, false, lanes, x, c.pool(kLastTexel));
    leave_from(y, c.pool(kLastTexel));
    leave_from(axes.x.first, Operand::broadcast(site.last_column()));
    leave_from(axes.y.first, Operand::broadcast(site.last_row()));
    if (site.has_slices) {
        const Temp slice = c.scratch();
        h.load(slice, site.slice());
        h.compare(IntCond::NotEqual, Element::B32, true, more, slice,
                  Operand::broadcast(site.slice()));
        h.mask_or(lanes, lanes, more);
    }
    const Scalar bits = c.scalar();
    h.mask_bits(bits, lanes);
    keep_running(site, bits);
    h.test32(bits);
    h.jump(Jump::NotEqual, outside);
}

/// texels = address of the window's first tile.
void enter_window(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    const Scalar s = site.c.scalar();
    const Gp texels = site.at.texels;
    if (site.has_slices) {
        h.load32(s, site.slice());
        h.load32(texels, slice_units());
        h.mul64(s, texels);
        h.shift_left64(s, unit_shift(site));
        h.load64(texels, site.level_member(offsetof(TextureLevel, data)));
        h.add64(s, texels);
        h.store64(site.slice_data(), s);
    }
    // 16 bytes a column, and 16 bytes times the tiles of a row for each row
    h.load32(s, site.first_row());
    h.load32(texels, site.level_member(offsetof(TextureLevel, tiles_per_row)));
    h.mul64(s, texels);
    h.add32(s, site.first_column());
    h.shift_left64(s, 4);
    h.load64(texels,
             site.has_slices ? site.slice_data() : site.level_member(offsetof(TextureLevel, data)));
    h.add64(texels, s);
}

/// A table of texel numbers within a row of the window's tiles: by column, bits 0, 2 and 4; by row,
/// bits 1 and 3. `after` 1: of the next column or row.
Address index_row(EmitContext& c, bool row, unsigned after) {
    std::array<uint32_t, 4> bytes{};
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned texel = (i + after) % 8;
        const unsigned column = (texel & 1) | (texel & 2) << 1 | (texel & 4) << 2;
        bytes[i / 4] |= (row ? (column & 5) << 1 : column) << 8 * (i % 4);
    }
    std::array<uint32_t, exec::kLanes> words{};
    for (unsigned i = 0; i < words.size(); ++i)
        words[i] = bytes[i % 4];
    return c.pool_row(words);
}

/// d = the entry of index_row() for the lowest byte of each lane.
void look_up(EmitContext& c, Vec d, Vec texel, bool row, unsigned after) {
    const Temp table = c.scratch();
    c.h.load(table, index_row(c, row, after));
    c.h.op(Binary::ShuffleBytes, d, table, texel);
}

/// The lanes whose texel is in the first row of tiles, and in the second.
struct TileRows {
    TempMask first;
    TempMask second;
};

TileRows tile_rows(const TextureSite& site, Vec y, uint32_t first_below) {
    EmitContext& c = site.c;
    TileRows rows{c.scratch_mask(), c.scratch_mask()};
    c.h.compare(IntCond::GreaterEqual, Element::B32, false, rows.second, y, c.pool(first_below));
    c.h.mask_not(rows.first, rows.second);
    return rows;
}

/// Replaces numbers in the rows of tiles by texels.
void permute_tiles(const TextureSite& site,
                   const Footprint& footprint,
                   const std::array<TileRows, 2>& rows) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar stride = c.scalar();
    h.load32(stride, site.level_member(offsetof(TextureLevel, tiles_per_row)));
    h.shift_left64(stride, 6);
    const Address top = {site.at.texels, 0, Gp::None, 0};
    const Address bottom = {site.at.texels, 0, stride, 0};
    const Temp top_tile = c.scratch();
    const Temp bottom_tile = c.scratch();
    h.load(top_tile, top);
    h.load(bottom_tile, bottom);
    for (unsigned i = 0; i < footprint.count; ++i) {
        const TileRows& row = rows[i / 2];
        h.permute_pair(footprint.element[i], top_tile, Operand::memory(top.plus(kTileBytes)),
                       row.first);
        h.permute_pair(footprint.element[i], bottom_tile, Operand::memory(bottom.plus(kTileBytes)),
                       row.second);
    }
}

}  // namespace

bool has_windows(const TextureSite& site) {
    return site.c.h.traits().permutes_pairs && site.c.key.fragment && site.coordinates == 2 &&
           site.info->block_bytes == sizeof(uint32_t) && !has_borders(site);
}

void load_window(const TextureSite& site,
                 const FootprintAxes& axes,
                 const Footprint& footprint,
                 Label outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (site.blends_levels) {  // the larger of two levels has more texels than the block has pixels
        h.compare32(site.blended(), 0);
        h.jump(Jump::NotEqual, outside);
    }
    S32 x(c, footprint.element[0]);
    S32 y(c, footprint.element[1]);
    keep_first_tile(site, axes.x.first, axes.y.first);
    keep_last_texel(site);
    x = axes.x.first - Operand::broadcast(site.first_column());
    y = axes.y.first - Operand::broadcast(site.first_row());
    leave_window(site, axes, x, y, outside);
    enter_window(site);
    const std::array<TileRows, 2> rows = {tile_rows(site, y, kTileSide),
                                          tile_rows(site, y, kTileSide - 1)};
    const Vec first_row = axes.x.first;  // reused: the raw texels are not read again
    const Vec second_row = axes.y.first;
    look_up(c, first_row, y, true, 0);
    look_up(c, second_row, y, true, 1);
    look_up(c, footprint.element[3], x, false, 1);
    look_up(c, footprint.element[2], x, false, 0);
    for (unsigned i = 0; i < 2; ++i) {
        S32 tap(c, footprint.element[i]);
        tap = s32(footprint.element[i + 2]) | first_row;
    }
    for (unsigned i = 2; i < 4; ++i) {
        S32 tap(c, footprint.element[i]);
        tap |= second_row;
    }
    permute_tiles(site, footprint, rows);
    h.load64(site.at.texels, site.level_member(offsetof(TextureLevel, data)));
}

namespace {

constexpr uint32_t kRowTexels = 2 * exec::kLanes;  ///< of a row of the window's tiles

/// The first texel of the least tile of the corners of the block, in all lanes.
void least_tile(const TextureSite& site, S32& least, Vec texel) {
    EmitContext& c = site.c;
    std::array<uint32_t, exec::kLanes> corners{};
    for (unsigned lane = 0; lane < corners.size(); ++lane)
        corners[lane] = lane % 4 * 5;
    c.h.load(least, c.pool_row(corners));
    c.h.permute(least, least, texel);
    for (const unsigned other : {0x4EU, 0xB1U})
        least = min(least, quad_permute(least, other));
    least &= ~(exec::kLanes - 1);
    if (c.lanes_can_be_inactive())  // corners that do not run may have any texel
        least = max(least, 0);
}

}  // namespace

bool has_nearest_windows(const TextureSite& site) {
    return site.c.h.traits().permutes_pairs && site.c.h.traits().loads_lanes;
}

void load_nearest_window(const TextureSite& site, Vec d, Vec texel, Label outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    S32 least(c);
    least_tile(site, least, texel);
    U32 place(c, u32(texel) - u32(least));
    const Scalar s = c.scalar();
    h.load32(s, site.level_member(offsetof(TextureLevel, tiles_per_row)));
    h.shift_left64(s, 4);
    const TempMask second = c.scratch_mask();
    h.compare(IntCond::GreaterEqual, Element::B32, false, second, place, c.pool(kRowTexels));
    {
        U32 below(c);
        h.broadcast_word(below, s);
        below = place - below;
        place = select(second, below, place);
    }
    {
        const TempMask elsewhere = c.scratch_mask();
        h.compare(IntCond::GreaterEqual, Element::B32, false, elsewhere, place, c.pool(kRowTexels));
        h.mask_bits(s, elsewhere);
    }
    keep_running(site, s);
    h.test32(s);
    h.jump(Jump::NotEqual, outside);
    const Gp texels = site.at.texels;
    h.extract_first(s, least);
    h.shift_left64(s, 2);
    h.add64(texels, s);
    h.load32(s, site.level_member(offsetof(TextureLevel, tiles_per_row)));
    h.shift_left64(s, 6);
    const TempMask first = c.scratch_mask();
    h.mask_not(first, second);
    const auto permute_row = [&](const TempMask& lanes, Address row) {
        const Temp tile = c.scratch();
        h.load(tile, row);
        h.permute_pair(place, tile, Operand::memory(row.plus(kTileBytes)), lanes);
    };
    permute_row(first, {texels, 0, Gp::None, 0});
    permute_row(second, {texels, 0, s, 0});
    h.load64(texels, site.level_member(offsetof(TextureLevel, data)));
    h.move(d, place);
}

}  // namespace valkyr::jit
