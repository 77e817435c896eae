// Special test: checks special values, and errors against long double, of special functions.
// SPDX-License-Identifier: MIT
//
// The error bounds are those of docs/rules/isa-notes.md. VALKYR_EXHAUSTIVE=1 tries every input.
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"
#include "valhall/arith/arith_special.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr::valhall::test;
using valkyr::as_bits;
using valkyr::as_float;
namespace arith = valkyr::valhall::arith;

namespace {

/// The step through a range of inputs; 1 with VALKYR_EXHAUSTIVE.
uint32_t stride(uint32_t quick) {
    return std::getenv("VALKYR_EXHAUSTIVE") ? 1 : quick;
}

/// The distance in units in the last place of binary32 at `exact`.
double ulps(float result, long double exact) {
    const int exponent = std::max(std::ilogb(exact), -126);
    return static_cast<double>(std::fabs(result - exact) / std::ldexp(1.0L, exponent - 23));
}

}  // namespace

TEST_CASE("FRCP and FRSQ: named values") {
    check_cases({
        {"FRCP.f32 r0, r2", {f(4.0F)}, f(0.25F)},
        {"FRCP.f32 r0, r2", {f(3.0F)}, 0x3EAAAAAB},
        {"FRCP.f32 r0, r2", {0}, kInf},
        {"FRCP.f32 r0, r2", {kMinusZero}, kMinusInf},
        {"FRCP.f32 r0, r2", {1}, kInf},  // 2^149 overflows
        {"FRCP.f32 r0, r2", {0x80000001}, kMinusInf},
        {"FRCP.f32 r0, r2", {f(0x1p127F)}, 0x00400000},  // subnormal out, kept
        {"FRCP.f32 r0, r2", {f(-0x1p127F)}, 0x80400000},
        {"FRCP.f32 r0, r2", {f(0x1p126F)}, f(0x1p-126F)},
        {"FRCP.f32 r0, r2", {kInf}, 0},
        {"FRCP.f32 r0, r2", {kMinusInf}, kMinusZero},
        {"FRCP.f32 r0, r2", {kSignallingNan}, kNan},
        {"FRCP.f32 r0, r2.neg.abs.h1", {0x44000000}, f(-0.25F)},
        {"FRSQ.f32 r0, r2", {f(4.0F)}, f(0.5F)},
        {"FRSQ.f32 r0, r2", {0}, kInf},
        {"FRSQ.f32 r0, r2", {kMinusZero}, kMinusInf},
        {"FRSQ.f32 r0, r2", {0x80000001}, kNan},
        {"FRSQ.f32 r0, r2", {0x00000002}, f(0x1p74F)},
        {"FRSQ.f32 r0, r2", {f(-1.0F)}, kNan},
        {"FRSQ.f32 r0, r2", {kInf}, 0},
        {"FRSQ.f32 r0, r2", {kMinusInf}, kNan},
        {"FRCP.f16 r0, r2.h11", {0x44000000}, 0x00003400},  // the upper half becomes 0
        {"FRCP.f16 r0.h1, r2.h00", {0x00004400}, 0x3400CCCC},
        {"FRCP.f16 r0, r2", {0x0001}, 0x7C00},  // 2^24 overflows
        {"FRCP.f16 r0, r2", {0x7BFF}, 0x0100},  // 1/65504: a subnormal, kept
        {"FRSQ.f16 r0, r2", {0x0001}, 0x6C00},  // 2^12: subnormal in, kept
        {"FRSQ.f16 r0, r2", {0xBC00}, 0x7E00},
        {"FRCP_APPROX.f32 r0, r2", {f(3.0F)}, f(0x1.5555p0F)},
        {"FRSQ_APPROX.f32 r0, r2", {f(4.0F)}, f(2.0F)},
    });
}

TEST_CASE("FRCP is correctly rounded, FRSQ within 1.5 ulp") {
    std::mt19937 random(17);
    double worst = 0;
    for (int n = 0; n < 300000; ++n) {
        const float x = as_float(0x00800000 + random() % 0x7E000000);
        const auto reciprocal = static_cast<float>(1.0L / static_cast<long double>(x));
        if (reciprocal >= 0x1p-126F)
            CHECK(arith::frcp(x) == reciprocal);
        worst =
            std::max(worst, ulps(arith::frsq(x), 1.0L / std::sqrt(static_cast<long double>(x))));
    }
    CHECK(worst < 1.5);
}

