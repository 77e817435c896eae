// Exponent test: checks FREXP, LDEXP, FMA_RSCALE and FADD_LSCALE.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"
#include "valhall/arith/arith_exponent.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr::valhall::test;
using valkyr::as_bits;
using valkyr::as_float;
namespace arith = valkyr::valhall::arith;

namespace {

__extension__ using Wide = __int128;

/// value * 2^exponent rounded to binary32, nearest even, by trial division, independently of the
/// code under test.
float nearest_float(Wide value, int exponent) {
    const bool negative = value < 0;
    Wide magnitude = negative ? -value : value;
    if (magnitude == 0)
        return 0;
    Wide lost = 0;
    Wide unit = 1;
    while (magnitude >= (Wide{1} << 24) || exponent < -149) {
        lost += (magnitude % 2) * unit;
        unit *= 2;
        magnitude /= 2;
        ++exponent;
        if (unit > (Wide{1} << 100))
            return negative ? -0.0F : 0.0F;
    }
    if (2 * lost > unit || (2 * lost == unit && unit > 1 && magnitude % 2 == 1))
        ++magnitude;
    const auto result = std::ldexp(static_cast<double>(magnitude), exponent);
    return static_cast<float>(negative ? -result : result);
}

}  // namespace

TEST_CASE("FREXPM and FREXPE split a number in three ways") {
    check_cases({
        {"FREXPM.f32 r0, r2", {f(12.0F)}, f(0.75F)},
        {"FREXPE.f32 r0, r2", {f(12.0F)}, 4},
        {"FREXPM.f32.sqrt r0, r2", {f(12.0F)}, f(0.75F)},  // 12 = 1.5 * 2^3: e odd
        {"FREXPE.f32.sqrt r0, r2", {f(12.0F)}, 2},
        {"FREXPM.f32.sqrt r0, r2", {f(24.0F)}, f(0.375F)},  // e even
        {"FREXPE.f32.sqrt r0, r2", {f(24.0F)}, 3},
        {"FREXPM.f32.log r0, r2", {f(12.0F)}, f(0.75F)},  // m = 1.5 is halved
        {"FREXPE.f32.log r0, r2", {f(12.0F)}, 4},
        {"FREXPM.f32.log r0, r2", {f(11.0F)}, f(1.375F)},
        {"FREXPE.f32.log r0, r2", {f(11.0F)}, 3},
        {"FREXPM.f32 r0, r2", {f(-3.0F)}, f(-0.75F)},
        {"FREXPE.f32 r0, r2", {f(0.25F)}, 0xFFFFFFFF},
        {"FREXPM.f32 r0, r2", {1}, f(0.5F)},  // subnormals are normalised first
        {"FREXPE.f32 r0, r2", {1}, static_cast<uint32_t>(-148)},
        {"FREXPE.f32.sqrt r0, r2", {f(0.25F)}, 0},
        {"FREXPE.f32.sqrt r0, r2", {f(0.125F)}, 0xFFFFFFFF},
        {"FREXPM.f32 r0, r2", {kMinusZero}, kMinusZero},
        {"FREXPE.f32 r0, r2", {kMinusZero}, 0},
        {"FREXPM.f32 r0, r2", {kMinusInf}, kMinusInf},
        {"FREXPE.f32 r0, r2", {kInf}, 0},
        {"FREXPM.f32 r0, r2", {0xFF812345}, kNan},
        {"FREXPE.f32 r0, r2", {kNan}, 0},
        {"FREXPM.f32 r0, r2.h1", {0x4A000000}, f(0.75F)},  // half 12.0
        {"FREXPM.v2f16 r0, r2", {0x4A000001}, 0x3A003800},
        {"FREXPE.v2f16 r0, r2", {0x4A000001}, 0x0004FFE9},  // 2^-24 = 0.5 * 2^-23
        {"FREXPM.v2f16 r0, r2", {0x7C01FC00}, 0x7E00FC00},
    });
}

