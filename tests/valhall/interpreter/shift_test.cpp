// Shift test: checks shift-and-logic instructions and their selectors.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <doctest/doctest.h>

using namespace valkyr::valhall::test;

TEST_CASE("the shift comes first, then not on B, the operation, not on the result") {
    check_cases({
        {"LSHIFT_OR.i32 r0, r2, r4.b00, r6", {0x1, 4, 0x100}, 0x110},
        {"LSHIFT_AND.i32 r0, r2, r4.b00, r6", {0xFF, 4, 0x0F0}, 0x0F0},
        {"LSHIFT_XOR.i32 r0, r2, r4.b00, r6", {0xFF, 4, 0xFFFF}, 0xF00F},
        {"LSHIFT_AND.i32 r0, r2, r4.b00, r6.not", {0xFF, 4, 0x0F0}, 0xF00},
        {"LSHIFT_OR.i32.not_result r0, r2, 0x0.b00, 0x0", {0x0F0F0F0F}, 0xF0F0F0F0},
        {"RSHIFT_OR.i32 r0, r2, r4.b00, r6", {0x80000000, 31, 0x10}, 0x11},
        {"RSHIFT_OR.i32.signed r0, r2, r4.b00, r6", {0x80000000, 31, 0}, 0xFFFFFFFF},
        {"RSHIFT_AND.i32 r0, r2, r4.b00, r6", {0xF0, 4, 0x6}, 0x6},
        {"RSHIFT_XOR.i32.signed r0, r2, r4.b00, r6", {0xFFFFFFF0, 31, 0xFFFFFFF0}, 0xF},
    });
}

TEST_CASE("the count is a byte modulo the lane width") {
    check_cases({
        {"LSHIFT_OR.i32 r0, r2, r4.b00, 0x0", {1, 33}, 2},
        {"LSHIFT_OR.i32 r0, r2, r4.b11, 0x0", {1, 0x00000300}, 8},
        {"LSHIFT_OR.i32 r0, r2, r4.b33, 0x0", {1, 0x05000300}, 32},
        {"LSHIFT_OR.i32 r0, r2, r4.b01, 0x0", {1, 0x00000302}, 4},  // one lane: the first byte
        {"RSHIFT_OR.i32 r0, r2, r4.b00, 0x0", {0x80000000, 0xFF}, 1},
        {"LSHIFT_OR.v2i16 r0, r2, r4.b02, 0x0", {0x00010001, 0x00040002}, 0x00100004},
        {"LSHIFT_OR.v2i16 r0, r2, r4.b01, 0x0", {0x00010001, 0x00000304}, 0x00080010},
        {"LSHIFT_OR.v2i16 r0, r2, r4.b00, 0x0", {0x00010001, 17}, 0x00020002},
        {"RSHIFT_OR.v2i16.signed r0, r2, r4.b00, 0x0", {0x80007000, 12}, 0xFFF80007},
        {"LSHIFT_OR.v4i8 r0, r2, r4.b00, 0x0", {0x01010101, 9}, 0x02020202},
        {"LSHIFT_OR.v4i8 r0, r2, r4.b01, 0x0", {0x01010101, 0x0201}, 0x04040202},
        {"RSHIFT_OR.v4i8.signed r0, r2, r4.b00, 0x0", {0x80402010, 4}, 0xF8040201},
        {"LSHIFT_OR.i64 r0, r2, r4.b00, r6", {1, 40, 0}, 0x0000010000000000},
        {"LSHIFT_OR.i64 r0, r2, r4.b00, r6", {1, 64, 0}, 1},
        {"RSHIFT_OR.i64.signed r0, r2, r4.b00, r6", {0x8000000000000000, 63, 0}, ~uint64_t{0}},
        {"RSHIFT_AND.i64 r0, r2, r4.b00, r6.not", {0xFF00000000, 32, 0x0F}, 0xF0},
    });
}

TEST_CASE("a widened operand is extended as unsigned, also by signed shifts") {
    check_cases({
        {"LSHIFT_OR.i32 r0, r2.h1, r4.b00, 0x0", {0x80000000, 4}, 0x00080000},
        {"RSHIFT_OR.i32.signed r0, r2.b3, 0x0.b00, 0x0", {0x80000000}, 0x80},
        {"LSHIFT_OR.v2i16 r0, r2.b20, 0x0.b00, 0x0", {0x00800170}, 0x00700080},
        {"LSHIFT_OR.v2i16 r0, r2.h10, 0x0.b00, 0x0", {0x12345678}, 0x56781234},
        {"LSHIFT_OR.v4i8 r0, r2.b3210, 0x0.b00, 0x0", {0x04030201}, 0x01020304},
        {"LSHIFT_OR.i64 r0, r2.w0, r4.b00, r6", {0xFFFFFFFF, 4, 0}, 0xFFFFFFFF0},
    });
}
