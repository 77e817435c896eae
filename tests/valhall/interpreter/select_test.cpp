// Select test: checks FCMP, ICMP, CSEL and MUX.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace valkyr::valhall::test;

namespace {

/// All eight float conditions on one pair: eq gt ge ne lt le gtlt total, as a string of 0 and 1.
std::string all_conditions(uint32_t a, uint32_t b) {
    std::string result;
    for (const char* condition : {"eq", "gt", "ge", "ne", "lt", "le", "gtlt", "total"}) {
        const std::string text = std::string("FCMP.f32.") + condition + ".i1 r0, r2, r4, 0x0";
        result += eval(text, {a, b}) ? '1' : '0';
    }
    return result;
}

}  // namespace

TEST_CASE("float conditions: only ne is true on NaN, zeros are equal, total is a total order") {
    //                                            eq gt ge ne lt le gtlt total
    CHECK(all_conditions(f(1.0F), f(2.0F)) == "00011111");
    CHECK(all_conditions(f(2.0F), f(1.0F)) == "01110010");
    CHECK(all_conditions(f(1.0F), f(1.0F)) == "10100101");
    CHECK(all_conditions(kMinusZero, 0) == "10100101");
    CHECK(all_conditions(0, kMinusZero) == "10100100");
    CHECK(all_conditions(kNan, f(1.0F)) == "00010000");
    CHECK(all_conditions(f(1.0F), kNan) == "00010001");
    CHECK(all_conditions(0xFFC00000, kMinusInf) == "00010001");
    CHECK(all_conditions(kNan, kNan) == "00010001");
    CHECK(all_conditions(1, 2) == "00011111");  // subnormals are not flushed
    CHECK(all_conditions(kMinusInf, kInf) == "00011111");
}

TEST_CASE("FCMP combines with C and encodes by result type") {
    check_cases({
        {"FCMP.f32.lt.f1 r0, r2, r4, 0x0", {f(1.0F), f(2.0F)}, f(1.0F)},
        {"FCMP.f32.lt.m1 r0, r2, r4, 0x0", {f(1.0F), f(2.0F)}, 0xFFFFFFFF},
        {"FCMP.f32.lt.i1 r0, r2, r4, r6", {f(3.0F), f(2.0F), 0x80000000}, 1},
        {"FCMP.f32.lt.i1.and r0, r2, r4, r6", {f(1.0F), f(2.0F), 0}, 0},
        {"FCMP.f32.lt.i1.and r0, r2, r4, r6", {f(1.0F), f(2.0F), 4}, 1},
        {"FCMP.f32.gt.m1 r0, r2.neg.abs, r4.h1, 0x0", {f(3.0F), 0xC4000000}, 0xFFFFFFFF},
        {"FCMP.v2f16.eq.m1 r0, r2, r4, 0x0", {0x80003C00, 0x00004000}, 0xFFFF0000},
        {"FCMP.v2f16.ne.f1 r0, r2, r4, 0x0", {0x7E003C00, 0x00003C00}, 0x3C000000},
        {"FCMP.v2f16.eq.i1 r0, r2.h10, r4, 0x1000000", {0x12345678, 0x56781234}, 0x00010001},
        {"FCMP.v2f16.gt.i1.and r0, r2, r4, r6", {0x40004000, 0, 0x00010000}, 0x00010000},
    });
}

TEST_CASE("ICMP compares by the type of its lanes") {
    check_cases({
        {"ICMP.u32.lt.i1 r0, r2, r4, 0x0", {1, 0xFFFFFFFF}, 1},
        {"ICMP.s32.lt.i1 r0, r2, r4, 0x0", {1, 0xFFFFFFFF}, 0},
        {"ICMP.s32.ge.m1 r0, r2, r4, 0x0", {kIntMin, kIntMin}, 0xFFFFFFFF},
        {"ICMP.s32.gt.f1 r0, r2.b0, r4.b1, 0x0", {0x00FF, 0xFE00}, f(1.0F)},
        {"ICMP.u32.ne.i1.and r0, r2, r4, r6", {1, 2, 0}, 0},
        {"ICMP.u32.eq.i1 r0, r2, r4, r6", {1, 2, 8}, 1},
        {"ICMP.v2u16.gt.m1 r0, r2, r4, 0x0", {0x80000001, 0x7FFF0002}, 0xFFFF0000},
        {"ICMP.v2s16.gt.m1 r0, r2, r4, 0x0", {0x80000001, 0x7FFF0002}, 0x00000000},
        {"ICMP.v2u16.le.f1 r0, r2, r4, 0x0", {0x00010002, 0x00010001}, 0x3C000000},
        {"ICMP.v2u16.eq.m1 r0, r2.h00, 0x0, 0x0", {0x00010000}, 0xFFFFFFFF},
        {"ICMP.v4u8.lt.m1 r0, r2, r4, 0x0", {0x00FF0180, 0x01000201}, 0xFF00FF00},
        {"ICMP.v4s8.lt.i1 r0, r2, r4, 0x0", {0x00FF0180, 0x01000201}, 0x01010101},
        {"ICMP.v4s8.eq.i1.and r0, r2, r4, r6", {0, 0, 0xFF00FF00}, 0x01000100},
    });
}