TEST_CASE("FEXP: named values") {
    const auto fixed = [](double x) {
        return static_cast<uint32_t>(static_cast<int32_t>(x * 0x1p24));
    };
    check_cases({
        {"FEXP.f32 r0, r2, r4", {0, 0}, f(1.0F)},
        {"FEXP.f32 r0, r2, r4", {fixed(3), f(3 * 0x1p24F)}, f(8.0F)},
        {"FEXP.f32 r0, r2, r4", {fixed(-3), f(-3 * 0x1p24F)}, f(0.125F)},
        {"FEXP.f32 r0, r2, r4", {fixed(0.5), f(0.5F * 0x1p24F)}, f(0x1.6a09e6p0F)},
        {"FEXP.f32 r0, r2, r4", {fixed(-126), f(-126 * 0x1p24F)}, f(0x1p-126F)},
        {"FEXP.f32 r0, r2, r4", {fixed(-127), f(-127 * 0x1p24F)}, 0},  // flushed
        {"FEXP.f32 r0, r2, r4", {kIntMin, f(-0x1p31F)}, 0},
        {"FEXP.f32 r0, r2, r4", {kIntMax, f(0x1p31F)}, kInf},
        {"FEXP.f32 r0, r2, r4", {kIntMax, kInf}, kInf},
        {"FEXP.f32 r0, r2, r4", {kIntMin, kMinusInf}, 0},
        {"FEXP.f32 r0, r2, r4", {0, kNan}, kNan},
        {"FEXP.f32 r0, r2, r4.neg", {0, f(0x1p31F)}, 0},
    });
}

TEST_CASE("FEXP is within 0.985 ulp of the power of two") {  // exhaustive: 0.98461
    double worst = 0;
    for (uint32_t fraction = 0; fraction < 1U << 24; fraction += stride(53)) {
        const long double exact = std::exp2(static_cast<long double>(fraction) * 0x1p-24L);
        worst = std::max(worst, ulps(arith::fexp(fraction, static_cast<float>(fraction)), exact));
    }
    CHECK(worst < 0.985);
}

TEST_CASE("FLOGD: named values") {
    check_cases({
        {"FLOGD.f32 r0, r2", {f(1.0F)}, 0x3FB8AA3B},
        {"FLOGD.f32 r0, r2", {f(1024.0F)}, 0x3FB8AA3B},
        {"FLOGD.f32 r0, r2", {1}, 0x3FB8AA3B},  // 2^-149 has the mantissa 1
        {"FLOGD.f32 r0, r2", {0}, kInf},
        {"FLOGD.f32 r0, r2", {kMinusZero}, kInf},
        {"FLOGD.f32 r0, r2", {kInf}, kInf},
        {"FLOGD.f32 r0, r2", {f(-1.0F)}, kNan},
        {"FLOGD.f32 r0, r2", {0x80000001}, kNan},
        {"FLOGD.f32 r0, r2", {kMinusInf}, kNan},
        {"FLOGD.f32 r0, r2", {kNan}, kNan},
    });
}

TEST_CASE("FLOGD is within 0.902 ulp of log2(1 + u) / u") {  // exhaustive: 0.90158
    double worst = 0;
    for (uint32_t bits = f(0.75F); bits < f(1.5F); bits += stride(37)) {
        const float m = as_float(bits);
        const long double u = static_cast<long double>(m) - 1;
        const long double exact =
            u == 0 ? 1 / std::log(2.0L) : std::log1p(u) / (u * std::log(2.0L));
        worst = std::max(worst, ulps(arith::flogd(m), exact));
    }
    CHECK(worst < 0.902);
}

TEST_CASE("tables are correctly rounded, exact on the axes") {
    const long double pi = std::acos(-1.0L);
    for (unsigned j = 0; j < 64; ++j) {
        const long double angle = 2 * pi * j / 64;
        const uint32_t biased = f(786432.0F) + j;  // as the range reduction leaves it
        const float sine = as_float(eval("FSIN_TABLE.u6 r0, r2", {biased}));
        const float cosine = as_float(eval("FCOS_TABLE.u6 r0, r2", {biased}));
        CHECK(sine == static_cast<float>(j % 32 == 0 ? 0 : std::sin(angle)));
        CHECK(cosine == static_cast<float>(j % 32 == 16 ? 0 : std::cos(angle)));
        CHECK(eval("FSINCOS_OFFSET.u6 r0, r2", {biased}) == 0);
        const float power = as_float(eval("FEXP_TABLE.u4 r0, r2", {biased}));
        CHECK(power == static_cast<float>(std::exp2(static_cast<long double>(j % 16) / 16)));
    }
    check_cases({
        {"FLOG_TABLE.f32 r0, r2", {f(1.0F)}, f(31.0F / 32)},  // 32/33
        {"FLOG_TABLE.f32 r0, r2", {f(-8.0F)}, f(31.0F / 32)},
        {"FLOG_TABLE.f32 r0, r2", {f(1.5F)}, f(21.0F / 32)},  // 32/49
        {"FLOG_TABLE.f32 r0, r2", {0}, f(1.0F)},
        {"FLOG_TABLE.f32 r0, r2", {kInf}, f(1.0F)},
        {"FLOG_TABLE.f32 r0, r2", {kNan}, f(1.0F)},
    });
}

