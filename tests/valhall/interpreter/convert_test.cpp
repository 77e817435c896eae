// Convert test: checks conversions between integers and floats, extension and packing.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"
#include "valhall/arith/arith_convert.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace valkyr::valhall::test;
using valkyr::valhall::RoundMode;
namespace arith = valkyr::valhall::arith;

TEST_CASE("float to integer saturates and sends NaN to 0") {
    check_cases({
        {"F32_TO_S32 r0, r2", {f(1.5F)}, 2},
        {"F32_TO_S32 r0, r2", {f(2.5F)}, 2},
        {"F32_TO_S32 r0, r2", {f(-2.5F)}, 0xFFFFFFFE},
        {"F32_TO_S32.rtz r0, r2", {f(-2.75F)}, 0xFFFFFFFE},
        {"F32_TO_S32.rtn r0, r2", {f(-2.25F)}, 0xFFFFFFFD},
        {"F32_TO_S32.rtp r0, r2", {f(2.25F)}, 3},
        {"F32_TO_S32 r0, r2", {f(2147483648.0F)}, kIntMax},
        {"F32_TO_S32 r0, r2", {f(-2147483648.0F)}, kIntMin},
        {"F32_TO_S32 r0, r2", {f(2147483520.0F)}, 2147483520},
        {"F32_TO_S32 r0, r2", {kInf}, kIntMax},
        {"F32_TO_S32 r0, r2", {kMinusInf}, kIntMin},
        {"F32_TO_S32 r0, r2", {kNan}, 0},
        {"F32_TO_S32 r0, r2.neg", {f(7.0F)}, 0xFFFFFFF9},
        {"F32_TO_U32 r0, r2", {f(4294967296.0F)}, 0xFFFFFFFF},
        {"F32_TO_U32 r0, r2", {f(4294967040.0F)}, 4294967040},
        {"F32_TO_U32 r0, r2", {f(-1.0F)}, 0},
        {"F32_TO_U32.rtn r0, r2", {f(-0.25F)}, 0},
        {"F32_TO_U32 r0, r2", {kMinusInf}, 0},
        {"F32_TO_U32 r0, r2", {kSignallingNan}, 0},
        {"F16_TO_S32 r0, r2.h11", {0x7BFF0000}, 65504},
        {"F16_TO_S32 r0, r2.h00", {0x7BFFFC00}, kIntMin},
        {"F16_TO_U32.rtp r0, r2.h00", {0x00000001}, 1},
        {"V2F16_TO_V2S16 r0, r2", {0x7C00FBFF}, 0x7FFF8000},
        {"V2F16_TO_V2S16 r0, r2.h10", {0x3E004100}, 0x00020002},
        {"V2F16_TO_V2U16 r0, r2", {0x7BFFBC00}, 0xFFE00000},
        {"V2F16_TO_V2U16 r0, r2", {0x7C007E00}, 0xFFFF0000},
    });
}