TEST_CASE("FREXPM times a power of FREXPE is the number") {
    std::mt19937 random(3);
    for (int n = 0; n < 20000; ++n) {
        const uint32_t bits = random();
        const float x = as_float(bits);
        if (!std::isfinite(x) || x == 0)
            continue;
        for (const auto mode :
             {arith::FrexpMode::Plain, arith::FrexpMode::Sqrt, arith::FrexpMode::Log}) {
            const float m = as_float(arith::frexp_mantissa(arith::kBinary32, bits, mode));
            const int e = arith::frexp_exponent(arith::kBinary32, bits, mode);
            const bool sqrt = mode == arith::FrexpMode::Sqrt;
            CHECK(std::ldexp(static_cast<double>(m), sqrt ? 2 * e : e) == x);
            const double low = mode == arith::FrexpMode::Plain ? 0.5 : (sqrt ? 0.25 : 0.75);
            const double high = mode == arith::FrexpMode::Log ? 1.5 : 1.0;
            CHECK(std::fabs(m) >= low);
            CHECK(std::fabs(m) < high);
        }
    }
}

TEST_CASE("LDEXP rounds once, into the subnormals too") {
    check_cases({
        {"LDEXP.f32 r0, r2, r4", {f(1.5F), 3}, f(12.0F)},
        {"LDEXP.f32 r0, r2.neg.abs, r4", {f(1.5F), 0xFFFFFFFF}, f(-0.75F)},
        {"LDEXP.f32 r0, r2, r4", {f(1.0F), static_cast<uint32_t>(-149)}, 1},
        {"LDEXP.f32 r0, r2, r4", {f(1.0F), static_cast<uint32_t>(-150)}, 0},  // a tie to even
        {"LDEXP.f32 r0, r2, r4", {f(1.5F), static_cast<uint32_t>(-150)}, 1},
        {"LDEXP.f32 r0, r2, r4", {f(3.0F), static_cast<uint32_t>(-150)}, 2},  // 1.5 to even
        {"LDEXP.f32.rtz r0, r2, r4", {f(3.0F), static_cast<uint32_t>(-150)}, 1},
        {"LDEXP.f32.rtp r0, r2, r4", {f(1.0F), static_cast<uint32_t>(-150)}, 1},
        {"LDEXP.f32.rtn r0, r2, r4", {f(-1.0F), 0x80000000}, 0x80000001},
        {"LDEXP.f32 r0, r2, r4", {f(1.0F), 128}, kInf},
        {"LDEXP.f32.rtz r0, r2, r4", {f(1.0F), kIntMax}, 0x7F7FFFFF},
        {"LDEXP.f32.rtp r0, r2, r4", {f(-1.0F), 128}, 0xFF7FFFFF},
        {"LDEXP.f32 r0, r2, r4", {1, 149}, f(1.0F)},
        {"LDEXP.f32 r0, r2, r4", {kMinusZero, 5}, kMinusZero},
        {"LDEXP.f32 r0, r2, r4", {kInf, 0x80000000}, kInf},
        {"LDEXP.f32 r0, r2, r4", {kSignallingNan, 1}, kNan},
        {"LDEXP.v2f16 r0, r2, r4", {0x3C003E00, 0xFFE80003}, 0x00014A00},
        {"LDEXP.v2f16.rtz r0, r2, r4", {0x3C00BC00, 0x7FFF8000}, 0x7BFF8000},
    });
}

TEST_CASE("FMA_RSCALE scales the exact sum and rounds once") {
    check_cases({
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {f(2.0F), f(3.0F), f(1.0F), 4}, f(112.0F)},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8",
         {f(1.0F), f(1.0F), 0, static_cast<uint32_t>(-149)},
         1},
        // (1 + 2^-23) / 2 in units of the last subnormal bit: the sticky part decides.
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8",
         {f(1.0F), f(1.0F), f(0x1p-60F), static_cast<uint32_t>(-150)},
         1},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8",
         {f(1.0F), f(1.0F), f(-0x1p-60F), static_cast<uint32_t>(-150)},
         0},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {f(0x1p100F), f(0x1p100F), 0, 0}, kInf},
        // The product alone would overflow.
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8",
         {f(0x1p100F), f(0x1p100F), 0, static_cast<uint32_t>(-100)},
         f(0x1p100F)},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {f(1.0F), f(1.0F), f(-1.0F), 7}, 0},
        {"FMA_RSCALE.f32 r0, r2, r4, 0x0.neg, r8", {kMinusZero, f(1.0F), 0, 7}, kMinusZero},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {kInf, 0, 0, 7}, kNan},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {kInf, f(-1.0F), 0, 7}, kMinusInf},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {f(1.0F), f(1.0F), kNan, 7}, kNan},
        {"FMA_RSCALE.f32.clamp_0_1 r0, r2, r4, r6, r8", {f(1.0F), f(1.0F), 0, 3}, f(1.0F)},
        {"FMA_RSCALE.f32 r0, r2, r4, r6, r8", {f(1.0F), f(1.0F), 0, kIntMax}, kInf},
        {"FMA_RSCALE.f32 r0, r2.neg, r4, r6, r8", {f(1.0F), f(1.0F), 0, kIntMin}, kMinusZero},
    });
}

