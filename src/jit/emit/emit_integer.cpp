// Integer emitters: compute 32-bit results, and 64-bit ones in pairs of registers.
// SPDX-License-Identifier: MIT
#include "jit/context/formula.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/integer_math.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::jit {

using valhall::Mod;

namespace {

using Saturating = void (*)(EmitContext&, Vec, Vec, Vec);

/// The width of sums of words; of those that can wrap it is that of a word.
unsigned sum_width(unsigned a, unsigned b) {
    return std::min(std::max(a, b) + 1, WordFacts::kWordWidth);
}

void add_or_sub(EmitContext& c, bool is_signed, Binary wrapping, Saturating saturating) {
    const Temp a = c.widen32(0, is_signed);
    if (c.instr().mod(Mod::saturate)) {
        const Temp b = c.widen32(1, is_signed);
        const Temp d = c.scratch();
        saturating(c, d, a, b);
        return c.write(d);
    }
    const unsigned width = sum_width(c.widened_width(0, is_signed), c.widened_width(1, is_signed));
    const TempOperand b = c.widen32_operand(1, is_signed);
    const Temp d = c.result_over(a, b);
    c.h.op(wrapping, d, a, b);
    c.write(d);
    if (wrapping == Binary::AddI32)
        c.set_facts(WordFacts::below(width));
}

/// Multiplies with wrapping. With extended operands the product does not depend on signedness.
void multiply(EmitContext& c, bool is_signed) {
    HostAssembler& h = c.h;
    const Temp a = c.widen32(0, is_signed);
    const Temp b = c.widen32(1, is_signed);
    const unsigned width = c.widened_width(0, is_signed) + c.widened_width(1, is_signed);
    const Temp d = c.scratch();
    if (!c.instr().mod(Mod::saturate)) {
        h.op(Binary::MulI32, d, a, b);
        c.write(d);
        return c.set_facts(WordFacts::below(std::min(width, WordFacts::kWordWidth)));
    }
    const Temp high = c.scratch();
    const Temp t = c.scratch();
    const TempMask overflow = c.scratch_mask();
    h.op(Binary::MulI32, d, a, b);
    if (is_signed) {
        h.multiply_high(high, a, b, true);
        h.op(ImmOp::Sar32, t, d, 31);
        h.compare(IntCond::NotEqual, Element::B32, true, overflow, t, high);
        h.op(ImmOp::Sar32, high, high, 31);
        h.op(Binary::Xor, high, high, c.pool(0x7FFFFFFF));
        h.select(Element::B32, d, overflow, high, d);
    } else {
        h.multiply_high(high, a, b, false);
        h.test_nonzero(overflow, high);
        h.select(Element::B32, d, overflow, c.pool(0xFFFFFFFF), d);
    }
    c.write(d);
}

/// floor((a + b) / 2) = (a & b) + ((a ^ b) >> 1); rounded up (a | b) - ((a ^ b) >> 1).
void half_add(EmitContext& c, bool is_signed) {
    const bool up = c.instr().mod(Mod::rhadd) != 0;
    const Temp a = c.widen32(0, is_signed);
    const Temp b = c.widen32(1, is_signed);
    U32 d(c);
    U32 half(c);
    if (is_signed)
        half = u32((s32(a) ^ b) >> 1);
    else
        half = (u32(a) ^ b) >> 1;
    if (up)
        d = (u32(a) | b) - half;
    else
        d = (u32(a) & b) + half;
    c.write(d);
}

void add_64(EmitContext& c, bool is_signed) {
    c.write_pair(add_u64(c, c.widen64(0, is_signed), c.widen64(1, is_signed)));
}

void sub_64(EmitContext& c, bool is_signed) {
    c.write_pair(sub_u64(c, c.widen64(0, is_signed), c.widen64(1, is_signed)));
}

/// Emits base + word without a carry; false unless the base's low word is known to be 0.
bool add_to_round_base(EmitContext& c, bool is_signed) {
    const auto low = c.known_word(0, 0);
    const auto high = c.known_word(0, 1);
    const bool is_word =
        !is_signed && c.instr().src[1].selector == static_cast<uint8_t>(valhall::Swizzles64Bit::w0);
    if (!low || *low != 0 || !high || !is_word || c.instr().imm[0] != 0)
        return false;
    const Temp index = c.word(1);
    const VecPair sum{c.scratch(), c.constant(*high)};
    c.h.move(sum.low, index);
    c.write_pair(sum);
    return true;
}

void shift_add(EmitContext& c, bool is_signed) {
    if (add_to_round_base(c, is_signed))
        return;
    const VecPair a = c.wide_word(0);
    const VecPair b = c.widen64(1, is_signed);
    const auto amount = static_cast<unsigned>(c.instr().imm[0]) & 7;
    if (amount == 0)
        return c.write_pair(add_u64(c, a, b));
    U32 low(c);
    U32 high(c);
    low = u32(b.low) >> (32 - amount);
    high = u32(b.high) << amount | low;
    low = u32(b.low) << amount;
    c.write_pair(add_u64(c, a, {std::move(low), std::move(high)}));
}

}  // namespace

