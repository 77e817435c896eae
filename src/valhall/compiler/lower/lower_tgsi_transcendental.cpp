// Transcendental lowering: division, square root, exponentials, logarithms, sine and cosine.
// SPDX-License-Identifier: MIT
//
// The sequences are the definition: docs/rules/isa-notes.md "Special functions".
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/lower/sequences.hpp"

namespace valkyr::valhall::lower {
namespace {

using float_bits::kOne;
constexpr uint32_t kMinusZero = 0x80000000;

Operand negated(Operand x) {
    x.flags ^= ir::kNeg;
    return x;
}

using Sequence = Operand (*)(Builder&, Operand);

/// A function of x.x, replicated.
template <Sequence kSequence>
void lower_function(Lowering& l, const Instruction& inst, const Rule&) {
    l.store_all(inst, kSequence(l.b, l.src_float(inst, 0, 0)));
}

void lower_pow(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand x = l.src_float(inst, 0, 0);
    l.store_all(inst, pow(l.b, x, l.src_float(inst, 1, 0)));
}

void lower_div(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        return divide(l.b, a, l.src_float(inst, 1, c));
    });
}

void lower_lit(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    Vec4 values{};
    values[0] = values[3] = literal(kOne);
    const Operand x = b.resolve(l.src_float(inst, 0, 0));
    if ((inst.dst[0].write_mask & 2) != 0)
        values[1] = b.fmax(x, literal(0));
    if ((inst.dst[0].write_mask & 4) != 0) {
        const Operand base = b.fmax(l.src_float(inst, 0, 1), literal(0));
        const Operand low = b.fmax(l.src_float(inst, 0, 3), literal(0xC3000000));  // -128
        const Operand power = b.fmin(low, literal(0x43000000));
        values[2] = b.csel_f32(Condition::gt, x, literal(0), pow(b, base, power), literal(0));
    }
    l.store(inst, values);
}

void lower_exp(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    Vec4 values{};
    values[3] = literal(kOne);
    const Operand x = l.src_float(inst, 0, 0);
    const Operand whole = b.fround(x, RoundMode::rtn);
    const unsigned mask = inst.dst[0].write_mask;
    if ((mask & 1) != 0)
        values[0] = exp2(b, whole);
    if ((mask & 2) != 0)
        values[1] = b.fadd(x, negated(whole));
    if ((mask & 4) != 0)
        values[2] = exp2(b, x);
    l.store(inst, values);
}

void lower_log(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    Vec4 values{};
    values[3] = literal(kOne);
    Operand x = b.resolve(l.src_float(inst, 0, 0));
    x.flags = ir::kAbs;
    const Operand magnitude = b.resolve(x);
    const Operand logarithm = log2(b, magnitude);
    const Operand whole = b.fround(logarithm, RoundMode::rtn);
    const unsigned mask = inst.dst[0].write_mask;
    if ((mask & 1) != 0)
        values[0] = whole;
    if ((mask & 2) != 0)
        values[1] = b.fmul(magnitude, exp2(b, negated(whole)));
    if ((mask & 4) != 0)
        values[2] = logarithm;
    l.store(inst, values);
}

constexpr Rule kRules[] = {
    {Opcode::SQRT, lower_function<square_root>},
    {Opcode::EX2, lower_function<exp2>},
    {Opcode::LG2, lower_function<log2>},
    {Opcode::SIN, lower_function<sine>},
    {Opcode::COS, lower_function<cosine>},
    {Opcode::POW, lower_pow},
    {Opcode::DIV, lower_div},
    {Opcode::LIT, lower_lit},
    {Opcode::EXP, lower_exp},
    {Opcode::LOG, lower_log},
};

}  // namespace

std::span<const Rule> transcendental_rules() {
    return kRules;
}

// The sequences.

Operand divide(Builder& b, Operand x, Operand y) {
    const Operand r = b.unary(Op::FRCP_F32, y);
    const Operand q = b.fmul(x, r);
    const Operand rest = b.fma(negated(y), q, x);
    const Operand better = b.fma(rest, r, q);
    // Infinite or zero operands make the step NaN: there the first quotient is exact.
    return b.csel_f32(Condition::eq, better, better, better, q);
}

