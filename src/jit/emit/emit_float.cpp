// Float emitters: compute binary32 sums, products, minima and roundings.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Mod;

namespace {

constexpr uint32_t kPlusZero = 0;
constexpr uint32_t kMinusZero = 0x80000000;

/// x + -0.0 changes only signalling NaNs. Programs use it for moves, neg, abs and clamp.
bool adds_nothing(EmitContext& c) {
    return c.known_f32(1) == kMinusZero && !c.may_signal(0);
}

/// Facts about sums and products; large numbers are left out, because they can overflow.
FloatFacts of_sum(const FloatFacts& a, const FloatFacts& b) {
    constexpr unsigned kMost = 60;
    const unsigned larger = std::max(a.magnitude, b.magnitude);
    const bool known = a.magnitude != 0 && b.magnitude != 0 && larger < kMost;
    return {.magnitude = known ? larger + 1 : 0, .positive = a.positive && b.positive};
}
FloatFacts of_product(const FloatFacts& a, const FloatFacts& b) {
    constexpr unsigned kMost = 60;
    const bool known = a.magnitude != 0 && b.magnitude != 0;
    const unsigned sum = a.magnitude + b.magnitude;
    return {.magnitude = known && sum < kMost ? sum : 0,
            .positive = known && a.positive && b.positive};
}
FloatFacts of_extreme(const FloatFacts& a, const FloatFacts& b, bool maximum) {
    const bool known = a.magnitude != 0 && b.magnitude != 0;
    return {.magnitude = known ? std::max(a.magnitude, b.magnitude) : 0,
            .positive = maximum ? a.positive || b.positive : a.positive && b.positive};
}

/// Notes facts about a result before the instruction's clamp, which turns NaNs into 0 or -1.
void note(EmitContext& c, FloatFacts facts) {
    switch (c.instr().get<valhall::Clamp>(Mod::clamp)) {
    case valhall::Clamp::none: break;
    case valhall::Clamp::clamp_0_inf: facts.positive = true; break;
    case valhall::Clamp::clamp_m1_1: facts = {.magnitude = 1}; break;
    case valhall::Clamp::clamp_0_1: facts = {.magnitude = 1, .positive = true}; break;
    }
    c.set_float_facts(facts);
}

void fadd(EmitContext& c) {
    const FloatFacts first = c.float_facts(0);
    const FloatFacts facts = adds_nothing(c) ? first : of_sum(first, c.float_facts(1));
    const Temp d = c.result();
    const SignedVec a = c.f32_signed(0);
    if (adds_nothing(c)) {
        if (a.negate)
            c.h.op(Binary::Xor, d, a.value, c.pool(float_bits::kSign));
        else
            c.h.move(d, a.value);
        c.write_f32_narrowing(d);
        return note(c, facts);
    }
    if (a.negate) {
        // -a + b = b - a, and -a - b with b's sign changed.
        const Temp b = c.f32(1);
        c.h.op(Binary::SubF32, d, b, a.value);
    } else {
        const Signed b = c.f32_operand(1);
        c.h.op(b.negate ? Binary::SubF32 : Binary::AddF32, d, a.value, b.value);
    }
    c.write_f32_narrowing(d);
    note(c, facts);
}

void fma(EmitContext& c) {
    const SignedVec a = c.f32_signed(0);
    const Signed b = c.f32_operand(1);
    const bool negate = a.negate != b.negate;
    const FloatFacts product = of_product(c.float_facts(0), c.float_facts(1));
    if (c.known_f32(2) == kMinusZero && !negate) {
        const Temp d = c.result();
        c.h.op(Binary::MulF32, d, a.value, b.value);
        c.write_f32_narrowing(d);
        return note(c, product);
    }
    const FloatFacts facts = of_sum(product, c.float_facts(2));
    const Signed addend = c.f32_operand(2);
    const Temp d = c.result_over(a.value, b.value, addend.value);
    c.h.fma(d, a.value, b.value, addend.value, negate, addend.negate);
    c.write_f32_narrowing(d);
    note(c, facts);
}

/// A constant that may be the second operand of the host's minimum or maximum, which returns it for
/// NaNs and zeros of either sign: any number but the zero that must lose.
std::optional<uint32_t> simple_bound(const EmitContext& c, unsigned source, uint32_t losing_zero) {
    const auto bound = c.known_f32(source);
    return bound && !float_bits::is_nan(*bound) && *bound != losing_zero ? bound : std::nullopt;
}

/// Whether the instruction takes the larger of x and -x.
bool is_magnitude(const EmitContext& c) {
    valhall::Source x = c.instr().src[0];
    const valhall::Source& y = c.instr().src[1];
    x.last_use = y.last_use;
    x.neg = !x.neg;
    return x == y && !x.abs && !c.may_signal(0);
}

/// The facts that min_num() or max_num() gets.
NumOperands operands_of(const EmitContext& c, bool maximum, bool swapped) {
    const FloatFacts a = c.float_facts(swapped ? 1 : 0);
    const FloatFacts b = c.float_facts(swapped ? 0 : 1);
    const bool numbers = a.is_number() && b.is_number();
    return {.may_signal = c.may_signal(0) || c.may_signal(1),
            .second_is_number = b.is_number(),
            .numbers = numbers,
            .second_if_equal = maximum ? b.positive : numbers && a.positive};
}

/// Whether to swap the operands of a minimum or maximum, so that it takes fewer instructions.
bool is_swapped(const EmitContext& c, bool maximum) {
    const NumOperands straight = operands_of(c, maximum, false);
    const NumOperands swapped = operands_of(c, maximum, true);
    if (straight.second_if_equal || swapped.second_if_equal)
        return !straight.second_if_equal;
    return !straight.second_is_number && swapped.second_is_number;
}

void extreme(EmitContext& c, bool maximum) {
    const FloatFacts facts = of_extreme(c.float_facts(0), c.float_facts(1), maximum);
    if (maximum && is_magnitude(c)) {
        const SignedVec x = c.f32_signed(0);
        const Temp d = c.result();
        c.h.op(Binary::And, d, x.value, c.pool(~float_bits::kSign));
        c.write_f32(d);
        return note(c, {.magnitude = c.magnitude(0), .positive = c.magnitude(0) != 0});
    }
    const uint32_t losing_zero = maximum ? kMinusZero : kPlusZero;
    for (unsigned bound = 0; bound < 2; ++bound) {
        if (!simple_bound(c, bound, losing_zero))
            continue;
        const Temp x = c.f32(1 - bound);
        const TempOperand limit = c.f32_operand(bound).value;
        const Temp d = c.result();
        c.h.op(maximum ? Binary::MaxF32 : Binary::MinF32, d, x, limit);
        c.write_f32(d);
        return note(c, facts);
    }
    const bool swapped = is_swapped(c, maximum);
    const NumOperands known = operands_of(c, maximum, swapped);
    const Temp a = c.f32(swapped ? 1 : 0);
    const Temp b = c.f32(swapped ? 0 : 1);
    const Temp d = c.result();
    if (maximum)
        c.h.max_num(d, a, b, known);
    else
        c.h.min_num(d, a, b, known);
    c.write_f32(d);
    note(c, facts);
}

}  // namespace

VALKYR_EMIT_AS(FADD_F32, fadd(c))
VALKYR_EMIT_AS(FMA_F32, fma(c))
VALKYR_EMIT_AS(FMIN_F32, extreme(c, false))
VALKYR_EMIT_AS(FMAX_F32, extreme(c, true))

VALKYR_EMIT(FADD_IMM_F32) {
    const auto literal = static_cast<uint32_t>(c.instr().imm[0]);
    const Temp a = c.word(0);
    const Temp d = c.result();
    c.h.op(Binary::AddF32, d, a, c.pool(literal));
    c.canonicalise(d);
    c.write(d);
}

VALKYR_EMIT(FROUND_F32) {
    const Temp a = c.f32(0);
    FloatFacts facts = c.float_facts(0);
    facts.magnitude += facts.magnitude != 0 ? 1 : 0;  // up to the next whole number
    const Temp d = c.result();
    c.h.round_f32(d, a, static_cast<Rounding>(c.instr().mod(Mod::roundmode)));
    c.canonicalise(d);
    c.write(d);
    c.set_float_facts(facts);
}

}  // namespace valkyr::jit
