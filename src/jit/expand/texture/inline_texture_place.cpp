// Texture elements: converts texel numbers of an axis to places in tiles (exec/descriptors.hpp).
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureLevel;

namespace {

void spread(const TextureSite& site, unsigned axis, Vec texel) {
    if (axis == 0)
        spread_x(site, texel);
    else
        spread_y(site, texel);
}

Operand element_mask(const TextureSite& site, unsigned axis) {
    const size_t last =
        axis == 0 ? offsetof(TextureLevel, last_column) : offsetof(TextureLevel, last_row);
    return Operand::broadcast(site.level_member(last));
}

}  // namespace

// The mask keeps the low bits of a number outside [0, size), which wraps it; the least integer
// becomes 0. Subtracting the mask and masking gives the next number.
void place_first(const TextureSite& site, unsigned axis, Vec texel) {
    if (!repeats_by_mask(site, axis))
        wrap_first(site, axis, texel);
    spread(site, axis, texel);
    if (repeats_by_mask(site, axis))
        site.c.h.op(Binary::And, texel, texel, element_mask(site, axis));
}

void place_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face) {
    HostAssembler& h = site.c.h;
    if (repeats_by_mask(site, axis)) {
        place_first(site, axis, texels.first);
        texels.second = site.c.scratch();
        h.op(Binary::SubI32, texels.second, texels.first, element_mask(site, axis));
        h.op(Binary::And, texels.second, texels.second, element_mask(site, axis));
        return;
    }
    wrap_both(site, axis, texels, outside_face);
    spread(site, axis, texels.first);
    spread(site, axis, texels.second);
}

/// 4q + 2b + a -> 8q + 4b + a -> 16q + 4b + a.
void spread_x(const TextureSite& site, Vec x) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp t = c.scratch();
    for (const uint32_t moved : {~1U, ~7U}) {
        h.op(Binary::And, t, x, c.pool(moved));
        h.op(Binary::AddI32, x, x, t);
    }
}

/// 4q + 2b + a -> 16q * tiles_per_row + 8b + 2a. A product of 16-bit numbers is cheaper than one of
/// 32-bit ones.
void spread_y(const TextureSite& site, Vec y) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    constexpr uint32_t inside_tile = 0x0A080200;  // of 2b + a, a byte each
    const std::array<uint32_t, 4> quad = {inside_tile, 0, 0, 0};
    std::array<uint32_t, exec::kLanes> table{};
    for (unsigned i = 0; i < table.size(); ++i)
        table[i] = quad[i % quad.size()];
    const Temp low = c.scratch();
    const Temp inside = c.scratch();
    h.load(inside, h.pool_words(table));
    h.op(Binary::And, low, y, c.pool(3));
    h.op(Binary::ShuffleBytes, low, inside, low);
    h.op(Binary::And, y, y, c.pool(~3U));
    h.op(Binary::MulAddS16, y, y,
         Operand::broadcast(site.level_member(offsetof(TextureLevel, tiles_per_row))));
    h.op(ImmOp::Shl32, y, y, 2);
    h.op(Binary::AddI32, y, y, low);
}

}  // namespace valkyr::jit
