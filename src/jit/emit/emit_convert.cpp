// Conversion emitters: move, pack and convert between number formats.
// SPDX-License-Identifier: MIT
#include "jit/emit/emitter.hpp"

namespace valkyr::jit {

using valhall::Clamp;
using valhall::Mod;

namespace {

Rounding rounding_of(const EmitContext& c) {
    return static_cast<Rounding>(c.instr().mod(Mod::roundmode));
}

/// Facts about integers below 2^width as floats. Rounding may give 2^width itself if they have
/// more bits than a significand.
FloatFacts facts_of_integers(unsigned width) {
    return FloatFacts::within(std::max(width <= 24 ? width : width + 1, 1U), true);
}

void integer_to_f32(EmitContext& c, bool is_signed) {
    const unsigned width = c.widened_width(0, is_signed);
    const bool fits = width < WordFacts::kWordWidth;  // so that its sign does not matter
    const Temp a = c.widen32(0, is_signed);
    const Temp d = c.scratch();
    if (is_signed || fits)
        c.h.s32_to_f32(d, a, rounding_of(c));
    else
        c.h.u32_to_f32(d, a, rounding_of(c));
    c.write(d);
    c.set_facts({.number = fits || !is_signed ? facts_of_integers(width) : FloatFacts::within(32),
                 .quiet = true});
}

/// A half of the widened source, extended to 32 bits.
Temp half_integer(EmitContext& c, Vec word, unsigned half, bool is_signed) {
    Temp d = c.scratch();
    Vec top = word;
    if (half == 0) {
        c.h.op(ImmOp::Shl32, d, word, 16);
        top = d;
    }
    c.h.op(is_signed ? ImmOp::Sar32 : ImmOp::Shr32, d, top, 16);
    return d;
}

void halves_to_v2f16(EmitContext& c, Vec word, bool is_signed, Rounding rounding) {
    const Temp low = half_integer(c, word, 0, is_signed);
    const Temp high = half_integer(c, word, 1, is_signed);
    c.h.op(Unary::S32ToF32, low, low);
    c.h.op(Unary::S32ToF32, high, high);
    for (const Vec v : {Vec(low), Vec(high)})
        c.h.f32_to_f16(v, v, rounding);  // integers give no NaN
    c.pack_halves(low, low, high);
    c.write(low);
}

/// One byte, sign- or zero-extended.
Temp byte_integer(EmitContext& c, bool is_signed) {
    Temp d = c.scratch();
    const unsigned index = c.instr().src[0].selector & 3;
    const Temp word = c.word(0);
    Vec top = word;
    if (index != 3) {
        c.h.op(ImmOp::Shl32, d, word, 24 - 8 * index);
        top = d;
    }
    c.h.op(is_signed ? ImmOp::Sar32 : ImmOp::Shr32, d, top, 24);
    return d;
}

/// Two bytes as 16-bit integers.
Temp two_bytes(EmitContext& c, bool is_signed) {
    constexpr uint32_t zero = 0x80;
    const uint32_t low = c.instr().src[0].selector & 3U;
    const uint32_t high = c.instr().src[0].selector >> 2 & 3U;
    Temp d = c.scratch();
    if (is_signed) {
        c.shuffle_bytes(d, c.word(0), zero | low << 8 | zero << 16 | high << 24);
        c.h.op(ImmOp::Sar16, d, d, 8);
    } else {
        c.shuffle_bytes(d, c.word(0), low | zero << 8 | high << 16 | zero << 24);
    }
    return d;
}

/// bits  of the integer's absolute value
void to_f32(EmitContext& c, Vec integer, unsigned bits, bool is_signed) {
    c.h.op(Unary::S32ToF32, integer, integer);
    c.write(integer);
    c.set_facts({.number = FloatFacts::within(bits, !is_signed), .quiet = true});
}

/// Widens an integer field of the source.
/// bits  of the field
void to_word(EmitContext& c, Vec integer, unsigned bits, bool is_signed) {
    c.write(integer);
    if (!is_signed)
        c.set_facts(WordFacts::below(bits));
}

void f32_to_integer(EmitContext& c, Vec a, bool is_signed) {
    const Temp d = c.scratch();
    const FloatFacts facts = c.float_facts(0);
    const unsigned bits = facts.magnitude();
    const bool small = bits != 0 && bits < 31;
    if (small && (is_signed || facts.positive))
        c.h.small_f32_to_s32(d, a, rounding_of(c));
    else if (is_signed)
        c.h.f32_to_s32(d, a, rounding_of(c));
    else
        c.h.f32_to_u32(d, a, rounding_of(c));
    c.write(d);
    if (small && facts.positive)
        c.set_facts(WordFacts::below(bits + 1));  // rounded up to 2^bits
}

/// Converts both halves to 16-bit integers: to 32-bit integers first, then clamped to 16 bits.
void v2f16_to_integer(EmitContext& c, bool is_signed) {
    const auto lane = [&](unsigned k) {
        const Temp a = c.f16_lane(0, k);
        Temp d = c.scratch();
        c.h.f32_to_s32(d, a, rounding_of(c));
        c.h.op(Binary::MinS32, d, d, c.pool(is_signed ? 0x7FFF : 0xFFFF));
        c.h.op(Binary::MaxS32, d, d, c.pool(is_signed ? 0xFFFF8000 : 0));
        return d;
    };
    const Temp low = lane(0);
    const Temp high = lane(1);
    c.h.op(Binary::And, low, low, c.pool(0xFFFF));
    c.pack_halves(low, low, high);
    c.write(low);
}

}  // namespace

VALKYR_EMIT_AS(S32_TO_F32, integer_to_f32(c, true))
VALKYR_EMIT_AS(U32_TO_F32, integer_to_f32(c, false))
VALKYR_EMIT_AS(V2S16_TO_V2F16, halves_to_v2f16(c, c.widen16(0, true), true, rounding_of(c)))
VALKYR_EMIT_AS(V2U16_TO_V2F16, halves_to_v2f16(c, c.widen16(0, false), false, rounding_of(c)))

VALKYR_EMIT_AS(S16_TO_S32, to_word(c, c.low_half(0, true), 16, true))
VALKYR_EMIT_AS(U16_TO_U32, to_word(c, c.low_half(0, false), 16, false))
VALKYR_EMIT_AS(S16_TO_F32, to_f32(c, c.low_half(0, true), 16, true))
VALKYR_EMIT_AS(U16_TO_F32, to_f32(c, c.low_half(0, false), 16, false))

VALKYR_EMIT_AS(S8_TO_S32, to_word(c, byte_integer(c, true), 8, true))
VALKYR_EMIT_AS(U8_TO_U32, to_word(c, byte_integer(c, false), 8, false))
VALKYR_EMIT_AS(S8_TO_F32, to_f32(c, byte_integer(c, true), 8, true))
VALKYR_EMIT_AS(U8_TO_F32, to_f32(c, byte_integer(c, false), 8, false))

VALKYR_EMIT_AS(V2S8_TO_V2S16, c.write(two_bytes(c, true)))
VALKYR_EMIT_AS(V2U8_TO_V2U16, c.write(two_bytes(c, false)))
VALKYR_EMIT_AS(V2S8_TO_V2F16, halves_to_v2f16(c, two_bytes(c, true), true, Rounding::Nearest))
VALKYR_EMIT_AS(V2U8_TO_V2F16, halves_to_v2f16(c, two_bytes(c, false), false, Rounding::Nearest))

VALKYR_EMIT_AS(F32_TO_S32, f32_to_integer(c, c.f32(0), true))
VALKYR_EMIT_AS(F32_TO_U32, f32_to_integer(c, c.f32(0), false))
VALKYR_EMIT_AS(F16_TO_S32, f32_to_integer(c, c.f16_lane(0, 0), true))
VALKYR_EMIT_AS(F16_TO_U32, f32_to_integer(c, c.f16_lane(0, 0), false))
VALKYR_EMIT_AS(V2F16_TO_V2S16, v2f16_to_integer(c, true))
VALKYR_EMIT_AS(V2F16_TO_V2U16, v2f16_to_integer(c, false))

VALKYR_EMIT(F16_TO_F32) {
    const valhall::Source& s = c.instr().src[0];
    const Temp d = c.half_to_f32(c.word(0), s.selector != 0 ? 1 : 0);
    if (s.abs)
        c.h.op(Binary::And, d, d, c.pool(0x7FFFFFFF));
    if (s.neg)
        c.h.op(Binary::Xor, d, d, c.pool(0x80000000));
    c.canonicalise(d);
    c.write(d);
    c.set_quiet();
}

VALKYR_EMIT(V2F32_TO_V2F16) {
    const Temp low = c.scratch();
    const Temp high = c.scratch();
    c.h.move(low, c.f32(0));
    c.h.move(high, c.f32(1));
    c.write_v2f16(low, high, c.instr().get<Clamp>(Mod::clamp), rounding_of(c),
                  c.may_signal(0) || c.may_signal(1));
}

VALKYR_EMIT(MOV_I32) {
    const auto known = c.known_word(0);
    if (known && c.instr().dest.mask == 3) {
        c.write_constant(*known);
        return;
    }
    c.write_source(0);
}

VALKYR_EMIT(MKVEC_V2I16) {
    constexpr uint32_t zero = 0x80;
    const auto low_half = [&](unsigned source) {
        return c.instr().src[source].selector & 1 ? 2U : 0U;  // h10 and h11: from the high half
    };
    const uint32_t a = low_half(0);
    const uint32_t b = low_half(1);
    const Temp low = c.scratch();
    const Temp high = c.scratch();
    c.shuffle_bytes(low, c.word(0), a | (a + 1) << 8 | zero << 16 | zero << 24);
    c.shuffle_bytes(high, c.word(1), zero | zero << 8 | b << 16 | (b + 1) << 24);
    c.h.op(Binary::Or, low, low, high);
    c.write(low);
}

VALKYR_EMIT(MKVEC_V2I8) {
    constexpr uint32_t zero = 0x80;
    const uint32_t a = c.instr().src[0].selector & 3U;
    const uint32_t b = c.instr().src[1].selector & 3U;
    const Temp d = c.scratch();
    const Temp t = c.scratch();
    c.shuffle_bytes(d, c.word(0), a | zero << 8 | zero << 16 | zero << 24);
    c.shuffle_bytes(t, c.word(1), zero | b << 8 | zero << 16 | zero << 24);
    c.h.op(Binary::Or, d, d, t);
    c.h.op(ImmOp::Shl32, t, c.word(2), 16);
    c.h.op(Binary::Or, d, d, t);
    c.write(d);
}

}  // namespace valkyr::jit
