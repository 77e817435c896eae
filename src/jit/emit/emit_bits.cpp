// Bit emitters: count and reverse bits (CLZ, POPCOUNT, BITREV, NOT_OLD).
// SPDX-License-Identifier: MIT
#include "jit/emit/emitter.hpp"

#include <array>

namespace valkyr::jit {

namespace {

constexpr unsigned kCountWidth = 6;  ///< of counts of bits: at most 32

/// A table of 16 bytes, repeated for every quad.
Operand nibble_table(EmitContext& c, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
    const std::array<uint32_t, 16> table = {w0, w1, w2, w3, w0, w1, w2, w3,
                                            w0, w1, w2, w3, w0, w1, w2, w3};
    return EmitContext::memory(c.h.pool_words(table));
}

/// The low and the high nibbles of all bytes, as bytes.
struct Nibbles {
    Temp low;
    Temp high;
};

Nibbles nibbles(EmitContext& c, Vec a) {
    Nibbles n{c.scratch(), c.scratch()};
    c.h.op(Binary::And, n.low, a, c.pool(0x0F0F0F0F));
    c.h.op(ImmOp::Shr32, n.high, a, 4);
    c.h.op(Binary::And, n.high, n.high, c.pool(0x0F0F0F0F));
    return n;
}

/// Counts the leading zeros of an element whose highest bit is `top`. It shifts the element up to
/// bit 31 and sets the bit right below it, which ends the count at its width.
Temp element_clz(EmitContext& c, Vec a, unsigned top, unsigned width) {
    Temp d = c.scratch();
    if (top != 31)
        c.h.op(ImmOp::Shl32, d, a, 31 - top);
    else
        c.h.move(d, a);
    c.h.op(Binary::Or, d, d, c.pool(1U << (31 - width)));
    c.h.count_leading_zeros(d, d);
    return d;
}

void packed_clz(EmitContext& c, Vec a, unsigned width) {
    const Temp d = element_clz(c, a, width - 1, width);
    for (unsigned start = width; start < 32; start += width) {
        const Temp count = element_clz(c, a, start + width - 1, width);
        c.h.op(ImmOp::Shl32, count, count, start);
        c.h.op(Binary::Or, d, d, count);
    }
    c.write(d);
}

void complement(EmitContext& c, Vec d, Vec a) {
    const Temp ones = c.constant(0xFFFFFFFF);
    c.h.op(Binary::Xor, d, a, ones);
}

}  // namespace

VALKYR_EMIT(CLZ_U32) {
    const Temp a = c.word(0);
    const Temp d = c.scratch();
    c.h.count_leading_zeros(d, a);
    c.write(d);
    c.set_facts(WordFacts::below(kCountWidth));
}
VALKYR_EMIT_AS(CLZ_V2U16, packed_clz(c, c.widen16(0, false), 16))
VALKYR_EMIT_AS(CLZ_V4U8, packed_clz(c, c.word(0), 8))

VALKYR_EMIT(POPCOUNT_I32) {
    const Temp a = c.word(0);
    const Temp d = c.result();
    c.h.count_ones(d, a);
    c.write(d);
    c.set_facts(WordFacts::below(kCountWidth));
}

VALKYR_EMIT(BITREV_I32) {
    HostAssembler& h = c.h;
    const Nibbles n = nibbles(c, c.word(0));
    const Temp table = c.scratch();
    h.move(table, nibble_table(c, 0x0C040800, 0x0E060A02, 0x0D050901, 0x0F070B03));
    h.op(Binary::ShuffleBytes, n.low, table, n.low);
    h.op(Binary::ShuffleBytes, n.high, table, n.high);
    h.op(ImmOp::Shl32, n.low, n.low, 4);
    h.op(Binary::Or, n.low, n.low, n.high);
    c.shuffle_bytes(n.low, n.low, 0x00010203);
    c.write(n.low);
}

VALKYR_EMIT(NOT_OLD_I32) {
    const Temp a = c.word(0);
    const Temp d = c.scratch();
    complement(c, d, a);
    c.write(d);
}

VALKYR_EMIT(NOT_OLD_I64) {
    const VecPair a = c.wide_word(0);
    const VecPair d{c.scratch(), c.scratch()};
    complement(c, d.low, a.low);
    complement(c, d.high, a.high);
    c.write_pair(d);
}

}  // namespace valkyr::jit
