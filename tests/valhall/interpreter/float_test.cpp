// Float test: checks FADD, FMA, FMIN, FMAX, clamps and FROUND in binary32.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <doctest/doctest.h>

using namespace valkyr::valhall::test;

TEST_CASE("FADD.f32 rounds to nearest even and keeps subnormals") {
    check_cases({
        {"FADD.f32 r0, r2, r4", {f(1.5F), f(2.25F)}, f(3.75F)},
        {"FADD.f32 r0, r2, r4", {f(1.0F), f(0x1p-24F)}, f(1.0F)},  // a tie goes to even
        {"FADD.f32 r0, r2, r4", {f(0x1.000002p0F), f(0x1p-24F)}, f(0x1.000004p0F)},
        {"FADD.f32 r0, r2, r4", {f(0x1.fffffep127F), f(0x1p103F)}, kInf},
        {"FADD.f32 r0, r2, r4", {1, 1}, 2},  // subnormals
        {"FADD.f32 r0, r2, r4", {0x00800000, 0x80000001}, 0x007FFFFF},
        {"FADD.f32 r0, r2, r4.neg", {f(3.0F), f(3.0F)}, 0},
        {"FADD.f32 r0, r2, r4", {kMinusZero, kMinusZero}, kMinusZero},
        {"FADD.f32 r0, r2, r4", {kMinusZero, 0}, 0},
        {"FADD.f32 r0, r2, 0x0.neg", {kMinusZero}, kMinusZero},
        {"FADD.f32 r0, r2, 0x0.neg", {0x80000001}, 0x80000001},
        {"FADD.f32 r0, r2, r4", {kInf, kMinusInf}, kNan},
        {"FADD.f32 r0, r2, r4", {kSignallingNan, f(1.0F)}, kNan},
        {"FADD.f32 r0, r2, r4", {0xFFFFFFFF, f(1.0F)}, kNan},
    });
}

TEST_CASE("abs is applied before neg, after the half is widened") {
    check_cases({
        {"FADD.f32 r0, r2.neg.abs, 0x0.neg", {f(2.0F)}, f(-2.0F)},
        {"FADD.f32 r0, r2.neg.abs, 0x0.neg", {f(-2.0F)}, f(-2.0F)},
        {"FADD.f32 r0, r2.abs, 0x0.neg", {f(-2.0F)}, f(2.0F)},
        {"FADD.f32 r0, r2.h1, 0x0.neg", {0xC0003C00}, f(-2.0F)},
        {"FADD.f32 r0, r2.h0, 0x0.neg", {0xC0003C00}, f(1.0F)},
        {"FADD.f32 r0, r2.neg.abs.h1, 0x0.neg", {0xC0003C00}, f(-2.0F)},
        {"FADD.f32 r0, r2.h0, 0x0.neg", {0x00000001}, f(0x1p-24F)},  // a half subnormal
        {"FADD.f32 r0, r2.h0, 0x0.neg", {0x00007C00}, kInf},
        {"FADD.f32 r0, r2.h0, 0x0.neg", {0x00007C01}, kNan},
    });
}

TEST_CASE("a half destination of FADD.f32 and FMA.f32 takes the result as f16") {
    check_cases({
        {"FADD.f32 r0.h0, r2, 0x0.neg", {f(1.0F)}, 0xCCCC3C00},
        {"FADD.f32 r0.h1, r2, 0x0.neg", {f(1.0F)}, 0x3C00CCCC},
        {"FADD.f32.clamp_0_1 r0.h1, r2, 0x0.neg", {f(7.0F)}, 0x3C00CCCC},
        {"FADD.f32 r0.h0, r2, 0x0.neg", {f(65520.0F)}, 0xCCCC7C00},
        {"FADD.f32 r0.h0, r2, 0x0.neg", {f(0x1p-25F)}, 0xCCCC0000},  // a tie goes to even
        {"FMA.f32 r0.h1, r2, r4, 0x0.neg", {f(3.0F), f(2.0F)}, 0x4600CCCC},
        {"FMIN.f32 r0.h0, r2, r4", {f(1.0F), f(1.0F)}, 0xCCCC0000},  // others: bits of the result
        {"FMIN.f32 r0.h1, r2, r4", {f(1.0F), f(1.0F)}, 0x3F80CCCC},
    });
}

TEST_CASE("FMA.f32 rounds once") {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24; minus (1 + 2^-11) leaves exactly 2^-24.
    check_cases({
        {"FMA.f32 r0, r2, r2, r4.neg", {f(0x1.001p0F), f(0x1.002p0F)}, f(0x1p-24F)},
        {"FMA.f32 r0, r2, r4, r6", {f(2.0F), f(3.0F), f(4.0F)}, f(10.0F)},
        {"FMA.f32 r0, r2.neg, r4, 0x0.neg", {f(0.0F), f(3.0F)}, kMinusZero},  // FMUL keeps -0
        {"FMA.f32 r0, r2.neg, r4, 0x0", {f(0.0F), f(3.0F)}, 0},
        {"FMA.f32 r0, r2, r4, r6", {f(0x1p-100F), f(0x1p-100F), 1}, 1},
        {"FMA.f32 r0, r2, r4, r6", {kInf, 0, f(1.0F)}, kNan},
        {"FMA.f32 r0, r2, r4, r6", {kInf, f(1.0F), kMinusInf}, kNan},
        {"FMA.f32 r0, r2, r4, r6", {f(0x1p100F), f(0x1p100F), kMinusInf}, kMinusInf},
        {"FMA.f32 r0, r2.h1, r4, r6.h0", {0x42000000, f(5.0F), 0x00003C00}, f(16.0F)},
    });
}