TEST_CASE("FMA_RSCALE_N and _LEFT replace a product with a zero factor") {
    check_cases({
        {"FMA_RSCALE_N.f32 r0, r2, r4, r6, r8", {0, kInf, f(2.0F), 1}, f(4.0F)},
        {"FMA_RSCALE_N.f32 r0, r2, r4, r6, r8", {kNan, kMinusZero, f(2.0F), 0}, f(2.0F)},
        {"FMA_RSCALE_N.f32 r0, r2, r4, r6, r8", {kMinusZero, f(1.0F), kMinusZero, 0}, 0},
        {"FMA_RSCALE_N.f32 r0, r2, r4, r6, r8", {f(2.0F), f(3.0F), f(1.0F), 0}, f(7.0F)},
        {"FMA_RSCALE_N.f32 r0, r2, r4, r6, r8", {kInf, f(1.0F), f(1.0F), 0}, kInf},
        {"FMA_RSCALE_LEFT.f32 r0, r2, r4, 0x0.neg, r8", {0, kInf, 0, 5}, 0},
        {"FMA_RSCALE_LEFT.f32 r0, r2, r4, 0x0.neg, r8", {kMinusZero, kInf, 0, 5}, kMinusZero},
        {"FMA_RSCALE_LEFT.f32 r0, r2, r4, 0x0.neg, r8", {kInf, 0, 0, 5}, kInf},
        {"FMA_RSCALE_LEFT.f32 r0, r2, r4, 0x0.neg, r8", {kNan, 0, 0, 5}, kNan},
        {"FMA_RSCALE_LEFT.f32 r0, r2, r4, r6, r8", {f(5.0F), 0, f(1.0F), 1}, f(12.0F)},
    });
}

TEST_CASE("FMA_RSCALE agrees with 128-bit integers") {
    std::mt19937 random(11);
    const auto number = [&] {  // 24 bits times a power of two near 1
        const auto mantissa = static_cast<int32_t>(random() & 0xFFFFFF) - 0x800000;
        return std::pair{mantissa, static_cast<int>(random() % 17) - 8};
    };
    for (int n = 0; n < 50000; ++n) {
        const auto [ma, ea] = number();
        const auto [mb, eb] = number();
        const auto [mc, ec] = number();
        const int scale = static_cast<int>(random() % 400) - 230;
        const Wide product = Wide{ma} * mb * (Wide{1} << (ea + eb + 32));
        const Wide sum = product + Wide{mc} * (Wide{1} << (ec + 32));
        const float expected = nearest_float(sum, scale - 32);
        const float result = arith::fma_rscale(
            std::ldexp(static_cast<float>(ma), ea), std::ldexp(static_cast<float>(mb), eb),
            std::ldexp(static_cast<float>(mc), ec), scale, arith::ZeroProduct::Multiply);
        CHECK(result == expected);
    }
}

TEST_CASE("FADD_LSCALE adds the mantissa of its second operand") {
    check_cases({
        {"FADD_LSCALE.f32 r0, 0x3F800000.neg, r4", {0, f(1.0F)}, 0},
        {"FADD_LSCALE.f32 r0, 0x3F800000.neg, r4", {0, f(12.0F)}, f(-0.25F)},
        {"FADD_LSCALE.f32 r0, 0x3F800000.neg, r4", {0, f(10.0F)}, f(0.25F)},
        {"FADD_LSCALE.f32 r0, r2, r4.neg", {0, f(12.0F)}, f(-0.75F)},
        {"FADD_LSCALE.f32 r0, r2, r4", {f(1.0F), 0}, f(1.0F)},
        {"FADD_LSCALE.f32 r0, r2, r4", {0, 1}, 1},  // subnormals are not scaled
        {"FADD_LSCALE.f32 r0, r2, r4", {f(1.0F), kInf}, kInf},
        {"FADD_LSCALE.f32 r0, r2, r4", {f(1.0F), kNan}, kNan},
        {"FADD_LSCALE.f32.clamp_0_1 r0, r2, r4", {f(1.0F), f(12.0F)}, f(1.0F)},
    });
}
