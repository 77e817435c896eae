// Half emitters: widen v2f16 operands to binary32, compute there and round back.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"

namespace valkyr::jit {

using valhall::Clamp;
using valhall::Mod;

namespace {

Rounding rounding_of(const EmitContext& c) {
    return static_cast<Rounding>(c.instr().mod(Mod::roundmode));
}

Clamp clamp_of(const EmitContext& c) {
    return c.instr().get<Clamp>(Mod::clamp);
}

/// Writes both lanes of f(lane), f32 registers, rounded to nearest even.
template <typename F>
void for_both(EmitContext& c, F f) {
    const Temp low = f(0U);
    const Temp high = f(1U);
    c.write_v2f16(low, high, clamp_of(c), Rounding::Nearest);
}

void extreme(EmitContext& c, bool maximum) {
    for_both(c, [&](unsigned lane) {
        Temp a = c.f16_lane(0, lane);
        const Temp b = c.f16_lane(1, lane);
        if (maximum)
            c.h.max_num(a, a, b, {.may_signal = false});  // widening has quieted NaNs
        else
            c.h.min_num(a, a, b, {.may_signal = false});
        return a;
    });
}

/// Computes one half from one half.
template <typename F>
void f16_scalar(EmitContext& c, F f) {
    const Temp a = c.f16_lane(0, 0);
    f(a);
    c.canonicalise(a);
    c.h.f32_to_f16(a, a, Rounding::Nearest);
    c.write_half(a);
}

void reciprocal(EmitContext& c, Vec a) {
    const Temp one = c.constant(float_bits::kOne);
    c.h.op(Binary::DivF32, a, one, a);
}

}  // namespace

VALKYR_EMIT(FADD_V2F16) {
    for_both(c, [&](unsigned lane) {
        Temp a = c.f16_lane(0, lane);
        const Temp b = c.f16_lane(1, lane);
        c.h.op(Binary::AddF32, a, a, b);
        return a;
    });
}

VALKYR_EMIT(FMA_V2F16) {
    for_both(c, [&](unsigned lane) {
        Temp a = c.f16_lane(0, lane);
        const Temp b = c.f16_lane(1, lane);
        const Temp addend = c.f16_lane(2, lane);
        c.h.fma(a, a, b, addend, false, false);
        return a;
    });
}

VALKYR_EMIT_AS(FMIN_V2F16, extreme(c, false))
VALKYR_EMIT_AS(FMAX_V2F16, extreme(c, true))

VALKYR_EMIT(FADD_IMM_V2F16) {
    const Temp literal = c.constant(static_cast<uint32_t>(c.instr().imm[0]));
    const auto sum = [&](unsigned half) {
        Temp a = c.half_to_f32(c.word(0), half);
        const Temp b = c.half_to_f32(literal, half);
        c.h.op(Binary::AddF32, a, a, b);
        return a;
    };
    const Temp low = sum(0);
    c.write_v2f16(low, sum(1), Clamp::none, Rounding::Nearest);
}

VALKYR_EMIT(FROUND_V2F16) {
    const auto rounded = [&](unsigned lane) {
        Temp a = c.f16_lane(0, lane);
        c.h.round_f32(a, a, rounding_of(c));
        return a;
    };
    const Temp low = rounded(0);
    c.write_v2f16(low, rounded(1), Clamp::none, Rounding::Nearest);
}

// Rounding to f32 and then to f16 in the same direction equals one rounding: f32 is exact for all
// results except far below the smallest half or far above the largest.
VALKYR_EMIT(LDEXP_V2F16) {
    const auto scaled = [&](unsigned lane) {
        Temp a = c.f16_lane(0, lane);
        const Temp n = c.scratch();
        c.h.op(ImmOp::Shl32, n, c.word(1), lane == 0 ? 16 : 0);
        c.h.op(ImmOp::Sar32, n, n, 16);
        c.h.scale_f32(a, a, n, rounding_of(c));
        return a;
    };
    const Temp low = scaled(0);
    c.write_v2f16(low, scaled(1), Clamp::none, rounding_of(c));
}

VALKYR_EMIT_AS(FRCP_F16, f16_scalar(c, [&](Vec a) { reciprocal(c, a); }))
VALKYR_EMIT_AS(FRSQ_F16, f16_scalar(c, [&](Vec a) {
                   c.h.op(Unary::SqrtF32, a, a);
                   reciprocal(c, a);
               }))

}  // namespace valkyr::jit