TEST_CASE("FPCLASS tells ten classes apart") {
    check_cases({
        {"FPCLASS.f32 r0, r2", {0}, 0},
        {"FPCLASS.f32 r0, r2", {kMinusZero}, 1},
        {"FPCLASS.f32 r0, r2", {1}, 2},
        {"FPCLASS.f32 r0, r2", {0x80000001}, 3},
        {"FPCLASS.f32 r0, r2", {f(1.0F)}, 4},
        {"FPCLASS.f32 r0, r2", {f(-1.0F)}, 5},
        {"FPCLASS.f32 r0, r2", {kInf}, 6},
        {"FPCLASS.f32 r0, r2", {kMinusInf}, 7},
        {"FPCLASS.f32 r0, r2", {kNan}, 8},
        {"FPCLASS.f32 r0, r2", {kSignallingNan}, 9},
        {"FPCLASS.f16 r0, r2", {0x7C01}, 9},
        {"FPCLASS.f16 r0, r2", {0x8001}, 3},
    });
}

TEST_CASE("cube-map helpers follow the GL table, ties prefer z, then y") {
    constexpr uint32_t kInfinite = 1U << 16;
    const auto face = [](uint32_t number) { return number << 29; };
    check_cases({
        {"CUBEFACE1 r0, r2, r4, r6", {f(-3.0F), f(2.0F), f(1.0F)}, f(3.0F)},
        {"CUBEFACE1 r0, r2, r4, r6", {0, kMinusZero, 1}, f(2.0F)},
        {"CUBEFACE1 r0, r2, r4, r6", {0, kMinusInf, 1}, f(1.0F)},
        {"CUBEFACE1 r0, r2, r4, r6", {kInf, 0, kNan}, kNan},
        {"CUBEFACE2 r0, r2, r4, r6", {f(3.0F), f(2.0F), f(1.0F)}, face(0)},
        {"CUBEFACE2 r0, r2, r4, r6", {f(-3.0F), f(2.0F), f(1.0F)}, face(1)},
        {"CUBEFACE2 r0, r2, r4, r6", {f(1.0F), f(2.0F), f(1.0F)}, face(2)},
        {"CUBEFACE2 r0, r2, r4, r6", {f(2.0F), f(-2.0F), f(1.0F)}, face(3)},
        {"CUBEFACE2 r0, r2, r4, r6", {f(2.0F), f(2.0F), f(2.0F)}, face(4)},
        {"CUBEFACE2 r0, r2, r4, r6", {f(2.0F), f(2.0F), f(-2.0F)}, face(5)},
        {"CUBEFACE2 r0, r2, r4, r6", {0, 0, kMinusZero}, face(4)},
        {"CUBEFACE2 r0, r2, r4, r6", {kInf, 0, 0}, face(0) | kInfinite},
        {"CUBEFACE2 r0, r2, r4, r6", {kInf, kNan, 0}, face(4)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(0)}, f(-1.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(1)}, f(1.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(2)}, f(2.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(3)}, f(2.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(4)}, f(2.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(5)}, f(-2.0F)},
        {"CUBE_TSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(0)}, f(-1.0F)},
        {"CUBE_TSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(2)}, f(2.0F)},
        {"CUBE_TSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(3)}, f(-2.0F)},
        {"CUBE_TSEL r0, r2, r4, r6", {f(1.0F), f(2.0F), face(5)}, f(-1.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {kInf, f(2.0F), face(0) | kInfinite}, f(-1.0F)},
        {"CUBE_SSEL r0, r2, r4, r6", {f(5.0F), f(2.0F), face(0) | kInfinite}, kMinusZero},
        {"CUBE_TSEL r0, r2, r4, r6", {f(5.0F), kInf, face(2) | kInfinite}, f(1.0F)},
        {"CUBE_TSEL r0, r2, r4, r6", {kSignallingNan, 0, face(0)}, kNan},
    });
}
