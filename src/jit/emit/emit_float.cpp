// Float emitters: compute binary32 sums, products, minima and roundings.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/float_compare.hpp"

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

/// Bounds beyond this are not followed, so that no sum or product overflows.
constexpr unsigned kMostBound = 60;

/// The bound of sums of numbers with these bounds; 0: not known.
uint8_t sum_bound(unsigned a, unsigned b) {
    const unsigned larger = std::max(a, b);
    return a != 0 && b != 0 && larger < kMostBound ? static_cast<uint8_t>(larger + 1) : 0;
}
FloatFacts of_sum(const FloatFacts& a, const FloatFacts& b) {
    const bool positive = a.positive && b.positive;
    FloatFacts facts{.positive = positive, .from_one = positive && (a.from_one || b.from_one)};
    // The sum of two infinities of different signs is a NaN, so each side needs both bounds.
    if (a.magnitude() != 0 && b.magnitude() != 0) {
        facts.low = sum_bound(a.low, b.low);
        facts.high = sum_bound(a.high, b.high);
    }
    return facts;
}
FloatFacts of_product(const FloatFacts& a, const FloatFacts& b) {
    const unsigned sum = a.magnitude() + b.magnitude();
    if (a.magnitude() == 0 || b.magnitude() == 0 || sum >= kMostBound)
        return {};
    FloatFacts facts = FloatFacts::within(sum, a.positive && b.positive);
    facts.from_one = a.from_one && b.from_one;
    return facts;
}
/// The larger of two; a NaN gives the other one. The smaller one is the larger negated one.
FloatFacts of_maximum(const FloatFacts& a, const FloatFacts& b) {
    const auto known = [](uint8_t x) { return x != 0 ? x : uint8_t{255}; };
    const uint8_t low = std::min(known(a.low), known(b.low));
    return {low != 255 ? low : uint8_t{0},
            a.high != 0 && b.high != 0 ? std::max(a.high, b.high) : uint8_t{0},
            a.positive || b.positive, a.from_one || b.from_one};
}
FloatFacts of_extreme(const FloatFacts& a, const FloatFacts& b, bool maximum) {
    if (maximum)
        return of_maximum(a, b);
    FloatFacts facts = of_maximum(a.negated(), b.negated()).negated();
    facts.positive = a.positive && b.positive;
    facts.from_one = a.from_one && b.from_one;
    return facts;
}

void fadd(EmitContext& c) {
    const FloatFacts first = c.float_facts(0);
    const FloatFacts facts = adds_nothing(c) ? first : of_sum(first, c.float_facts(1));
    const SignedVec a = c.f32_signed(0);
    if (adds_nothing(c)) {
        const Temp d = c.result_over(a.value);
        if (a.negate)
            c.h.op(Binary::Xor, d, a.value, c.pool(float_bits::kSign));
        else
            c.h.move(d, a.value);
        return c.write_f32_narrowing(d, facts);
    }
    if (a.negate) {
        // -a + b = b - a, and -a - b with b's sign changed.
        const Temp b = c.f32(1);
        const Temp d = c.result_over(a.value, b);
        c.h.op(Binary::SubF32, d, b, a.value);
        return c.write_f32_narrowing(d, facts);
    }
    const Signed b = c.f32_operand(1);
    const Temp d = c.result_over(a.value, b.value);
    c.h.op(b.negate ? Binary::SubF32 : Binary::AddF32, d, a.value, b.value);
    c.write_f32_narrowing(d, facts);
}

/// The addend of a product. A host that adds to a register loads a constant into that one, so that
/// it need not stay in another.
Signed addend_of(EmitContext& c) {
    const auto known = c.known_f32(2);
    if (!known || c.h.traits().folds_broadcast)
        return c.f32_operand(2);
    return {c.constant(*known), false};
}

void fma(EmitContext& c) {
    const SignedVec a = c.f32_signed(0);
    const Signed b = c.f32_operand(1);
    const bool negate = a.negate != b.negate;
    const FloatFacts product = of_product(c.float_facts(0), c.float_facts(1));
    if (c.known_f32(2) == kMinusZero && !negate) {
        const Temp d = c.result_over(a.value, b.value);
        c.h.op(Binary::MulF32, d, a.value, b.value);
        return c.write_f32_narrowing(d, product);
    }
    const FloatFacts facts = of_sum(product, c.float_facts(2));
    const Signed addend = addend_of(c);
    // Hosts that add to a register need that of the addend, or a new one.
    const Temp d = c.h.traits().folds_broadcast ? c.result_over(addend.value, a.value, b.value)
                                                : c.result_over(addend.value);
    c.h.fma(d, a.value, b.value, addend.value, negate, addend.negate);
    c.write_f32_narrowing(d, facts);
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
    const FloatFacts first = c.float_facts(0);
    const FloatFacts facts = of_extreme(first, c.float_facts(1), maximum);
    if (maximum && is_magnitude(c)) {
        const SignedVec x = c.f32_signed(0);
        const Temp d = c.result_over(x.value);
        c.h.op(Binary::And, d, x.value, c.pool(~float_bits::kSign));
        return c.write_f32(d, first.absolute());
    }
    const uint32_t losing_zero = maximum ? kMinusZero : kPlusZero;
    for (unsigned bound = 0; bound < 2; ++bound) {
        if (!simple_bound(c, bound, losing_zero))
            continue;
        const Temp x = c.f32(1 - bound);
        const TempOperand limit = c.f32_operand(bound).value;
        const Temp d = c.result();
        limit_f32(c, d, x, limit, maximum, c.may_signal(1 - bound));
        return c.write_f32(d, facts);
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
    c.write_f32(d, facts);
}

}  // namespace

VALKYR_EMIT_AS(FADD_F32, fadd(c))
VALKYR_EMIT_AS(FMA_F32, fma(c))
VALKYR_EMIT_AS(FMIN_F32, extreme(c, false))
VALKYR_EMIT_AS(FMAX_F32, extreme(c, true))

VALKYR_EMIT(FADD_IMM_F32) {
    const auto literal = static_cast<uint32_t>(c.instr().imm[0]);
    const Temp a = c.word(0);
    const Temp d = c.result_over(a);
    c.h.op(Binary::AddF32, d, a, c.pool(literal));
    c.canonicalise(d);
    c.write(d);
    c.set_quiet();
}

VALKYR_EMIT(FROUND_F32) {
    const Temp a = c.f32(0);
    FloatFacts facts = c.float_facts(0);
    // Up or down to the next whole number.
    facts.low += !facts.positive && facts.low != 0 ? 1 : 0;
    facts.high += facts.high != 0 ? 1 : 0;
    const Temp d = c.result_over(a);
    c.h.round_f32(d, a, static_cast<Rounding>(c.instr().mod(Mod::roundmode)));
    if (!facts.is_number())
        c.canonicalise(d);
    c.write(d);
    c.set_facts({.number = facts, .quiet = true});
}

}  // namespace valkyr::jit
