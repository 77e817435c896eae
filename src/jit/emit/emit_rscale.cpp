// FMA_RSCALE emitters: compute (a * b + c) * 2^n with one rounding.
// SPDX-License-Identifier: MIT
//
// In double precision the product is exact. The sum with an addend is rounded to odd, so that the
// final rounding is right (53 bits are at least 24 + 2). The scaling is exact, because the numbers
// stay far from the ends of the double range.
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"

namespace valkyr::jit {

namespace {

enum class ZeroProduct : uint8_t { Multiply, Zero, Left };

constexpr uint32_t kMinusZero = 0x80000000;
using float_bits::kOne;

/// Factors with the zero rule applied.
struct Factors {
    Temp a;
    Temp b;
};

Factors factors(EmitContext& c, ZeroProduct rule) {
    Temp a = c.f32(0);
    Temp b = c.f32(1);
    if (rule == ZeroProduct::Multiply)
        return {std::move(a), std::move(b)};
    Temp zero = c.constant(0);
    TempMask no_product = c.scratch_mask();
    TempMask b_zero = c.scratch_mask();
    c.h.compare(FloatCond::Equal, no_product, a, zero);
    c.h.compare(FloatCond::Equal, b_zero, b, zero);
    c.h.mask_or(no_product, no_product, b_zero);
    b_zero.reset();
    Temp new_b = c.scratch();
    c.h.select(Element::B32, new_b, no_product, c.pool(kOne), b);
    c.done_with(b);
    if (rule == ZeroProduct::Left) {
        zero.reset();
        no_product.reset();
        return {std::move(a), std::move(new_b)};
    }
    c.h.select(Element::B32, zero, no_product, zero, a);
    no_product.reset();
    c.done_with(a);
    return {std::move(zero), std::move(new_b)};
}

/// sum = product + addend, rounded to odd. Overwrites both.
void add_to_odd(EmitContext& c, Vec product, Vec addend) {
    HostAssembler& h = c.h;
    const Temp sum = c.scratch();
    const Temp part = c.scratch();
    const Temp error = c.scratch();
    h.op(Binary::AddF64, sum, product, addend);
    h.op(Binary::SubF64, part, sum, product);
    h.op(Binary::SubF64, error, sum, part);
    h.op(Binary::SubF64, error, product, error);
    h.op(Binary::SubF64, addend, addend, part);
    h.op(Binary::AddF64, error, error, addend);
    // Where the sum is inexact and even, move it one unit in the last place towards the exact
    // value.
    const TempMask inexact = c.scratch_mask();
    const TempMask even = c.scratch_mask();
    h.zero(part);
    h.compare_f64(FloatCond::LessGreater, inexact, error, part);
    h.op(Binary::And, addend, sum, c.pool_wide(1));
    h.compare(IntCond::Equal, Element::B64, true, even, addend, part);
    h.mask_and(inexact, inexact, even);
    h.op(Binary::Xor, error, error, sum);
    h.compare(IntCond::Greater, Element::B64, true, even, part, error);
    h.mask_value(Element::B64, part, even, 0xFFFFFFFF);
    h.op(Binary::Or, part, part, c.pool_wide(1));
    h.op(Binary::AddI64, part, part, sum);
    h.select(Element::B64, product, inexact, part, sum);
}

/// low, high *= 2^n.
void scale(EmitContext& c, Vec low, Vec high, Vec n) {
    HostAssembler& h = c.h;
    const Temp limited = c.scratch();
    h.op(Binary::MinS32, limited, n, c.pool(500));
    h.op(Binary::MaxS32, limited, limited, c.pool(static_cast<uint32_t>(-500)));
    h.op(Binary::AddI32, limited, limited, c.pool(1023));
    const Temp low_factor = c.scratch();
    const Temp high_factor = c.scratch();
    h.widen_s64(low_factor, high_factor, limited);
    h.op(ImmOp::Shl64, low_factor, low_factor, 52);
    h.op(ImmOp::Shl64, high_factor, high_factor, 52);
    h.op(Binary::MulF64, low, low, low_factor);
    h.op(Binary::MulF64, high, high, high_factor);
}

void exact(EmitContext& c, ZeroProduct rule) {
    HostAssembler& h = c.h;
    Factors f = factors(c, rule);
    VecPair p{c.scratch(), c.scratch()};
    VecPair q{c.scratch(), c.scratch()};
    h.widen_f64(p.low, p.high, f.a);
    h.widen_f64(q.low, q.high, f.b);
    h.op(Binary::MulF64, p.low, p.low, q.low);
    h.op(Binary::MulF64, p.high, p.high, q.high);
    c.done_with(f.a);
    c.done_with(f.b);
    if (c.known_f32(2) != kMinusZero) {
        Temp addend = c.f32(2);
        h.widen_f64(q.low, q.high, addend);
        c.done_with(addend);
        // Keep the upper half in the frame: the sum needs many registers.
        h.store(VALKYR_FRAME(operand[0]), p.high);
        h.store(VALKYR_FRAME(operand[1]), q.high);
        p.high.reset();
        q.high.reset();
        add_to_odd(c, p.low, q.low);
        q.low.reset();
        VecPair upper{c.scratch(), c.scratch()};
        h.load(upper.low, VALKYR_FRAME(operand[0]));
        h.load(upper.high, VALKYR_FRAME(operand[1]));
        add_to_odd(c, upper.low, upper.high);
        upper.high.reset();
        const Temp n = c.word(3);
        scale(c, p.low, upper.low, n);
        h.narrow_f64(p.low, p.low, upper.low);
    } else {
        q.low.reset();
        q.high.reset();
        const Temp n = c.word(3);
        scale(c, p.low, p.high, n);
        h.narrow_f64(p.low, p.low, p.high);
    }
    c.write_f32(p.low);
}

/// A product times 2^n for 0 <= n <= 24, as exp2 and pow need. It scales the first factor, which is
/// exact and prevents underflow, or the product where the scaled factor would overflow.
void scaled_product(EmitContext& c, ZeroProduct rule, uint32_t n) {
    HostAssembler& h = c.h;
    const Temp a = c.f32(0);
    const Temp b = c.f32(1);
    const Temp d = c.scratch();
    const Temp t = c.scratch();
    const TempMask large = c.scratch_mask();
    const Operand factor = c.pool((127 + n) << 23);
    h.op(Binary::And, t, a, c.pool(~kMinusZero));
    h.compare(FloatCond::GreaterEqual, large, t, c.pool((127U + 104U) << 23));
    h.op(Binary::MulF32, t, a, factor);
    h.select(Element::B32, t, large, a, t);
    h.op(Binary::MulF32, d, t, b);
    h.op(Binary::MulF32, t, d, factor);
    h.select(Element::B32, d, large, t, d);
    if (rule == ZeroProduct::Zero) {
        h.zero(t);
        h.compare(FloatCond::Equal, large, a, t);
        h.select(Element::B32, d, large, t, d);
        h.compare(FloatCond::Equal, large, b, t);
        h.select(Element::B32, d, large, t, d);
    }
    c.write_f32(d);
}

/// Without a scale this is FMA with the zero rule.
void unscaled(EmitContext& c, ZeroProduct rule) {
    const Factors f = factors(c, rule);
    const Temp d = c.scratch();
    if (c.known_f32(2) == kMinusZero)
        c.h.op(Binary::MulF32, d, f.a, f.b);
    else
        c.h.fma(d, f.a, f.b, c.f32(2), false, false);
    c.write_f32(d);
}

void rscale(EmitContext& c, ZeroProduct rule) {
    const auto n = c.known_word(3);
    if (n && *n == 0)
        unscaled(c, rule);
    else if (rule != ZeroProduct::Left && n && *n <= 24 && c.known_f32(2) == kMinusZero)
        scaled_product(c, rule, *n);
    else
        exact(c, rule);
}

}  // namespace

VALKYR_EMIT_AS(FMA_RSCALE_F32, rscale(c, ZeroProduct::Multiply))
VALKYR_EMIT_AS(FMA_RSCALE_N_F32, rscale(c, ZeroProduct::Zero))
VALKYR_EMIT_AS(FMA_RSCALE_LEFT_F32, rscale(c, ZeroProduct::Left))

}  // namespace valkyr::jit
