// Special-function emitters: reciprocals, exponential, logarithm, look-ups, FPCLASS.
// SPDX-License-Identifier: MIT
//
// The algorithm is the definition: f32 operations, their order and constants are those of
// valhall/arith/arith_special.cpp and arith_tables.hpp.
#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"
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

void reciprocal(F32& d, const F32& a) {
    const F32 one(*d.context(), 1.0F);
    d = one / a;
}

/// p = polynomial(u), highest power first, by Horner with FMA.
void polynomial(F32& p, const F32& u, std::span<const uint32_t> coefficients) {
    p = f32(coefficients[0]);
    for (uint32_t k : coefficients.subspan(1))
        p = fma(p, u, f32(k));
}

/// d = table[index & (2^bits - 1)], at most 64 entries.
void look_up(EmitContext& c, Vec d, Vec index, std::span<const uint32_t> table) {
    HostAssembler& h = c.h;
    U32 place(c, d);
    place = u32(index) & (table.size() - 1);
    const Scalar base = c.scalar();
    h.load_address(base, h.pool_words(table));
    c.gather(d, {base, 0, Gp::None, 2}, d);
}

/// Rounds x to nearest even with `bits` significant bits, in integer operations: zeros and
/// infinities have no fraction, NaN stays NaN.
void round_significand(F32& x, unsigned bits) {
    const unsigned dropped = 24 - bits;
    const uint32_t half = 1U << (dropped - 1);
    S32 t = s32(u32(x) & ~kSign);
    const LaneMask special = t >= kInfinity;
    // Add half a unit minus one, plus the unit's own bit: ties go to even.
    t = s32((u32(x) >> dropped & 1) + u32(x) + (half - 1)) & ~((1U << dropped) - 1);
    x = select(special, x, f32(t));
}

/// x = value in lanes where `mask` is set.
void replace(F32& x, Mask mask, uint32_t value) {
    x = select(mask, f32(value), x);
}

}  // namespace

VALKYR_EMIT(FRCP_F32) {
    const FloatFacts facts = c.float_facts(0).reciprocal();
    const F32 a(c, c.f32(0));
    F32 d(c);
    reciprocal(d, a);
    finish(c, d);
    c.set_facts({.number = facts, .quiet = true});
}

VALKYR_EMIT(FRSQ_F32) {
    const FloatFacts facts = c.float_facts(0).reciprocal();
    const F32 a(c, c.f32(0));
    F32 d = sqrt(a);
    reciprocal(d, d);
    finish(c, d);
    c.set_facts({.number = facts, .quiet = true});
}

VALKYR_EMIT(FRCP_APPROX_F32) {
    F32 d(c);
    frexp_mantissa(c, d, c.f32(0), FrexpMode::Plain);
    reciprocal(d, d);
    round_significand(d, 17);
    finish(c, d);
}

VALKYR_EMIT(FRSQ_APPROX_F32) {
    F32 d(c);
    frexp_mantissa(c, d, c.f32(0), FrexpMode::Sqrt);
    d = sqrt(d);
    reciprocal(d, d);
    round_significand(d, 17);
    finish(c, d);
}

// 2^(n + k/16 + t): T[k] * (1 + t * p(t)), the exponent n added as an integer.
VALKYR_EMIT(FEXP_F32) {
    HostAssembler& h = c.h;
    const S32 fixed(c, c.word(0));
    S32 k(c);
    F32 t(c);
    F32 p(c);
    // 16 * n + k: the 8.24 number rounded to sixteenths; the first shift keeps the sum in range.
    k = ((fixed >> 19) + 1) >> 1;
    t = to_f32(fixed - (k << 20)) * 0x1p-24F;
    polynomial(p, t, arith::kExp2Polynomial);
    p *= t;
    F32& power = t;  // T[k]
    h.table16(power, k, h.pool_words(arith::kExp2Table));
    p = fma(p, power, power);
    S32& n = k;
    n >>= 4;
    S32 exponent(c, power);
    exponent = s32(u32(p) >> 23) + n;
    p = f32(s32(p) + (n << 23));
    LaneMask m = exponent > 254;
    replace(p, m, kInfinity);
    m = exponent < 1;
    replace(p, m, 0);
    // Overflow and NaN depend on the float operand.
    const F32 scaled(c, c.f32(1));
    m = scaled >= 0x1p31F;
    replace(p, m, kInfinity);
    m = scaled <= -0x1p31F;
    replace(p, m, 0);
    m = is_nan(scaled);
    replace(p, m, kQuietNan);
    c.write(p);
    c.set_quiet();
}

VALKYR_EMIT(FLOGD_F32) {
    HostAssembler& h = c.h;
    const F32 a(c, c.f32(0));
    F32 u(c);
    F32 p(c);
    frexp_mantissa(c, u, a, FrexpMode::Log);
    u -= 1.0F;
    polynomial(p, u, arith::kLogdPolynomial);
    F32& zero = u;
    LaneMask m(c);
    zero = 0.0F;
    m = a == zero;
    replace(p, m, kInfinity);
    m = a == f32(kInfinity);
    replace(p, m, kInfinity);
    m = a >= zero;
    h.mask_not(m, m);
    replace(p, m, kQuietNan);
    c.write(p);
    c.set_quiet();
}

VALKYR_EMIT(FLOG_TABLE_F32) {
    HostAssembler& h = c.h;
    std::array<uint32_t, 16> table{};
    for (uint32_t i = 0; i < table.size(); ++i)
        table[i] = as_bits(arith::flog_table(as_float(kOne | i << 19)));
    const Temp a = c.f32(0);
    F32 d(c);
    U32 t(c);
    LaneMask special(c);
    frexp_mantissa(c, t, a, FrexpMode::Plain);
    t >>= 19;
    h.table16(d, t, h.pool_words(table));
    // magnitude - 1 as an unsigned number puts zero above infinity and NaN: one comparison finds
    // all three.
    t = (u32(a) & ~kSign) - 1;
    special = t >= kInfinity - 1;
    replace(d, special, kOne);
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
    const unsigned sign_bit = exponent_bits + fraction_bits;
    const uint32_t infinity = ((1U << exponent_bits) - 1) << fraction_bits;
    S32 magnitude(c);
    U32 d(c);
    U32 t(c);
    LaneMask m(c);
    magnitude = s32(x) & ((1U << sign_bit) - 1);
    d = u32(x) >> sign_bit;
    for (uint32_t threshold : {1U, 1U << fraction_bits, infinity}) {
        m = magnitude >= threshold;
        t = where(m, 2);
        d += t;
    }
    m = magnitude > infinity;
    U32 of_nan(c, magnitude);
    of_nan = (of_nan >> (fraction_bits - 1) & 1) ^ 9;
    d = select(m, of_nan, d);
    c.write(d);
}

}  // namespace

VALKYR_EMIT_AS(FPCLASS_F32, classify(c, c.f32(0), 8, 23))
VALKYR_EMIT_AS(FPCLASS_F16, classify(c, c.f16_bits(0), 5, 10))

// The meaning of these is unknown: read_program() refuses programs that reach them.
VALKYR_EMIT_AS(FATAN_ASSIST_F32, c.reject())
VALKYR_EMIT_AS(FMA_RSCALE_SCALE16_F32, c.reject())

}  // namespace valkyr::jit
