// Packed emitters: compute on two 16-bit or four 8-bit lanes of a word.
// SPDX-License-Identifier: MIT
#include "jit/context/formula.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/integer_math.hpp"

namespace valkyr::jit {

using valhall::Mod;

namespace {

void binary(EmitContext& c, Element element, bool is_signed, Binary wrapping, Binary saturating) {
    const Temp a = c.integer(0, element, is_signed);
    const Temp b = c.integer(1, element, is_signed);
    const Temp d = c.result();
    c.h.op(c.instr().mod(Mod::saturate) ? saturating : wrapping, d, a, b);
    c.write(d);
}

void multiply_16(EmitContext& c, bool is_signed) {
    HostAssembler& h = c.h;
    const Temp a = c.widen16(0, is_signed);
    const Temp b = c.widen16(1, is_signed);
    const Temp d = c.scratch();
    h.op(Binary::MulI16, d, a, b);
    if (!c.instr().mod(Mod::saturate))
        return c.write(d);
    S16 high(c);
    S16 t(c);
    LaneMask overflow(c);
    S16 low(c, d);
    if (is_signed) {
        high = multiply_high(s16(a), b);
        t = low >> 15;
        overflow = t != high;
        high = (high >> 15) ^ 0x7FFF;
        low = select(overflow, high, low);
    } else {
        high = s16(multiply_high(u16(a), b));
        t = 0;
        overflow = high != t;
        t = -1;
        low = select(overflow, t, low);
    }
    c.write(low);
}

/// The even or odd bytes as 16-bit integers.
Temp bytes_of(EmitContext& c, Vec a, bool odd, bool is_signed) {
    Temp d = c.scratch();
    Vec top = a;
    if (!odd) {
        c.h.op(ImmOp::Shl16, d, a, 8);
        top = d;
    }
    c.h.op(is_signed ? ImmOp::Sar16 : ImmOp::Shr16, d, top, 8);
    return d;
}

/// Multiplies bytes as 16-bit lanes, which hold the products.
void multiply_8(EmitContext& c, bool is_signed) {
    const Temp a = c.widen8(0);
    const Temp b = c.widen8(1);
    const bool saturate = c.instr().mod(Mod::saturate) != 0;
    const auto product = [&](bool odd) {
        S16 x(c, bytes_of(c, a, odd, is_signed));
        x *= bytes_of(c, b, odd, is_signed);
        U16 n(c, x);
        if (saturate && is_signed)
            x = max(min(x, 0x7F), -0x80);
        else if (saturate)
            n = min(n, 0xFF);
        return x;
    };
    S16 even = product(false);
    S16 odd = product(true);
    even &= 0xFF;
    odd <<= 8;
    even |= odd;
    c.write(even);
}

/// The host averages unsigned elements and rounds up; to round down, subtract the lost bit. A bias
/// makes signed elements unsigned, and back.
void half_add(EmitContext& c, Element element, bool is_signed) {
    HostAssembler& h = c.h;
    const bool bytes = element == Element::B8;
    const uint32_t bias = bytes ? 0x80808080 : 0x80008000;
    const Temp a = c.scratch();
    const Temp b = c.scratch();
    h.move(a, c.integer(0, element, is_signed));
    h.move(b, c.integer(1, element, is_signed));
    if (is_signed) {
        h.op(Binary::Xor, a, a, c.pool(bias));
        h.op(Binary::Xor, b, b, c.pool(bias));
    }
    const Temp d = c.scratch();
    h.op(bytes ? Binary::AvgU8 : Binary::AvgU16, d, a, b);
    if (!c.instr().mod(Mod::rhadd)) {
        h.op(Binary::Xor, a, a, b);
        h.op(Binary::And, a, a, c.pool(bytes ? 0x01010101 : 0x00010001));
        h.op(bytes ? Binary::SubI8 : Binary::SubI16, d, d, a);
    }
    if (is_signed)
        h.op(Binary::Xor, d, d, c.pool(bias));
    c.write(d);
}

void add_literal(EmitContext& c, Binary op) {
    const Temp a = c.word(0);
    const Temp d = c.result();
    c.h.op(op, d, a, c.pool(static_cast<uint32_t>(c.instr().imm[0])));
    c.write(d);
}

void absolute(EmitContext& c, Element element, Unary op) {
    const Temp a = c.integer(0, element, true);
    const Temp d = c.result();
    c.h.op(op, d, a);
    c.write(d);
}

/// Sums of four byte products and the accumulator.
void dot_product(EmitContext& c, bool is_signed) {
    HostAssembler& h = c.h;
    const Temp a = c.word(0);
    const Temp b = c.word(1);
    const auto partial = [&](bool odd) {
        Temp x = bytes_of(c, a, odd, is_signed);
        const Temp y = bytes_of(c, b, odd, is_signed);
        h.op(Binary::MulAddS16, x, x, y);
        return x;
    };
    const Temp sum = partial(false);
    Temp odd = partial(true);
    h.op(Binary::AddI32, sum, sum, odd);
    odd.reset();
    const Temp accumulator = c.word(2);
    if (!c.instr().mod(Mod::saturate))
        h.op(Binary::AddI32, sum, sum, accumulator);
    else if (is_signed)
        add_saturate_s32(c, sum, accumulator, sum);
    else
        add_saturate_u32(c, sum, accumulator, sum);
    c.write(sum);
}

}  // namespace

VALKYR_EMIT_AS(IADD_V2U16, binary(c, Element::B16, false, Binary::AddI16, Binary::AddSatU16))
VALKYR_EMIT_AS(IADD_V2S16, binary(c, Element::B16, true, Binary::AddI16, Binary::AddSatS16))
VALKYR_EMIT_AS(IADD_V4U8, binary(c, Element::B8, false, Binary::AddI8, Binary::AddSatU8))
VALKYR_EMIT_AS(IADD_V4S8, binary(c, Element::B8, true, Binary::AddI8, Binary::AddSatS8))
VALKYR_EMIT_AS(ISUB_V2U16, binary(c, Element::B16, false, Binary::SubI16, Binary::SubSatU16))
VALKYR_EMIT_AS(ISUB_V2S16, binary(c, Element::B16, true, Binary::SubI16, Binary::SubSatS16))
VALKYR_EMIT_AS(ISUB_V4U8, binary(c, Element::B8, false, Binary::SubI8, Binary::SubSatU8))
VALKYR_EMIT_AS(ISUB_V4S8, binary(c, Element::B8, true, Binary::SubI8, Binary::SubSatS8))
VALKYR_EMIT_AS(IMUL_V2I16, multiply_16(c, false))
VALKYR_EMIT_AS(IMUL_V2S16, multiply_16(c, true))
VALKYR_EMIT_AS(IMUL_V4I8, multiply_8(c, false))
VALKYR_EMIT_AS(IMUL_V4S8, multiply_8(c, true))
VALKYR_EMIT_AS(HADD_V2U16, half_add(c, Element::B16, false))
VALKYR_EMIT_AS(HADD_V2S16, half_add(c, Element::B16, true))
VALKYR_EMIT_AS(HADD_V4U8, half_add(c, Element::B8, false))
VALKYR_EMIT_AS(HADD_V4S8, half_add(c, Element::B8, true))
VALKYR_EMIT_AS(IADD_IMM_V2I16, add_literal(c, Binary::AddI16))
VALKYR_EMIT_AS(IADD_IMM_V4I8, add_literal(c, Binary::AddI8))
VALKYR_EMIT_AS(IABS_V2S16, absolute(c, Element::B16, Unary::AbsI16))
VALKYR_EMIT_AS(IABS_V4S8, absolute(c, Element::B8, Unary::AbsI8))
VALKYR_EMIT_AS(IDP_V4S8, dot_product(c, true))
VALKYR_EMIT_AS(IDP_V4U8, dot_product(c, false))

}  // namespace valkyr::jit