Operand square_root(Builder& b, Operand x) {
    const Operand value = b.resolve(x);
    const auto frexp = [&](Op op) { return b.emit(Spec(op).with(Mod::sqrt, 1), {value}); };
    const Operand mantissa = frexp(Op::FREXPM_F32);
    const Operand inverse = b.unary(Op::FRSQ_F32, mantissa);
    const Operand exponent = frexp(Op::FREXPE_F32);
    return b.emit(Spec(Op::FMA_RSCALE_LEFT_F32),
                  {mantissa, inverse, literal(kMinusZero), exponent});
}

/// 2^(x * scale), through FEXP of the product in 8.24 fixed point.
Operand exp2_scaled(Builder& b, Op multiply, Operand x, Operand scale) {
    const Operand fixed = b.emit(Spec(multiply), {x, scale, literal(kMinusZero), literal(24)});
    const Operand integer = b.f32_to_s32(fixed, RoundMode::rte);
    return b.emit(Spec(Op::FEXP_F32), {integer, fixed});
}

Operand exp2(Builder& b, Operand x) {
    return exp2_scaled(b, Op::FMA_RSCALE_F32, x, literal(kOne));
}

Operand log2(Builder& b, Operand x) {
    const Operand value = b.resolve(x);
    const Operand exponent = b.emit(Spec(Op::FREXPE_F32).with(Mod::log, 1), {value});
    const Operand whole = b.unary(Op::S32_TO_F32, exponent);
    const Operand above_one =
        b.emit(Spec(Op::FADD_LSCALE_F32), {literal(float_bits::kMinusOne), value});
    return b.fma(b.unary(Op::FLOGD_F32, value), above_one, whole);
}

Operand pow(Builder& b, Operand x, Operand y) {
    return exp2_scaled(b, Op::FMA_RSCALE_N_F32, y, log2(b, x));
}

namespace {

struct SinCos {
    Operand sine, cosine;  ///< of the table angle
    Operand odd;           ///< sin of the rest
    Operand even;          ///< cos of the rest, minus 1
};

/// Section 4.4: x = k * pi/32 + e, table values of the angle and polynomials of e.
SinCos split_angle(Builder& b, Operand x) {
    constexpr uint32_t kBias = 0x49400000;  // 1.5 * 2^19: its ulp is 1/16
    constexpr uint32_t kTwoOverPi = 0x3F22F983;
    constexpr uint32_t kMinusHalfPi = 0xBFC90FDB;
    constexpr uint32_t kHalfPiRest = 0x333BBD2E;  // half pi is 0x3FC90FDB minus this
    constexpr uint32_t kMinusSixth = 0xBE2AAAAB;
    constexpr uint32_t kTwentyFourth = 0x3D2AAAAB;
    constexpr uint32_t kMinusHalf = 0xBF000000;
    const Operand k = b.fma(x, literal(kTwoOverPi), literal(kBias));
    const Operand n = b.fadd(k, literal(kBias ^ 0x80000000U));
    Operand e = b.fma(n, literal(kMinusHalfPi), x);
    e = b.fma(n, literal(kHalfPiRest), e);
    const Operand e2 = b.fmul(e, e);
    const Operand odd = b.fma(b.fmul(e2, e), literal(kMinusSixth), e);
    const Operand even = b.fmul(e2, b.fma(e2, literal(kTwentyFourth), literal(kMinusHalf)));
    return {b.unary(Op::FSIN_TABLE_U6, k), b.unary(Op::FCOS_TABLE_U6, k), odd, even};
}

}  // namespace

Operand sine(Builder& b, Operand x) {
    const SinCos t = split_angle(b, x);
    return b.fadd(b.fma(t.cosine, t.odd, b.fmul(t.sine, t.even)), t.sine);
}

Operand cosine(Builder& b, Operand x) {
    const SinCos t = split_angle(b, x);
    return b.fadd(b.fma(negated(t.sine), t.odd, b.fmul(t.cosine, t.even)), t.cosine);
}

}  // namespace valkyr::valhall::lower
