// Integer test: checks wrapping, saturation, widening, products and counts.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"
#include "valhall/arith/arith_integer.hpp"

#include <doctest/doctest.h>

using namespace valkyr::valhall::test;
namespace arith = valkyr::valhall::arith;

TEST_CASE("IADD and ISUB wrap, or saturate to the range of their type") {
    check_cases({
        {"IADD.u32 r0, r2, r4", {0xFFFFFFFF, 2}, 1},
        {"IADD.u32.saturate r0, r2, r4", {0xFFFFFFFF, 2}, 0xFFFFFFFF},
        {"IADD.s32.saturate r0, r2, r4", {kIntMax, 1}, kIntMax},
        {"IADD.s32.saturate r0, r2, r4", {kIntMin, 0xFFFFFFFF}, kIntMin},
        {"IADD.s32 r0, r2, r4", {kIntMax, 1}, kIntMin},
        {"ISUB.u32.saturate r0, r2, r4", {1, 2}, 0},
        {"ISUB.u32 r0, r2, r4", {1, 2}, 0xFFFFFFFF},
        {"ISUB.s32.saturate r0, r2, r4", {0, kIntMin}, kIntMax},
        {"IADD.v2u16 r0, r2, r4", {0xFFFF0001, 0x0001FFFF}, 0x00000000},
        {"IADD.v2u16.saturate r0, r2, r4", {0xFFFF0001, 0x00010001}, 0xFFFF0002},
        {"IADD.v2s16.saturate r0, r2, r4", {0x80007FFF, 0xFFFF0001}, 0x80007FFF},
        {"ISUB.v2s16 r0, r2, r4", {0x80000000, 0x00010001}, 0x7FFFFFFF},
        {"IADD.v4u8 r0, r2, r4", {0xFF01807F, 0x01018001}, 0x00020080},
        {"IADD.v4u8.saturate r0, r2, r4", {0xFF01807F, 0x01018001}, 0xFF02FF80},
        {"IADD.v4s8.saturate r0, r2, r4", {0x7F80FF00, 0x0180FF05}, 0x7F80FE05},
        {"ISUB.v4u8.saturate r0, r2, r4", {0x01020304, 0x02020202}, 0x00000102},
        {"IADD.u64 r0, r2, r4", {0xFFFFFFFFFFFFFFFF, 1}, 0},
        {"IADD.u64 r0, r2, r4", {0x00000000FFFFFFFF, 1}, 0x0000000100000000},
        {"ISUB.s64 r0, r2, r4", {0, 1}, 0xFFFFFFFFFFFFFFFF},
        {"IADD_IMM.i32 r0, r2, #0xFFFFFFFF", {5}, 4},
        {"IADD_IMM.v2i16 r0, r2, #0x0001FFFF", {0xFFFF0000}, 0x0000FFFF},
        {"IADD_IMM.v4i8 r0, r2, #0x01020304", {0xFFFFFFFF}, 0x00010203},
    });
}

TEST_CASE("widening selectors extend by the signedness of the instruction") {
    check_cases({
        {"IADD.u32 r0, r2.b3, r4.h1", {0x80000000, 0xFFFE0000}, 0x0001007E},
        {"IADD.s32 r0, r2.b3, r4.h1", {0x80000000, 0xFFFE0000}, 0xFFFFFF7E},
        {"IADD.v2s16 r0, r2.b20, 0x0", {0x00800170}, 0x0070FF80},  // low from b2, high from b0
        {"IADD.v2u16 r0, r2.b20, 0x0", {0x00800170}, 0x00700080},
        {"IADD.v2u16 r0, r2.b33, 0x0", {0x81000000}, 0x00810081},
        {"IADD.v2u16 r0, r2.h11, 0x0", {0x12345678}, 0x12341234},
        {"IADD.v4u8 r0, r2.b3210, 0x0", {0x04030201}, 0x01020304},
        {"IADD.v4u8 r0, r2.b0011, 0x0", {0x04030201}, 0x02020101},
        {"IADD.v4u8 r0, r2.b2301, 0x0", {0x04030201}, 0x02010403},
        {"IADD.u64 r0, r2.w0, r4.b3", {0xFFFFFFFF, 0x80000000}, 0x000000010000007F},
        {"IADD.s64 r0, r2.w0, r4.b3", {0xFFFFFFFF, 0x80000000}, 0xFFFFFFFFFFFFFF7F},
        {"IADD.s64 r0, r2.h0, r4.w0", {0x8000, 0x1}, 0xFFFFFFFFFFFF8001},
        // The table constant 0x01000000 has the halves 0 and 256, and the bytes 0 0 0 1.
        {"IADD.v2u16 r0, 0x0, 0x1000000", {}, 0x01000000},
        {"IADD.u32 r0, 0x0, 0x1000000.b3", {}, 1},
        {"IADD.u64 r0, 0x0, 0xFFFFFFFF", {}, 0x00000000FFFFFFFF},  // zero-extended
    });
}