TEST_CASE("integer to float rounds in the given mode") {
    check_cases({
        {"S32_TO_F32 r0, r2", {0}, 0},
        {"S32_TO_F32 r0, r2", {0xFFFFFFFF}, f(-1.0F)},
        {"S32_TO_F32 r0, r2", {kIntMin}, f(-2147483648.0F)},
        {"S32_TO_F32 r0, r2", {kIntMax}, f(2147483648.0F)},
        {"S32_TO_F32.rtz r0, r2", {kIntMax}, f(2147483520.0F)},
        {"S32_TO_F32 r0, r2", {16777217}, f(16777216.0F)},
        {"S32_TO_F32.rtp r0, r2", {16777217}, f(16777218.0F)},
        {"S32_TO_F32.rtn r0, r2", {static_cast<uint32_t>(-16777217)}, f(-16777218.0F)},
        {"S32_TO_F32 r0, r2.b3", {0x80000000}, f(-128.0F)},
        {"S32_TO_F32 r0, r2.h1", {0x80000000}, f(-32768.0F)},
        {"U32_TO_F32 r0, r2", {0xFFFFFFFF}, f(4294967296.0F)},
        {"U32_TO_F32.rtn r0, r2", {0xFFFFFFFF}, f(4294967040.0F)},
        {"U32_TO_F32 r0, r2.b3", {0x80000000}, f(128.0F)},
        {"V2S16_TO_V2F16 r0, r2", {0x8000FFFF}, 0xF800BC00},
        {"V2S16_TO_V2F16 r0, r2", {0x7FFF0801}, 0x78006800},
        {"V2S16_TO_V2F16.rtz r0, r2", {0x7FFF0803}, 0x77FF6801},
        {"V2S16_TO_V2F16 r0, r2.b31", {0x80000300}, 0x4200D800},
        {"V2U16_TO_V2F16 r0, r2", {0xFFFF0001}, 0x7C003C00},
        {"V2U16_TO_V2F16.rtn r0, r2", {0xFFFF0001}, 0x7BFF3C00},
        {"V2U16_TO_V2F16 r0, r2.b13", {0x80000300}, 0x58004200},
    });
}

TEST_CASE("integer to float agrees with the long double nearest value") {
    std::mt19937 random(5);
    for (int n = 0; n < 20000; ++n) {
        const auto value = static_cast<int32_t>(random() >> (random() % 32));
        const float expected = static_cast<float>(static_cast<long double>(value));
        CHECK(arith::integer_to_float(value, RoundMode::rte) == expected);
    }
}

TEST_CASE("extension of halves and bytes") {
    check_cases({
        {"S16_TO_S32 r0, r2.h00", {0x7FFF8000}, 0xFFFF8000},
        {"S16_TO_S32 r0, r2.h11", {0x7FFF8000}, 0x00007FFF},
        {"S16_TO_S32 r0, r2.h10", {0x7FFF8000}, 0x00007FFF},
        {"U16_TO_U32 r0, r2", {0x7FFF8000}, 0x00008000},
        {"S16_TO_F32 r0, r2", {0x7FFF8000}, f(-32768.0F)},
        {"U16_TO_F32 r0, r2.h11", {0xFFFF8000}, f(65535.0F)},
        {"S8_TO_S32 r0, r2.b3", {0x80010203}, 0xFFFFFF80},
        {"U8_TO_U32 r0, r2.b3", {0x80010203}, 0x00000080},
        {"S8_TO_F32 r0, r2.b0", {0x800102FF}, f(-1.0F)},
        {"U8_TO_F32 r0, r2.b0", {0x800102FF}, f(255.0F)},
        {"V2S8_TO_V2S16 r0, r2.b31", {0x80010203}, 0x0002FF80},
        {"V2U8_TO_V2U16 r0, r2.b31", {0x80010203}, 0x00020080},
        {"V2S8_TO_V2F16 r0, r2.b03", {0x80010203}, 0xD8004200},
        {"V2U8_TO_V2F16 r0, r2.b03", {0x80010203}, 0x58004200},
    });
}

TEST_CASE("moves and packing keep the bits") {
    check_cases({
        {"MOV.i32 r0, r2", {kSignallingNan}, kSignallingNan},
        {"MOV.i32 r0.h1, r2", {0x12345678}, 0x1234CCCC},
        {"MOV.i32 r0.h0, r2", {0x12345678}, 0xCCCC5678},
        {"MKVEC.v2i16 r0, r2.h11, r4.h00", {0x12345678, 0x9ABCDEF0}, 0xDEF01234},
        {"MKVEC.v2i16 r0, r2, r4", {0x12345678, 0x9ABCDEF0}, 0xDEF05678},
        {"MKVEC.v2i8 r0, r2.b3, r4.b1, r6", {0x12345678, 0x9ABCDEF0, 0x13579BDF}, 0x9BDFDE12},
        {"IADD_IMM.i32 r0, 0x0, #0x12345678", {}, 0x12345678},
    });
}
