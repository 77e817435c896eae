// Half test: checks v2f16 instructions and the conversions between f16 and f32.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"
#include "valhall/arith/arith_half.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr::valhall::test;
using valkyr::valhall::RoundMode;
namespace arith = valkyr::valhall::arith;

TEST_CASE("v2f16 lanes are independent and their swizzles name low lane first") {
    check_cases({
        {"FADD.v2f16 r0, r2, r4", {0x40003C00, 0x3C003C00}, 0x42004000},
        {"FADD.v2f16 r0, r2.h10, 0x0.neg", {0x40003C00}, 0x3C004000},
        {"FADD.v2f16 r0, r2.h00, r4.h11.neg", {0x40003C00, 0x3C005000}, 0x00000000},
        {"FADD.v2f16 r0, r2, r4", {0x7BFF0001, 0x50000001}, 0x7C000002},
        {"FADD.v2f16 r0, r2, r4", {0x7C007C00, 0xFC007C00}, 0x7E007C00},
        {"FADD.v2f16 r0.h1, r2, r4", {0x3C003C00, 0x3C003C00}, 0x4000CCCC},
        {"FADD.v2f16.clamp_0_1 r0, r2, 0x0.neg", {0x7E014000}, 0x00003C00},
        {"FADD.v2f16.clamp_m1_1 r0, r2, 0x0.neg", {0x7E018000}, 0xBC008000},
        {"FMIN.v2f16 r0, r2, r4", {0x80007C01, 0x00003C00}, 0x80003C00},
        {"FMAX.v2f16 r0, r2, r4", {0x80007E00, 0x00007E00}, 0x00007E00},
        {"FMA.v2f16 r0, r2, r4, r6", {0x42004200, 0x40003C00, 0x3C003C00}, 0x47004400},
        {"FMA.v2f16 r0, r2.abs, r4.neg, r6", {0xC2004200, 0x40003C00, 0x0}, 0xC600C200},
    });
}

TEST_CASE("FADD.v2f16 is correctly rounded where binary32 rounds first") {
    // 2048 + 1 + a little: the exact sum 2049.0001 lies above the tie of 2049.
    check_cases({
        {"FADD.v2f16 r0, r2, r4", {0x6800, 0x3C00}, 0x6800},  // 2049 is a tie, to even
        {"FADD.v2f16 r0, r2, r4", {0x6800, 0x3C01}, 0x6801},
        {"FADD.v2f16 r0, r2, r4", {0x6801, 0x3C00}, 0x6802},
    });
}

TEST_CASE("FMA.v2f16 rounds to binary32 before it rounds to binary16") {
    // (1 + 2^-10) * 2^-11 * (1 - 2^-10) + (1 + 2^-10) = 1 + 2^-10 + 2^-11 - 2^-31. One rounding
    // would give 1 + 2^-10; binary32 drops the last term, and the tie that is left goes to even.
    check_cases({
        {"FMA.v2f16 r0, r2, r4, r6", {0x3C01, 0x0FFE, 0x3C01}, 0x3C02},
        {"FMA.v2f16 r0, r2, r4, r6", {0x3C01, 0x0FFD, 0x3C01}, 0x3C01},
    });
}

TEST_CASE("every half survives the way to f32 and back") {
    for (uint32_t half = 0; half < 0x10000; ++half) {
        const float value = arith::half_to_float(static_cast<uint16_t>(half));
        const uint32_t exponent = half >> 10 & 31;
        const double fraction = half & 1023;
        const double sign = half & 0x8000 ? -1 : 1;
        if (exponent == 31) {
            CHECK(std::isnan(value) == (fraction != 0));
            CHECK(std::signbit(value) == (sign < 0));
            continue;
        }
        const double magnitude = exponent == 0
                                     ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
        CHECK(value == sign * magnitude);
        CHECK(arith::float_to_half(value) == half);
    }
}

TEST_CASE("f32 to f16 rounds to the neighbour that the mode names") {
    // Between every two neighbouring finite halves: the quarter points and the middle.
    for (uint32_t half = 0; half < 0x7BFF; ++half) {
        const double low = arith::half_to_float(static_cast<uint16_t>(half));
        const double high = arith::half_to_float(static_cast<uint16_t>(half + 1));
        const auto at = [&](double t) { return static_cast<float>(low + t * (high - low)); };
        const auto to = [](float x, RoundMode mode) { return arith::float_to_half(x, mode); };
        const uint32_t even = half & 1 ? half + 1 : half;
        CHECK(to(at(0.25), RoundMode::rte) == half);
        CHECK(to(at(0.5), RoundMode::rte) == even);
        CHECK(to(at(0.75), RoundMode::rte) == half + 1);
        CHECK(to(at(0.25), RoundMode::rtp) == half + 1);
        CHECK(to(-at(0.25), RoundMode::rtp) == (0x8000 | half));
        CHECK(to(at(0.75), RoundMode::rtn) == half);
        CHECK(to(-at(0.25), RoundMode::rtn) == (0x8000 | (half + 1)));
        CHECK(to(at(0.75), RoundMode::rtz) == half);
        CHECK(to(-at(0.75), RoundMode::rtz) == (0x8000 | half));
    }
}

TEST_CASE("f32 to f16 overflows as IEEE asks") {
    check_cases({
        {"V2F32_TO_V2F16 r0, r2, r4", {f(65519.0F), f(65520.0F)}, 0x7C007BFF},
        {"V2F32_TO_V2F16.rtz r0, r2, r4", {f(65520.0F), f(1e30F)}, 0x7BFF7BFF},
        {"V2F32_TO_V2F16.rtp r0, r2, r4", {f(65505.0F), f(-1e30F)}, 0xFBFF7C00},
        {"V2F32_TO_V2F16.rtn r0, r2, r4", {f(65505.0F), f(-65505.0F)}, 0xFC007BFF},
        {"V2F32_TO_V2F16 r0, r2, r4", {kInf, kMinusInf}, 0xFC007C00},
        {"V2F32_TO_V2F16 r0, r2, r4.neg", {kNan, 0}, 0x80007E00},
        {"V2F32_TO_V2F16.clamp_0_1 r0, r2, r4", {f(-1.0F), f(2.0F)}, 0x3C000000},
        {"V2F32_TO_V2F16.rtp r0, r2, r4", {1, 0x80000001}, 0x80000001},
        {"F16_TO_F32 r0, r2.h1", {0x3C000001}, f(1.0F)},
        {"F16_TO_F32 r0, r2.h0", {0x3C000001}, f(0x1p-24F)},
        {"F16_TO_F32 r0, r2.neg.abs.h0", {0x0000C000}, f(-2.0F)},
        {"F16_TO_F32 r0, r2.h0", {0x0000FE01}, kNan},
    });
}

TEST_CASE("FROUND.v2f16") {
    check_cases({
        {"FROUND.v2f16 r0, r2", {0x38003E00}, 0x00004000},      // 0.5, 1.5
        {"FROUND.v2f16 r0, r2", {0xB8014100}, 0xBC004000},      // -0.5005, 2.5
        {"FROUND.v2f16.rtn r0, r2", {0x80013A00}, 0xBC000000},  // -tiny, 0.75
        {"FROUND.v2f16.rtp r0, r2", {0xBA000001}, 0x80003C00},
        {"FROUND.v2f16.rtz r0, r2", {0xC2FF7C01}, 0xC2007E00},
        {"FROUND.v2f16 r0, r2", {0x7BFFFC00}, 0x7BFFFC00},
    });
}
