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

/// Notes that a sum is at most twice as large as the larger operand.
void note_magnitude(EmitContext& c, unsigned a, unsigned b) {
    constexpr unsigned kMost = 30;
    if (a != 0 && b != 0 && std::max(a, b) < kMost)
        c.set_magnitude(std::max(a, b) + 1);
}

void fadd(EmitContext& c) {
    const unsigned magnitudes[] = {c.magnitude(0), c.magnitude(1)};
    const Temp d = c.result();
    const SignedVec a = c.f32_signed(0);
    if (adds_nothing(c)) {
        if (a.negate)
            c.h.op(Binary::Xor, d, a.value, c.pool(float_bits::kSign));
        else
            c.h.move(d, a.value);
        return c.write_f32_narrowing(d);
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
    note_magnitude(c, magnitudes[0], magnitudes[1]);
}

void fma(EmitContext& c) {
    const SignedVec a = c.f32_signed(0);
    const Signed b = c.f32_operand(1);
    const bool negate = a.negate != b.negate;
    if (c.known_f32(2) == kMinusZero && !negate) {
        const Temp d = c.result();
        c.h.op(Binary::MulF32, d, a.value, b.value);
        return c.write_f32_narrowing(d);
    }
    const Signed addend = c.f32_operand(2);
    const Temp d = c.result_over(a.value, b.value, addend.value);
    c.h.fma(d, a.value, b.value, addend.value, negate, addend.negate);
    c.write_f32_narrowing(d);
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

void extreme(EmitContext& c, bool maximum) {
    if (maximum && is_magnitude(c)) {
        const SignedVec x = c.f32_signed(0);
        const Temp d = c.result();
        c.h.op(Binary::And, d, x.value, c.pool(~float_bits::kSign));
        return c.write_f32(d);
    }
    const uint32_t losing_zero = maximum ? kMinusZero : kPlusZero;
    for (unsigned bound = 0; bound < 2; ++bound) {
        if (!simple_bound(c, bound, losing_zero))
            continue;
        const Temp x = c.f32(1 - bound);
        const TempOperand limit = c.f32_operand(bound).value;
        const Temp d = c.result();
        c.h.op(maximum ? Binary::MaxF32 : Binary::MinF32, d, x, limit);
        return c.write_f32(d);
    }
    const Temp a = c.f32(0);
    const Temp b = c.f32(1);
    const bool signalling = c.may_signal(0) || c.may_signal(1);
    const Temp d = c.result();
    if (maximum)
        c.h.max_num(d, a, b, signalling);
    else
        c.h.min_num(d, a, b, signalling);
    c.write_f32(d);
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
    const Temp d = c.result();
    c.h.round_f32(d, a, static_cast<Rounding>(c.instr().mod(Mod::roundmode)));
    c.canonicalise(d);
    c.write(d);
}

}  // namespace valkyr::jit
