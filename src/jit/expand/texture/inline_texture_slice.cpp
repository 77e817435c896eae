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

void last_layer(const TextureSite& site, Vec last) {
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
    h.move(last, Operand::broadcast(VALKYR_FRAME(spare)));
    const Temp one = c.constant(1);
    h.op(Binary::MaxS32, last, last, one);
    h.op(Binary::SubI32, last, last, one);
}

// The low 29 bits are those of s, whose top bits are known; faces 6 and 7 are read as 5.
void unpack_face(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp word = c.scratch();
    const Temp face = c.scratch();
    const TempMask some = c.scratch_mask();
    h.load(word, site.coordinate(0));
    h.op(ImmOp::Shr32, face, word, 29);
    h.op(Binary::MinU32, face, face, c.pool(kFaces - 1));
    h.store(site.face(), face);
    h.op(Binary::And, word, word, c.pool(0x1FFFFFFF));
    h.test_nonzero(some, word);
    h.mask_value(Element::B32, face, some, 0x20000000);
    h.op(Binary::Or, word, word, face);
    h.store(site.coordinate(0), word);
}

void choose_slice(const TextureSite& site, Vec layer) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp slice = c.constant(0);
    if (layer.valid()) {
        const Temp last = c.scratch();
        limit_number(site, layer, -1, kFarLayer);
        h.to_s32_or_zero(layer, layer);
        h.op(Binary::MaxS32, layer, layer, slice);
        last_layer(site, last);
        h.op(Binary::MinS32, layer, layer, last);
        if (site.cube)
            h.op(Binary::MulI32, layer, layer, c.pool(kFaces));
        h.move(slice, layer);
    }
    if (site.cube)
        h.op(Binary::AddI32, slice, slice, Operand::memory(site.face()));
    h.op(Binary::AddI32, slice, slice,
         Operand::broadcast({site.at.texture, offsetof(TextureDescriptor, first_layer)}));
    h.store(site.slice(), slice);
}

}  // namespace valkyr::jit