VALKYR_EMIT_AS(IADD_U32, add_or_sub(c, false, Binary::AddI32, add_saturate_u32))
VALKYR_EMIT_AS(IADD_S32, add_or_sub(c, true, Binary::AddI32, add_saturate_s32))
VALKYR_EMIT_AS(ISUB_U32, add_or_sub(c, false, Binary::SubI32, sub_saturate_u32))
VALKYR_EMIT_AS(ISUB_S32, add_or_sub(c, true, Binary::SubI32, sub_saturate_s32))
VALKYR_EMIT_AS(IMUL_I32, multiply(c, false))
VALKYR_EMIT_AS(IMUL_S32, multiply(c, true))
VALKYR_EMIT_AS(HADD_U32, half_add(c, false))
VALKYR_EMIT_AS(HADD_S32, half_add(c, true))

VALKYR_EMIT_AS(IADD_U64, add_64(c, false))
VALKYR_EMIT_AS(IADD_S64, add_64(c, true))
VALKYR_EMIT_AS(ISUB_U64, sub_64(c, false))
VALKYR_EMIT_AS(ISUB_S64, sub_64(c, true))
VALKYR_EMIT_AS(SHADDX_U64, shift_add(c, false))
VALKYR_EMIT_AS(SHADDX_S64, shift_add(c, true))

VALKYR_EMIT(IADD_IMM_I32) {
    const auto literal = static_cast<uint32_t>(c.instr().imm[0]);
    const auto known = c.known_word(0);
    if (known && c.instr().dest.mask == 3) {
        c.write_constant(*known + literal);
        return;
    }
    const auto literal_width = static_cast<unsigned>(std::bit_width(literal));
    const unsigned width = sum_width(c.word_facts(0).width, literal_width);
    const Temp a = c.word(0);
    const Temp d = c.result_over(a);
    c.h.op(Binary::AddI32, d, a, c.pool(literal));
    c.write(d);
    c.set_facts(WordFacts::below(width));
}

VALKYR_EMIT(IABS_S32) {
    const Temp a = c.widen32(0, true);
    const Temp d = c.result();
    c.h.op(Unary::AbsI32, d, a);
    c.write(d);
}

VALKYR_EMIT(IMULD_U64) {
    const Temp a = c.widen64_low(0, false);
    const Temp b = c.widen64_low(1, false);
    const VecPair d{c.scratch(), c.scratch()};
    c.h.multiply_high(d.high, a, b, false);
    if (c.regs.lives_on(c.instr().dest.reg))
        c.h.op(Binary::MulI32, d.low, a, b);
    c.write_pair(d);
}

VALKYR_EMIT(SEG_ADD_U64) {
    HostAssembler& h = c.h;
    const VecPair a = c.wide_word(0);
    const VecPair b = c.widen64(1, false);
    const VecPair d = c.instr().mod(Mod::neg) ? sub_u64(c, a, b) : add_u64(c, a, b);
    if (c.instr().mod(Mod::preserve_null)) {
        const Temp any = c.scratch();
        const TempMask null = c.scratch_mask();
        h.op(Binary::Or, any, a.low, a.high);
        h.test_nonzero(null, any);
        h.mask_not(null, null);
        h.zero(any);
        h.select(Element::B32, d.low, null, any, d.low);
        h.select(Element::B32, d.high, null, any, d.high);
    }
    c.write_pair(d);
}

}  // namespace valkyr::jit