TEST_CASE("two ICMP with seq compare 64 bits") {
    const auto less = [](uint64_t a, uint64_t b, bool is_signed) {
        const uint32_t low = eval("ICMP.u32.lt.u1.seq r0, r2, r4, 0x0", {a, b});
        return eval(is_signed ? "ICMP.s32.lt.m1.seq r0, r2, r4, r6"
                              : "ICMP.u32.lt.m1.seq r0, r2, r4, r6",
                    {a >> 32, b >> 32, low});
    };
    const uint64_t values[] = {0,
                               1,
                               0x80000000,
                               0xFFFFFFFF,
                               0x100000000,
                               0x7FFFFFFFFFFFFFFF,
                               0x8000000000000000,
                               0x80000000FFFFFFFF,
                               0xFFFFFFFFFFFFFFFF};
    for (const uint64_t a : values) {
        for (const uint64_t b : values) {
            CHECK(less(a, b, false) == (a < b ? 0xFFFFFFFF : 0));
            CHECK(less(a, b, true) ==
                  (static_cast<int64_t>(a) < static_cast<int64_t>(b) ? 0xFFFFFFFF : 0));
        }
    }
    check_cases({
        {"ICMP.u32.lt.u1.seq r0, r2, r4, r6", {2, 1, 0}, 1},
        {"ICMP.u32.lt.u1.seq r0, r2, r4, r6", {1, 1, kIntMin}, 0xFFFFFFFF},
        {"ICMP.u32.lt.u1.seq r0, r2, r4, r6", {1, 1, 7}, 1},
        {"ICMP.u32.lt.u1.seq r0, r2, r4, r6", {1, 1, 0}, 0},
        {"ICMP.s32.ge.f1.seq r0, r2, r4, r6", {1, 1, 0}, f(1.0F)},
    });
}

TEST_CASE("CSEL moves bits") {
    check_cases({
        {"CSEL.f32.lt r0, r2, r4, r6, r8", {f(1.0F), f(2.0F), kSignallingNan, 5}, kSignallingNan},
        {"CSEL.f32.lt r0, r2, r4, r6, r8", {kNan, f(2.0F), 7, 5}, 5},
        {"CSEL.f32.ne r0, r2, r4, r6, r8", {kNan, f(2.0F), 7, 5}, 7},
        {"CSEL.f32.eq r0, r2, r4, r6, r8", {kMinusZero, 0, 7, 5}, 7},
        {"CSEL.v2f16.gt r0, r2, r4, r6, r8", {0x3C00BC00, 0, 0x11112222, 0x33334444}, 0x11114444},
        {"CSEL.u32.gt r0, r2, r4, r6, r8", {0xFFFFFFFF, 1, 7, 5}, 7},
        {"CSEL.s32.gt r0, r2, r4, r6, r8", {0xFFFFFFFF, 1, 7, 5}, 5},
        {"CSEL.v2u16.le r0, r2, r4, r6, r8",
         {0xFFFF0001, 0x00010001, 0x1111AAAA, 0x2222BBBB},
         0x2222AAAA},
        {"CSEL.v2s16.le r0, r2, r4, r6, r8",
         {0xFFFF0001, 0x00010001, 0x1111AAAA, 0x2222BBBB},
         0x1111AAAA},
    });
}

TEST_CASE("MUX selects A when its test on the mask holds") {
    check_cases({
        {"MUX.i32.neg r0, r2, r4, r6", {1, 2, 0x80000000}, 1},
        {"MUX.i32.neg r0, r2, r4, r6", {1, 2, 0x7FFFFFFF}, 2},
        {"MUX.i32 r0, r2, r4, r6", {1, 2, 0}, 1},  // int_zero: A on zero
        {"MUX.i32 r0, r2, r4, r6", {1, 2, 4}, 2},
        {"MUX.i32.fp_zero r0, r2, r4, r6", {1, 2, kMinusZero}, 1},
        {"MUX.i32.fp_zero r0, r2, r4, r6", {1, 2, 1}, 2},  // a subnormal is not zero
        {"MUX.i32.bit r0, r2, r4, r6", {0x0000FFFF, 0x12345678, 0x00FF00FF}, 0x120056FF},
        {"MUX.v2i16.neg r0, r2, r4, r6", {0x11112222, 0x33334444, 0x80000000}, 0x11114444},
        {"MUX.v2i16 r0, r2.h10, r4, r6.h11", {0x11112222, 0x33334444, 0x00000001}, 0x22221111},
        {"MUX.v2i16.fp_zero r0, r2, r4, r6", {0x11112222, 0x33334444, 0x80000001}, 0x11114444},
        {"MUX.v4i8 r0, r2, r4, r6", {0x11223344, 0x55667788, 0x00010200}, 0x11667744},
        {"MUX.v4i8.neg r0, r2, r4, r6", {0x11223344, 0x55667788, 0x80FF7F00}, 0x11227788},
    });
}
