// Special-function emitters: reciprocals, exponential, logarithm, look-ups, FPCLASS.
// SPDX-License-Identifier: MIT
//
// The algorithm is the definition: f32 operations, their order and constants are those of
// valhall/arith/arith_special.cpp and arith_tables.hpp.
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/frexp.hpp"
#include "valhall/arith/arith_special.hpp"

#include <array>
#include <span>

namespace valkyr::jit {

namespace arith = valhall::arith;

namespace {

using float_bits::kInfinity;
using float_bits::kOne;
using float_bits::kQuietNan;
using float_bits::kSign;

void finish(EmitContext& c, Vec d) {
    c.canonicalise(d);
    c.write(d);
}

void reciprocal(EmitContext& c, Vec d, Vec a) {
    const Temp one = c.constant(kOne);
    c.h.op(Binary::DivF32, d, one, a);
}

void frsq(EmitContext& c, Vec d, Vec a) {
    c.h.op(Unary::SqrtF32, d, a);
    reciprocal(c, d, d);
}

/// p = polynomial(u), highest power first, by Horner with FMA.
void polynomial(EmitContext& c, Vec p, Vec u, std::span<const uint32_t> coefficients) {
    c.h.move(p, c.pool(coefficients[0]));
    for (uint32_t k : coefficients.subspan(1))
        c.h.fma(p, p, u, c.pool(k), false, false);
}

/// d = table[index & (2^bits - 1)], at most 64 entries.
void look_up(EmitContext& c, Vec d, Vec index, std::span<const uint32_t> table) {
    HostAssembler& h = c.h;
    const TempMask all = c.scratch_mask();
    h.op(Binary::And, d, index, c.pool(static_cast<uint32_t>(table.size() - 1)));
    h.op(ImmOp::Shl32, d, d, 2);
    h.compare(IntCond::Equal, Element::B32, true, all, d, d);
    const Scalar base = c.scalar();
    h.load_address(base, h.pool_words(table));
    h.gather32(d, {base}, d, all);
}

/// Rounds x to nearest even with `bits` significant bits, in integer operations: zeros and
/// infinities have no fraction, NaN stays NaN.
void round_significand(EmitContext& c, Vec x, unsigned bits) {
    HostAssembler& h = c.h;
    const unsigned dropped = 24 - bits;
    const Temp t = c.scratch();
    const TempMask special = c.scratch_mask();
    h.op(Binary::And, t, x, c.pool(~kSign));
    h.compare(IntCond::GreaterEqual, Element::B32, true, special, t, c.pool(kInfinity));
    // Add half a unit minus one, plus the unit's own bit: ties go to even.
    h.op(ImmOp::Shr32, t, x, dropped);
    h.op(Binary::And, t, t, c.pool(1));
    h.op(Binary::AddI32, t, t, x);
    h.op(Binary::AddI32, t, t, c.pool((1U << (dropped - 1)) - 1));
    h.op(Binary::And, t, t, c.pool(~((1U << dropped) - 1)));
    h.select(Element::B32, x, special, x, t);
}

/// d = value in lanes where `mask` is set.
void replace(EmitContext& c, Vec d, Mask mask, uint32_t value) {
    c.h.select(Element::B32, d, mask, c.pool(value), d);
}

}  // namespace

VALKYR_EMIT(FRCP_F32) {
    const Temp a = c.f32(0);
    const Temp d = c.scratch();
    reciprocal(c, d, a);
    finish(c, d);
    c.set_quiet();
}

VALKYR_EMIT(FRSQ_F32) {
    const Temp a = c.f32(0);
    const Temp d = c.scratch();
    frsq(c, d, a);
    finish(c, d);
    c.set_quiet();
}

VALKYR_EMIT(FRCP_APPROX_F32) {
    const Temp d = c.scratch();
    frexp_mantissa(c, d, c.f32(0), FrexpMode::Plain);
    reciprocal(c, d, d);
    round_significand(c, d, 17);
    finish(c, d);
}

VALKYR_EMIT(FRSQ_APPROX_F32) {
    const Temp d = c.scratch();
    frexp_mantissa(c, d, c.f32(0), FrexpMode::Sqrt);
    frsq(c, d, d);
    round_significand(c, d, 17);
    finish(c, d);
}

// 2^(n + k/16 + t): T[k] * (1 + t * p(t)), the exponent n added as an integer.
VALKYR_EMIT(FEXP_F32) {
    HostAssembler& h = c.h;
    const Temp fixed = c.word(0);
    const Temp k = c.scratch();
    const Temp t = c.scratch();
    const Temp p = c.scratch();
    // 16 * n + k: the 8.24 number rounded to sixteenths; the first shift keeps the sum in range.
    h.op(ImmOp::Sar32, k, fixed, 19);
    h.op(Binary::AddI32, k, k, c.pool(1));
    h.op(ImmOp::Sar32, k, k, 1);
    h.op(ImmOp::Shl32, t, k, 20);
    h.op(Binary::SubI32, t, fixed, t);
    h.op(Unary::S32ToF32, t, t);
    h.op(Binary::MulF32, t, t, c.pool(0x33800000));  // 2^-24
    polynomial(c, p, t, arith::kExp2Polynomial);
    h.op(Binary::MulF32, p, p, t);
    h.table16(t, k, h.pool_words(arith::kExp2Table));
    h.fma(p, p, t, t, false, false);
    h.op(ImmOp::Sar32, k, k, 4);
    h.op(ImmOp::Shr32, t, p, 23);
    h.op(Binary::AddI32, t, t, k);
    h.op(ImmOp::Shl32, k, k, 23);
    h.op(Binary::AddI32, p, p, k);
    const TempMask m = c.scratch_mask();
    h.compare(IntCond::Greater, Element::B32, true, m, t, c.pool(254));
    replace(c, p, m, kInfinity);
    h.compare(IntCond::Less, Element::B32, true, m, t, c.pool(1));
    replace(c, p, m, 0);
    // Overflow and NaN depend on the float operand.
    const Temp scaled = c.f32(1);
    h.compare(FloatCond::GreaterEqual, m, scaled, c.pool(0x4F000000));
    replace(c, p, m, kInfinity);
    h.compare(FloatCond::LessEqual, m, scaled, c.pool(0xCF000000));
    replace(c, p, m, 0);
    h.compare(FloatCond::Unordered, m, scaled, scaled);
    replace(c, p, m, kQuietNan);
    c.write(p);
    c.set_quiet();
}

VALKYR_EMIT(FLOGD_F32) {
    HostAssembler& h = c.h;
    const Temp a = c.f32(0);
    const Temp u = c.scratch();
    const Temp p = c.scratch();
    frexp_mantissa(c, u, a, FrexpMode::Log);
    h.op(Binary::SubF32, u, u, c.pool(kOne));
    polynomial(c, p, u, arith::kLogdPolynomial);
    const TempMask m = c.scratch_mask();
    h.zero(u);
    h.compare(FloatCond::Equal, m, a, u);
    replace(c, p, m, kInfinity);
    h.compare(FloatCond::Equal, m, a, c.pool(kInfinity));
    replace(c, p, m, kInfinity);
    h.compare(FloatCond::GreaterEqual, m, a, u);
    h.mask_not(m, m);
    replace(c, p, m, kQuietNan);
    c.write(p);
    c.set_quiet();
}

VALKYR_EMIT(FLOG_TABLE_F32) {
    HostAssembler& h = c.h;
    std::array<uint32_t, 16> table{};
    for (uint32_t i = 0; i < table.size(); ++i)
        table[i] = as_bits(arith::flog_table(as_float(kOne | i << 19)));
    const Temp a = c.f32(0);
    const Temp d = c.scratch();
    const Temp t = c.scratch();
    const TempMask special = c.scratch_mask();
    frexp_mantissa(c, t, a, FrexpMode::Plain);
    h.op(ImmOp::Shr32, t, t, 19);
    h.table16(d, t, h.pool_words(table));
    // magnitude - 1 as an unsigned number puts zero above infinity and NaN: one comparison finds
    // all three.
    h.op(Binary::And, t, a, c.pool(~kSign));
    h.op(Binary::SubI32, t, t, c.pool(1));
    h.compare(IntCond::GreaterEqual, Element::B32, false, special, t, c.pool(kInfinity - 1));
    replace(c, d, special, kOne);
    c.write(d);
}

VALKYR_EMIT(FEXP_TABLE_U4) {
    const Temp d = c.scratch();
    c.h.table16(d, c.word(0), c.h.pool_words(arith::kExp2Table));
    c.write(d);
}

VALKYR_EMIT(FSIN_TABLE_U6) {
    const Temp d = c.scratch();
    look_up(c, d, c.word(0), arith::kSinTable);
    c.write(d);
}

VALKYR_EMIT(FCOS_TABLE_U6) {
    const Temp d = c.scratch();
    look_up(c, d, c.word(0), arith::kCosTable);
    c.write(d);
}

VALKYR_EMIT_AS(FSINCOS_OFFSET_U6, c.write(c.constant(0)))

namespace {

/// FPCLASS of the number whose bits are in x: adds 2 for each threshold that the magnitude reaches,
/// and the sign; NaN gives 8 or 9.
void classify(EmitContext& c, Vec x, unsigned exponent_bits, unsigned fraction_bits) {
    HostAssembler& h = c.h;
    const unsigned sign_bit = exponent_bits + fraction_bits;
    const uint32_t infinity = ((1U << exponent_bits) - 1) << fraction_bits;
    const Temp magnitude = c.scratch();
    const Temp d = c.scratch();
    const Temp t = c.scratch();
    const TempMask m = c.scratch_mask();
    h.op(Binary::And, magnitude, x, c.pool((1U << sign_bit) - 1));
    h.op(ImmOp::Shr32, d, x, sign_bit);
    for (uint32_t threshold : {1U, 1U << fraction_bits, infinity}) {
        h.compare(IntCond::GreaterEqual, Element::B32, true, m, magnitude, c.pool(threshold));
        h.mask_value(Element::B32, t, m, 2);
        h.op(Binary::AddI32, d, d, t);
    }
    h.compare(IntCond::Greater, Element::B32, true, m, magnitude, c.pool(infinity));
    h.op(ImmOp::Shr32, magnitude, magnitude, fraction_bits - 1);
    h.op(Binary::And, magnitude, magnitude, c.pool(1));
    h.op(Binary::Xor, magnitude, magnitude, c.pool(9));
    h.select(Element::B32, d, m, magnitude, d);
    c.write(d);
}

}  // namespace

VALKYR_EMIT_AS(FPCLASS_F32, classify(c, c.f32(0), 8, 23))
VALKYR_EMIT_AS(FPCLASS_F16, classify(c, c.f16_bits(0), 5, 10))

// The meaning of these is unknown: read_program() refuses programs that reach them.
VALKYR_EMIT_AS(FATAN_ASSIST_F32, c.reject())
VALKYR_EMIT_AS(FMA_RSCALE_SCALE16_F32, c.reject())

}  // namespace valkyr::jit