TEST_CASE("products") {
    check_cases({
        {"IMUL.i32 r0, r2, r4", {0x10001, 0x10001}, 0x00020001},
        {"IMUL.i32.saturate r0, r2, r4", {0x10001, 0x10001}, 0xFFFFFFFF},
        {"IMUL.i32.saturate r0, r2, r4", {0xFFFFFFFF, 0xFFFFFFFF}, 0xFFFFFFFF},
        {"IMUL.s32.saturate r0, r2, r4", {kIntMin, 0xFFFFFFFF}, kIntMax},
        {"IMUL.s32.saturate r0, r2, r4", {kIntMin, 2}, kIntMin},
        {"IMUL.s32 r0, r2.b0, r4.b0", {0xFF, 0x02}, 0xFFFFFFFE},
        {"IMUL.v2i16 r0, r2, r4", {0x01000003, 0x01000005}, 0x0000000F},
        {"IMUL.v2i16.saturate r0, r2, r4", {0x01000003, 0x01000005}, 0xFFFF000F},
        {"IMUL.v2s16.saturate r0, r2, r4", {0x80000100, 0xFFFF0100}, 0x7FFF7FFF},
        {"IMUL.v4i8.saturate r0, r2, r4", {0x10FF0203, 0x10FF0405}, 0xFFFF080F},
        {"IMUL.v4s8.saturate r0, r2, r4", {0x80FF10F0, 0xFF021010}, 0x7FFE7F80},
        {"IMULD.u64 r0, r2.w0, r4.w0", {0xFFFFFFFF, 0xFFFFFFFF}, 0xFFFFFFFE00000001},
        {"IDP.v4u8 r0, r2, r4, r6", {0xFFFFFFFF, 0xFFFFFFFF, 1}, 4 * 255 * 255 + 1},
        {"IDP.v4s8 r0, r2, r4, r6", {0x80FF0102, 0x80020304, 5}, 16384 - 2 + 3 + 8 + 5},
        {"IDP.v4u8 r0, r2, r4, r6", {1, 1, 0xFFFFFFFF}, 0},
        {"IDP.v4u8.saturate r0, r2, r4, r6", {1, 1, 0xFFFFFFFF}, 0xFFFFFFFF},
        {"IDP.v4s8.saturate r0, r2, r4, r6", {0x80, 0x7F, kIntMin}, kIntMin},
    });
}

TEST_CASE("half-add never overflows") {
    check_cases({
        {"HADD.u32 r0, r2, r4", {0xFFFFFFFF, 0xFFFFFFFE}, 0xFFFFFFFE},
        {"HADD.u32.rhadd r0, r2, r4", {0xFFFFFFFF, 0xFFFFFFFE}, 0xFFFFFFFF},
        {"HADD.s32 r0, r2, r4", {kIntMin, kIntMax}, 0xFFFFFFFF},  // floor(-0.5)
        {"HADD.s32.rhadd r0, r2, r4", {kIntMin, kIntMax}, 0},
        {"HADD.v2u16 r0, r2, r4", {0xFFFF0001, 0xFFFF0002}, 0xFFFF0001},
        {"HADD.v2s16 r0, r2, r4", {0xFFFF8000, 0x00008000}, 0xFFFF8000},
        {"HADD.v4u8.rhadd r0, r2, r4", {0xFF000102, 0xFE010202}, 0xFF010202},
        {"HADD.v4s8 r0, r2, r4", {0x807FFF00, 0x807F00FF}, 0x807FFFFF},
    });
}

