// Texture windows: take the texels of a footprint from two by two tiles instead of gathering them.
// SPDX-License-Identifier: MIT
//
// The tile of the texels nearest to the level's origin is the first of the window. It is guessed
// from the corners of the pixel block; every running lane is compared with it at run time, and
// where one has a texel elsewhere, the texels are gathered.
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace valkyr::jit {

using exec::TextureLevel;

namespace {

constexpr uint32_t kTileTexels = 16;
constexpr int32_t kTileBytes = 64;
// Words of TextureSite::window().
constexpr unsigned kFirstColumn = 0;
constexpr unsigned kFirstRow = 4;
constexpr unsigned kRowsEnd = 1;

/// Stores the least of the first column's and row's tiles, among the corners of the block.
void keep_first_tile(const TextureSite& site, Vec x, Vec y) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    constexpr uint32_t of_y = exec::kLanes;
    constexpr std::array<uint32_t, exec::kLanes> corners = {
        0, 5, 10, 15, of_y, of_y + 5, of_y + 10, of_y + 15, 0, 0, 0, 0, 0, 0, 0, 0};
    const Temp least = c.scratch();
    const Temp t = c.scratch();
    h.load(least, c.pool_row(corners));
    h.permute_pair(least, x, y, Mask{});
    for (const unsigned other : {0x4EU, 0xB1U}) {
        h.op(ImmOp::QuadPermute, t, least, other);
        h.op(Binary::MinU32, least, least, t);
    }
    h.op(Binary::And, least, least, c.pool(~(kTileTexels - 1)));
    h.store(site.window(0), least);
}

/// Makes units relative to the first tile, whose address `texels` becomes.
void enter_window(const TextureSite& site, const FootprintAxes& axes) {
    HostAssembler& h = site.c.h;
    for (const Vec x : {Vec(axes.x.first), Vec(axes.x.second)})
        h.op(Binary::SubI32, x, x, Operand::broadcast(site.window(kFirstColumn)));
    for (const Vec y : {Vec(axes.y.first), Vec(axes.y.second)})
        h.op(Binary::SubI32, y, y, Operand::broadcast(site.window(kFirstRow)));
    const Scalar s = site.c.scalar();
    const Gp texels = site.at.texels;
    h.load64(texels, site.level_member(offsetof(TextureLevel, data)));
    for (const unsigned word : {kFirstColumn, kFirstRow}) {
        h.load32(s, site.window(word));
        h.load_address(texels, {texels, 0, s, 2});
    }
    h.load32(s, site.level_member(offsetof(TextureLevel, tiles_per_row)));
    h.shift_left64(s, 4);
    h.add32(s, kTileTexels);
    h.store32(site.window(kRowsEnd), s);
}

/// Jumps if a running lane has a texel outside of the window.
void leave_window(const TextureSite& site, const FootprintAxes& axes, Label outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp last = c.scratch();
    const TempMask lanes = c.scratch_mask();
    const TempMask below = c.scratch_mask();
    h.op(Binary::MaxU32, last, axes.x.first, axes.x.second);
    h.compare(IntCond::GreaterEqual, Element::B32, false, lanes, last, c.pool(2 * kTileTexels));
    h.op(Binary::MaxU32, last, axes.y.first, axes.y.second);
    h.compare(IntCond::GreaterEqual, Element::B32, false, below, last,
              Operand::broadcast(site.window(kRowsEnd)));
    h.mask_or(lanes, lanes, below);
    const Scalar bits = c.scalar();
    h.mask_bits(bits, lanes);
    keep_running(site, bits);
    h.test32(bits);
    h.jump(Jump::NotEqual, outside);
}

/// The texels of the window that the lanes name. Rows of the second tile row have larger units; the
/// column's tile is a bit of the index.
void permute_window(const TextureSite& site, const FootprintAxes& axes, Vec corner) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    std::array<TempMask, 2> low;
    std::array<TempMask, 2> high;
    const std::array<Vec, 2> rows = {axes.y.first, axes.y.second};
    for (unsigned i = 0; i < 2; ++i) {
        low[i] = c.scratch_mask();
        high[i] = c.scratch_mask();
        h.compare(IntCond::GreaterEqual, Element::B32, false, high[i], rows[i],
                  c.pool(kTileTexels));
        h.mask_not(low[i], high[i]);
        h.op(Binary::And, rows[i], rows[i], c.pool(kTileTexels - 1));
    }
    combine_axes(site, axes, corner, Binary::Or);
    const Scalar stride = c.scalar();
    h.load32(stride, site.level_member(offsetof(TextureLevel, tiles_per_row)));
    h.shift_left64(stride, 6);
    const Address near = {site.at.texels, 0, Gp::None, 0};
    const Address far = {site.at.texels, 0, stride, 0};
    const Temp top = c.scratch();
    const Temp bottom = c.scratch();
    h.load(top, near);
    h.load(bottom, far);
    const std::array<Vec, 4> taps = {corner, axes.y.first, axes.x.first, axes.x.second};
    for (unsigned i = 0; i < taps.size(); ++i) {
        h.permute_pair(taps[i], top, Operand::memory(near.plus(kTileBytes)), low[i / 2]);
        h.permute_pair(taps[i], bottom, Operand::memory(far.plus(kTileBytes)), high[i / 2]);
    }
}

}  // namespace

bool has_windows(const TextureSite& site) {
    return site.c.h.traits().permutes_pairs && site.c.key.fragment && site.coordinates == 2 &&
           site.info->block_bytes == sizeof(uint32_t);
}

Footprint window_words(const TextureSite& site, FootprintAxes axes) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label outside = h.new_label();
    const Label done = h.new_label();
    if (site.blends_levels) {  // the larger of two levels has more texels than pixels
        h.compare32(site.blended(), 0);
        h.jump(Jump::NotEqual, outside);
    }
    keep_first_tile(site, axes.x.first, axes.y.first);
    enter_window(site, axes);
    leave_window(site, axes, outside);
    Temp corner = c.scratch();
    permute_window(site, axes, corner);
    h.jump(done);
    h.bind(outside);
    combine_axes(site, axes, corner, Binary::AddI32);
    Footprint taps = take_axes(std::move(axes), std::move(corner));
    for (const Temp& tap : taps.element)
        fetch_word(site, tap, tap, 0);
    h.bind(done);
    return taps;
}

}  // namespace valkyr::jit
