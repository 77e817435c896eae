// Tile texels: read and write texels of a tile buffer as 32-bit words, a register a word.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_texel.hpp"

#include "jit/expand/fragment/packed_quads.hpp"

#include <bit>
#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr unsigned kQuadBytes = 16;
constexpr unsigned kPairsApart = 0xD8;  // lanes 0 2 1 3

/// Scales a byte offset among 4-byte elements to one among elements of `bytes` bytes.
void scale(HostAssembler& h, Gp offset, unsigned bytes) {
    if (bytes >= 4)
        h.shift_left64(offset, static_cast<unsigned>(std::countr_zero(bytes / 4)));
    else
        h.shift_right32(offset, static_cast<unsigned>(std::countr_zero(4 / bytes)));
}

/// The 4x4 transposition of every quad of four registers; two more are used.
void transpose(EmitContext& c, std::array<Temp, 4>& v) {
    HostAssembler& h = c.h;
    const Temp s = c.scratch();
    const Temp t = c.scratch();
    h.op(Binary::UnpackLow32, s, v[0], v[1]);
    h.op(Binary::UnpackHigh32, v[0], v[0], v[1]);
    h.op(Binary::UnpackLow32, t, v[2], v[3]);
    h.op(Binary::UnpackHigh32, v[3], v[2], v[3]);
    h.op(Binary::UnpackHigh64, v[1], s, t);
    h.op(Binary::UnpackLow64, s, s, t);
    h.op(Binary::UnpackLow64, v[2], v[0], v[3]);
    h.op(Binary::UnpackHigh64, v[3], v[0], v[3]);
    h.move(v[0], s);
}

}  // namespace

bool texels_are_words(unsigned bytes) {
    return std::has_single_bit(bytes) && bytes <= 16;
}

TexelPlace::TexelPlace(EmitContext& context,
                       const LaneGroup& group,
                       unsigned target,
                       unsigned bytes)
    : c(context)
    , h(context.h)
    , group_(group)
    , bytes_(bytes) {
    const size_t member = offsetof(exec::FragmentCall, color) + sizeof(uint8_t*) * target;
    block_ = tile_pixels(c, member);
    const Scalar offset = c.scalar();
    h.move(offset, Gp::PixelBlock);
    h.shift_left64(offset,
                   static_cast<unsigned>(std::countr_zero(unsigned{c.key.fragment->samples})));
    scale(h, offset, bytes);
    h.add64(block_, offset);
    if (group.index != Gp::None) {
        h.move(offset, group.index);
        scale(h, offset, bytes);
        h.add64(block_, offset);
    }
}

Address TexelPlace::texels(unsigned sample) const {
    return {block_, static_cast<int32_t>((sample * exec::kLanes + group_.first) * bytes_)};
}

Address TexelPlace::old_word(unsigned sample, unsigned word) const {
    if (bytes_ == 4)
        return texels(sample);
    return group_.of(VALKYR_FRAME(in[0]).plus(static_cast<int32_t>(word * sizeof(exec::Lanes))));
}

void TexelPlace::read(unsigned sample) const {
    if (bytes_ == 4)
        return;
    if (bytes_ > 4)
        return read_rows(sample);
    const Temp v = c.scratch();
    if (bytes_ == 1)
        h.load_bytes(v, texels(sample));
    else
        h.load_halves(v, texels(sample));
    h.store(old_word(sample, 0), v);
}

/// Reads the k-th 16 bytes of every four texels into register k.
void TexelPlace::read_rows(unsigned sample) const {
    const unsigned count = words();
    const Address place = texels(sample);
    std::array<Temp, 4> rows;
    for (unsigned k = 0; k < count; ++k) {
        rows[k] = c.scratch();
        h.load_quad(rows[k], place.plus(static_cast<int32_t>(kQuadBytes * k)));
        for (unsigned q = 1; q < h.traits().lanes / 4; ++q)
            h.insert_quad(rows[k], q,
                          place.plus(static_cast<int32_t>(kQuadBytes * (count * q + k))));
    }
    if (count == 4) {
        transpose(c, rows);
    } else {
        const Temp t = c.scratch();
        h.op(ImmOp::QuadPermute, rows[0], rows[0], kPairsApart);
        h.op(ImmOp::QuadPermute, rows[1], rows[1], kPairsApart);
        h.op(Binary::UnpackLow64, t, rows[0], rows[1]);
        h.op(Binary::UnpackHigh64, rows[1], rows[0], rows[1]);
        h.move(rows[0], t);
    }
    for (unsigned k = 0; k < count; ++k)
        h.store(old_word(sample, k), rows[k]);
}

void TexelPlace::write_rows(unsigned sample, std::array<Temp, 4>& rows) const {
    const unsigned count = words();
    const Address place = texels(sample);
    if (count == 4) {
        transpose(c, rows);
    } else {
        const Temp t = c.scratch();
        h.op(Binary::UnpackLow32, t, rows[0], rows[1]);
        h.op(Binary::UnpackHigh32, rows[1], rows[0], rows[1]);
        h.move(rows[0], t);
    }
    for (unsigned k = 0; k < count; ++k)
        for (unsigned q = 0; q < h.traits().lanes / 4; ++q)
            h.store_quad(place.plus(static_cast<int32_t>(kQuadBytes * (count * q + k))), q,
                         rows[k]);
}

void TexelPlace::write(unsigned sample, Mask lanes, std::array<Temp, 4>& fresh) const {
    if (bytes_ == 4) {
        h.store_masked(texels(sample), lanes, fresh[0]);
        return;
    }
    for (unsigned k = 0; k < words(); ++k) {
        const Temp old = c.scratch();
        h.load(old, old_word(sample, k));
        h.select(Element::B32, fresh[k], lanes, fresh[k], old);
    }
    if (bytes_ == 1)
        h.store_bytes(texels(sample), fresh[0]);
    else if (bytes_ == 2)
        h.store_halves(texels(sample), fresh[0]);
    else
        write_rows(sample, fresh);
}

}  // namespace valkyr::jit