TEST_CASE("absolute value, counts, reversal, complement") {
    check_cases({
        {"IABS.s32 r0, r2", {kIntMin}, kIntMin},
        {"IABS.s32 r0, r2", {0xFFFFFFFF}, 1},
        {"IABS.s32 r0, r2.b0", {0x12345680}, 0x80},
        {"IABS.v2s16 r0, r2", {0x8000FFFF}, 0x80000001},
        {"IABS.v4s8 r0, r2", {0x80FF7F00}, 0x80017F00},
        {"CLZ.u32 r0, r2", {0}, 32},
        {"CLZ.u32 r0, r2", {0x00010000}, 15},
        {"CLZ.v2u16 r0, r2", {0x00000001}, 0x0010000F},
        {"CLZ.v2u16 r0, r2.h10", {0x00000001}, 0x000F0010},
        {"CLZ.v4u8 r0, r2", {0x00018010}, 0x08070003},
        {"POPCOUNT.i32 r0, r2", {0xF0F00001}, 9},
        {"BITREV.i32 r0, r2", {0x00000001}, 0x80000000},
        {"BITREV.i32 r0, r2", {0x12345678}, 0x1E6A2C48},
        {"NOT_OLD.i32 r0, r2", {0x0F0F0F0F}, 0xF0F0F0F0},
        {"NOT_OLD.i64 r0, r2", {0x00000000FFFFFFFF}, 0xFFFFFFFF00000000},
    });
}

TEST_CASE("64-bit address arithmetic") {
    check_cases({
        {"SHADDX.u64 r0, r2, r4.w0, shift:0x2", {0x100000000, 0xFFFFFFFF}, 0x4FFFFFFFC},
        {"SHADDX.s64 r0, r2, r4.w0, shift:0x2", {0x100000000, 0xFFFFFFFF}, 0x0FFFFFFFC},
        {"SHADDX.u64 r0, r2, r4, shift:0x7", {1, 0x0200000000000000}, 1},
        {"SEG_ADD.u64 r0, r2, r4.w0", {0x100000000, 0xFFFFFFFF}, 0x1FFFFFFFF},
        {"SEG_ADD.u64.neg r0, r2, r4.w0", {0x100000000, 1}, 0x0FFFFFFFF},
        {"SEG_ADD.u64.preserve_null r0, r2, r4.w0", {0, 16}, 0},
        {"SEG_ADD.u64.preserve_null r0, r2, r4.w0", {1, 16}, 17},
    });
}

TEST_CASE("8-bit arithmetic agrees with plain integers on all operands") {
    for (int a = -128; a < 256; ++a) {
        for (int b = -128; b < 256; ++b) {
            if (a >= 0 && b >= 0) {
                const auto x = static_cast<uint8_t>(a);
                const auto y = static_cast<uint8_t>(b);
                REQUIRE(arith::iadd(x, y, true) == (a + b > 255 ? 255 : a + b));
                REQUIRE(arith::isub(x, y, true) == (a < b ? 0 : a - b));
                REQUIRE(arith::imul(x, y, false) == (a * b) % 256);
                REQUIRE(arith::imul(x, y, true) == (a * b > 255 ? 255 : a * b));
            }
            if (a < 128 && b < 128) {
                const auto x = static_cast<int8_t>(a);
                const auto y = static_cast<int8_t>(b);
                const auto limited = [](int v) { return v < -128 ? -128 : (v > 127 ? 127 : v); };
                REQUIRE(arith::iadd(x, y, true) == limited(a + b));
                REQUIRE(arith::isub(x, y, true) == limited(a - b));
                REQUIRE(arith::imul(x, y, true) == limited(a * b));
            }
        }
    }
}
