// Texture slices: choose layers and cube faces.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/inline_texture.hpp"

#include <cstddef>

namespace valkyr::jit {

using exec::TextureDescriptor;

namespace {

constexpr unsigned kFaces = 6;
constexpr float kFarLayer = 65536;

}  // namespace

void last_layer(const TextureSite& site, S32& last) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar count = site.c.scalar();
    h.load32(count, {site.at.texture, offsetof(TextureDescriptor, layer_count)});
    if (site.cube) {  // a sixth, exact below 2^17
        h.move(site.at.level_number, uint64_t{43691});
        h.mul64(count, site.at.level_number);
        h.shift_right32(count, 18);
    }
    h.store32(VALKYR_FRAME(spare), count);
    last = Operand::broadcast(VALKYR_FRAME(spare));
    const S32 one(c, 1);
    last = max(last, one) - one;
}

// The low 29 bits are those of s, whose top bits are known; faces 6 and 7 are read as 5.
void unpack_face(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    U32 word(c, u32(site.coordinate(0)));
    {
        const U32 face = min(word >> 29, kFaces - 1);
        h.store(site.face(), face);
    }
    const TempMask some = c.scratch_mask();
    word &= 0x1FFFFFFF;
    h.test_nonzero(some, word);
    word |= where(some, 0x20000000);
    h.store(site.coordinate(0), word);
}

void choose_slice(const TextureSite& site, F32 layer) {
    EmitContext& c = site.c;
    S32 slice(c, 0);
    if (layer.valid()) {
        S32 last(c);
        limit_number(layer, -1, kFarLayer);
        S32 number(c, std::move(layer));
        number = max(to_s32_or_zero(f32(number)), slice);
        last_layer(site, last);
        number = min(number, last);
        if (site.cube)
            number *= kFaces;
        slice = std::move(number);
    }
    if (site.cube)
        slice += site.face();
    slice += Operand::broadcast({site.at.texture, offsetof(TextureDescriptor, first_layer)});
    c.h.store(site.slice(), slice);
}

}  // namespace valkyr::jit
