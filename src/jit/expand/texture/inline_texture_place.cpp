// Texture elements: converts texel numbers of an axis to places in tiles (exec/descriptors.hpp).
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureLevel;

namespace {

void spread(const TextureSite& site, unsigned axis, S32& texel) {
    if (axis == 0)
        spread_x(texel);
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
void place_first(const TextureSite& site, unsigned axis, S32& texel) {
    if (!repeats_by_mask(site, axis))
        wrap_first(site, axis, texel);
    spread(site, axis, texel);
    if (repeats_by_mask(site, axis))
        texel &= element_mask(site, axis);
}

void place_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face) {
    if (repeats_by_mask(site, axis)) {
        const Operand mask = element_mask(site, axis);
        place_first(site, axis, texels.first);
        texels.second = S32((texels.first - mask) & mask);
        return;
    }
    wrap_both(site, axis, texels, outside_face);
    spread(site, axis, texels.first);
    spread(site, axis, texels.second);
}

/// 4q + 2b + a -> 8q + 4b + a -> 16q + 4b + a.
void spread_x(S32& x) {
    for (const uint32_t moved : {~1U, ~7U})
        x += x & moved;
}

/// 4q + 2b + a -> 16q * tiles_per_row + 8b + 2a. A product of 16-bit numbers is cheaper than one of
/// 32-bit ones.
void spread_y(const TextureSite& site, S32& y) {
    HostAssembler& h = site.c.h;
    constexpr uint32_t inside_tile = 0x0A080200;  // of 2b + a, a byte each
    const std::array<uint32_t, 4> quad = {inside_tile, 0, 0, 0};
    std::array<uint32_t, exec::kLanes> table{};
    for (unsigned i = 0; i < table.size(); ++i)
        table[i] = quad[i % quad.size()];
    const Operand tiles =
        Operand::broadcast(site.level_member(offsetof(TextureLevel, tiles_per_row)));
    const S32 places(site.c, s32(h.pool_words(table)));
    const S32 inside = shuffle_bytes(places, y & 3);
    y = (sum_products(y & ~3U, tiles) << 2) + inside;
}

}  // namespace valkyr::jit