TEST_CASE("FMIN and FMAX return the number of a number and a NaN, and order zeros") {
    check_cases({
        {"FMIN.f32 r0, r2, r4", {f(1.0F), f(-2.0F)}, f(-2.0F)},
        {"FMAX.f32 r0, r2, r4", {f(1.0F), f(-2.0F)}, f(1.0F)},
        {"FMIN.f32 r0, r2, r4", {0, kMinusZero}, kMinusZero},
        {"FMIN.f32 r0, r2, r4", {kMinusZero, 0}, kMinusZero},
        {"FMAX.f32 r0, r2, r4", {0, kMinusZero}, 0},
        {"FMAX.f32 r0, r2, r4", {kMinusZero, 0}, 0},
        {"FMIN.f32 r0, r2, r4", {kNan, f(5.0F)}, f(5.0F)},
        {"FMAX.f32 r0, r2, r4", {f(5.0F), kNan}, f(5.0F)},
        {"FMIN.f32 r0, r2, r4", {kSignallingNan, f(5.0F)}, f(5.0F)},
        {"FMAX.f32 r0, r2, r4", {f(5.0F), kSignallingNan}, f(5.0F)},
        {"FMIN.f32 r0, r2, r4", {kNan, 0xFFC00001}, kNan},
        {"FMAX.f32 r0, r2, r4", {kMinusInf, kMinusInf}, kMinusInf},
        {"FMIN.f32 r0, r2, r4", {1, 0x80000001}, 0x80000001},
        {"FMAX.f32.clamp_0_1 r0, r2, r4", {kNan, kNan}, 0},
    });
}

TEST_CASE("clamps send NaN to the low bound and -0 to +0 unless the bound is -1") {
    check_cases({
        {"FADD.f32.clamp_0_inf r0, r2, 0x0.neg", {kNan}, 0},
        {"FADD.f32.clamp_0_inf r0, r2, 0x0.neg", {kMinusZero}, 0},
        {"FADD.f32.clamp_0_inf r0, r2, 0x0.neg", {kInf}, kInf},
        {"FADD.f32.clamp_0_inf r0, r2, 0x0.neg", {f(-3.0F)}, 0},
        {"FADD.f32.clamp_m1_1 r0, r2, 0x0.neg", {kNan}, f(-1.0F)},
        {"FADD.f32.clamp_m1_1 r0, r2, 0x0.neg", {kMinusZero}, kMinusZero},
        {"FADD.f32.clamp_m1_1 r0, r2, 0x0.neg", {f(3.0F)}, f(1.0F)},
        {"FADD.f32.clamp_m1_1 r0, r2, 0x0.neg", {kMinusInf}, f(-1.0F)},
        {"FADD.f32.clamp_0_1 r0, r2, 0x0.neg", {kNan}, 0},
        {"FADD.f32.clamp_0_1 r0, r2, 0x0.neg", {kMinusZero}, 0},
        {"FADD.f32.clamp_0_1 r0, r2, 0x0.neg", {f(0.25F)}, f(0.25F)},
        {"FADD.f32.clamp_0_1 r0, r2, 0x0.neg", {1}, 1},
        {"FADD.f32.clamp_0_1 r0, r2, 0x0.neg", {kInf}, f(1.0F)},
    });
}

TEST_CASE("FADD_IMM adds a literal") {
    check_cases({
        {"FADD_IMM.f32 r0, r2, #0x3F000000", {f(1.25F)}, f(1.75F)},
        {"FADD_IMM.v2f16 r0, r2, #0x3C004000", {0x40003C00}, 0x42004200},
    });
}

TEST_CASE("FROUND.f32 keeps the sign of zero in all four modes") {
    check_cases({
        {"FROUND.f32 r0, r2", {f(0.5F)}, 0},
        {"FROUND.f32 r0, r2", {f(1.5F)}, f(2.0F)},
        {"FROUND.f32 r0, r2", {f(2.5F)}, f(2.0F)},
        {"FROUND.f32 r0, r2", {f(-0.5F)}, kMinusZero},
        {"FROUND.f32 r0, r2", {f(0x1.000002p-1F)}, f(1.0F)},
        {"FROUND.f32 r0, r2", {f(0x1.fffffep22F)}, f(0x1p23F)},
        {"FROUND.f32 r0, r2", {f(-8388607.5F)}, f(-0x1p23F)},
        {"FROUND.f32.rtn r0, r2", {f(-0.25F)}, f(-1.0F)},
        {"FROUND.f32.rtn r0, r2", {f(0.75F)}, 0},
        {"FROUND.f32.rtn r0, r2", {0x80000001}, f(-1.0F)},
        {"FROUND.f32.rtp r0, r2", {f(-0.75F)}, kMinusZero},
        {"FROUND.f32.rtp r0, r2", {1}, f(1.0F)},
        {"FROUND.f32.rtp r0, r2", {f(2.25F)}, f(3.0F)},
        {"FROUND.f32.rtz r0, r2", {f(-2.75F)}, f(-2.0F)},
        {"FROUND.f32.rtz r0, r2", {f(-0.75F)}, kMinusZero},
        {"FROUND.f32 r0, r2", {kMinusZero}, kMinusZero},
        {"FROUND.f32 r0, r2", {kInf}, kInf},
        {"FROUND.f32 r0, r2", {kSignallingNan}, kNan},
        {"FROUND.f32 r0, r2.neg", {f(1e10F)}, f(-1e10F)},
    });
}
