// Integer op test: checks integer, bitwise, 64-bit and double opcodes at edge cases.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <bit>
#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

constexpr uint32_t kMin = 0x80000000;
constexpr uint32_t kMax = 0x7FFFFFFF;
constexpr uint32_t kMinus = 0xFFFFFFFF;
constexpr uint64_t kMin64 = uint64_t{1} << 63;
constexpr uint64_t kNan64 = 0x7FF8000000000000;
constexpr uint64_t kInf64 = 0x7FF0000000000000;

struct Row {
    const char* opcode;
    std::vector<uint32_t> sources;
    uint32_t result;
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows)
        CHECK_MESSAGE(eval1(row.opcode, row.sources) == row.result,
                      row.opcode << ' ' << std::hex << row.sources[0]);
}

/// Evaluates a 64-bit operation; returns pair xy.
uint64_t wide(std::string_view opcode, const std::vector<uint64_t>& sources) {
    std::string text = std::string(opcode) + " TEMP[0].xy";
    std::vector<Word4> values;
    for (size_t i = 0; i < sources.size(); ++i) {
        text += ", IN[" + std::to_string(i) + "]";
        values.push_back(from_pair(sources[i]));
    }
    return pair_of(eval(text, values));
}

uint64_t d(double value) {
    return std::bit_cast<uint64_t>(value);
}

/// Evaluates a comparison of pairs; returns component x.
uint32_t compare(std::string_view opcode, uint64_t a, uint64_t b) {
    return eval(std::string(opcode) + " TEMP[0].x, IN[0], IN[1]", {from_pair(a), from_pair(b)})[0];
}

}  // namespace

TEST_CASE("adding and multiplying wrap") {
    check({{"UADD", {kMinus, 2}, 1},
           {"UMUL", {0x10001, 0x10001}, 0x20001},
           {"UMAD", {kMinus, kMinus, 5}, 6},
           {"UMUL_HI", {kMinus, kMinus}, 0xFFFFFFFE},
           {"IMUL_HI", {kMinus, kMinus}, 0},
           {"IMUL_HI", {kMin, kMin}, 0x40000000},
           {"IMUL_HI", {kMin, 2}, kMinus},
           {"INEG", {kMin}, kMin},
           {"INEG", {1}, kMinus},
           {"IABS", {kMin}, kMin},
           {"IABS", {kMinus}, 1},
           {"ISSG", {kMin}, kMinus},
           {"ISSG", {5}, 1},
           {"ISSG", {0}, 0}});
    CHECK(eval("UADD TEMP[0], IN[0], -IN[1]", {{5, 5, 5, 5}, {1, 2, 3, 9}}) ==
          Word4{4, 3, 2, 0xFFFFFFFC});
}

TEST_CASE("divisions never trap") {
    check({{"UDIV", {7, 2}, 3},
           {"UDIV", {kMinus, 1}, kMinus},
           {"UDIV", {7, 0}, kMinus},
           {"UMOD", {7, 0}, kMinus},
           {"UMOD", {kMinus, 10}, 5},
           {"IDIV", {static_cast<uint32_t>(-7), 2}, static_cast<uint32_t>(-3)},
           {"MOD", {static_cast<uint32_t>(-7), 2}, kMinus},
           {"MOD", {7, static_cast<uint32_t>(-2)}, 1},
           {"IDIV", {kMin, kMinus}, kMin},
           {"MOD", {kMin, kMinus}, 0},
           {"IDIV", {5, 0}, kMinus},
           {"IDIV", {static_cast<uint32_t>(-5), 0}, 1},
           {"MOD", {5, 0}, kMinus},
           {"MOD", {static_cast<uint32_t>(-5), 0}, 1}});
}

TEST_CASE("logic and shifts: counts are taken modulo 32") {
    check({{"NOT", {0x0F0F0F0F}, 0xF0F0F0F0},
           {"AND", {0xFF00FF00, 0x0FF00FF0}, 0x0F000F00},
           {"OR", {0xFF00FF00, 0x0FF00FF0}, 0xFFF0FFF0},
           {"XOR", {0xFF00FF00, 0x0FF00FF0}, 0xF0F0F0F0},
           {"SHL", {1, 31}, kMin},
           {"SHL", {1, 33}, 2},
           {"USHR", {kMin, 31}, 1},
           {"USHR", {kMin, 32}, kMin},
           {"ISHR", {kMin, 31}, kMinus},
           {"ISHR", {kMin, 63}, kMinus}});
}

TEST_CASE("integer comparisons, selections, minima") {
    check({{"IMAX", {kMinus, 1}, 1},
           {"IMIN", {kMinus, 1}, kMinus},
           {"UMAX", {kMinus, 1}, kMinus},
           {"UMIN", {kMinus, 1}, 1},
           {"ISLT", {kMin, kMax}, kMinus},
           {"ISGE", {kMin, kMax}, 0},
           {"USLT", {kMin, kMax}, 0},
           {"USGE", {kMin, kMax}, kMinus},
           {"ISGE", {3, 3}, kMinus},
           {"USGE", {3, 3}, kMinus},
           {"USEQ", {3, 3}, kMinus},
           {"USNE", {3, 3}, 0},
           {"UCMP", {kMin, 5, 7}, 5},
           {"UCMP", {0, 5, 7}, 7}});
    // The second and third operands of UCMP have float modifiers.
    CHECK(eval("UCMP TEMP[0], IN[0], -IN[1], IN[2]", {{1, 0, 1, 0}, {1, 1, 0, 0}, {9, 9, 9, 9}}) ==
          Word4{0x80000001, 9, kMin, 9});
}

TEST_CASE("bit fields") {
    check({{"UBFE", {0x12345678, 8, 12}, 0x456},
           {"UBFE", {0x12345678, 0, 32}, 0x12345678},
           {"UBFE", {0x12345678, 3, 0}, 0},
           {"IBFE", {0x00000F00, 8, 4}, kMinus},
           {"IBFE", {0x00000700, 8, 4}, 7},
           {"IBFE", {kMin, 0, 32}, kMin},
           {"BFI", {0xFFFFFFFF, 0, 8, 8}, 0xFFFF00FF},
           {"BFI", {0, 0xABC, 28, 4}, 0xC0000000},
           {"BFI", {1, 0x12345678, 0, 32}, 0x12345678},
           {"BFI", {0x77777777, 0xFFFFFFFF, 5, 0}, 0x77777777},
           {"BREV", {0x00000001}, kMin},
           {"BREV", {0xF0000001}, 0x8000000F},
           {"POPC", {0xF0F00001}, 9},
           {"LSB", {0}, kMinus},
           {"LSB", {0x50}, 4},
           {"UMSB", {0}, kMinus},
           {"UMSB", {kMin}, 31},
           {"IMSB", {0}, kMinus},
           {"IMSB", {kMinus}, kMinus},
           {"IMSB", {0xFFFFFFFE}, 0},
           {"IMSB", {kMin}, 30},
           {"IMSB", {0x00010000}, 16}});
}

TEST_CASE("64-bit integers") {
    CHECK(wide("U64ADD", {0xFFFFFFFF, 1}) == 0x100000000);
    CHECK(wide("U64MUL", {0xFFFFFFFFFFFFFFFF, 3}) == 0xFFFFFFFFFFFFFFFD);
    CHECK(wide("U64MUL", {0x100000001, 0x100000001}) == 0x200000001);
    CHECK(wide("I64NEG", {1}) == UINT64_MAX);
    CHECK(wide("I64NEG", {kMin64}) == kMin64);
    CHECK(wide("I64ABS", {UINT64_MAX - 4}) == 5);
    CHECK(wide("I64SSG", {kMin64}) == UINT64_MAX);
    CHECK(wide("I64SSG", {0x100000000}) == 1);
    CHECK(wide("I64SSG", {0}) == 0);
    CHECK(wide("I64MIN", {kMin64, 1}) == kMin64);
    CHECK(wide("U64MIN", {kMin64, 1}) == 1);
    CHECK(wide("I64MAX", {kMin64, 1}) == 1);
    CHECK(wide("U64MAX", {kMin64, 1}) == kMin64);
    CHECK(wide("U64DIV", {UINT64_MAX, 10}) == 1844674407370955161);
    CHECK(wide("U64MOD", {UINT64_MAX, 10}) == 5);
    CHECK(wide("U64DIV", {5, 0}) == UINT64_MAX);
    CHECK(wide("U64MOD", {5, 0}) == UINT64_MAX);
    CHECK(wide("I64DIV", {static_cast<uint64_t>(-7), 2}) == static_cast<uint64_t>(-3));
    CHECK(wide("I64MOD", {static_cast<uint64_t>(-7), 2}) == UINT64_MAX);
    CHECK(wide("I64DIV", {kMin64, UINT64_MAX}) == kMin64);
    CHECK(wide("I64MOD", {kMin64, UINT64_MAX}) == 0);
    CHECK(wide("I64DIV", {5, 0}) == UINT64_MAX);
    CHECK(wide("I64MOD", {static_cast<uint64_t>(-5), 0}) == UINT64_MAX);
}

TEST_CASE("64-bit shifts take their counts from x and y, modulo 64") {
    const std::vector<Word4> in{from_pair(kMin64 + 1, kMin64 + 2), {1, 65, 63, 63}};
    CHECK(eval("U64SHL TEMP[0], IN[0], IN[1]", in) == from_pair(2, 4));
    CHECK(eval("U64SHR TEMP[0], IN[0], IN[1]", in) == from_pair(kMin64 >> 1, (kMin64 >> 1) + 1));
    CHECK(eval("I64SHR TEMP[0], IN[0], IN[1]", in) ==
          from_pair(uint64_t{3} << 62, (uint64_t{3} << 62) + 1));
}

TEST_CASE("64-bit comparisons write x and z and leave y and w") {
    CHECK(compare("U64SEQ", 5, 5) == kMinus);
    CHECK(compare("U64SEQ", 5, 5 + 0x100000000) == 0);
    CHECK(compare("U64SNE", 5, 5 + 0x100000000) == kMinus);
    CHECK(compare("U64SLT", kMin64, 1) == 0);
    CHECK(compare("I64SLT", kMin64, 1) == kMinus);
    CHECK(compare("U64SGE", kMin64, 1) == kMinus);
    CHECK(compare("I64SGE", kMin64, 1) == 0);
    CHECK(eval("U64SEQ TEMP[0].xz, IN[0], IN[1]", {from_pair(1, 2), from_pair(1, 3)},
               {7, 8, 9, 10}) == Word4{kMinus, 8, 0, 10});
}

TEST_CASE("conversions between widths") {
    const auto up = [](std::string_view opcode, uint32_t a) {
        return pair_of(eval(std::string(opcode) + " TEMP[0].xy, IN[0].xxxx", {{a, 0, 0, 0}}));
    };
    CHECK(up("U2I64", kMin) == kMin);
    CHECK(up("I2I64", kMin) == 0xFFFFFFFF80000000);
    CHECK(up("F2U64", bits(1e15F)) == 999999986991104);
    CHECK(up("F2U64", bits(-5.0F)) == 0);
    CHECK(up("F2I64", bits(-5.9F)) == static_cast<uint64_t>(-5));
    CHECK(up("F2I64", 0x7FC00000) == 0);
    CHECK(up("I2D", kMinus) == d(-1.0));
    CHECK(up("U2D", kMinus) == d(4294967295.0));
    CHECK(up("F2D", bits(1.5F)) == d(1.5));
    CHECK(up("F2D", 1) == d(0x1p-149));
    CHECK(up("F2D", 0xFFC12345) == kNan64);
    const auto down = [](std::string_view opcode, uint64_t a) {
        return eval(std::string(opcode) + " TEMP[0].x, IN[0]", {from_pair(a)})[0];
    };
    CHECK(down("D2F", d(0.1)) == bits(0.1F));
    CHECK(down("D2F", d(1e300)) == 0x7F800000);
    CHECK(down("D2F", d(1.0 + 0x1p-24)) == 0x3F800000);
    CHECK(down("D2F", d(1.0 + 0x1p-24 + 0x1p-50)) == 0x3F800001);
    CHECK(down("D2I", d(-2.9)) == static_cast<uint32_t>(-2));
    CHECK(down("D2I", d(1e12)) == kMax);
    CHECK(down("D2U", d(-2.9)) == 0);
    CHECK(down("D2U", d(4294967295.5)) == kMinus);
    CHECK(down("D2U", kNan64) == 0);
    CHECK(down("U642F", UINT64_MAX) == bits(18446744073709551616.0F));
    CHECK(down("U642F", 0x8000008000000001) == 0x5F000001);
    CHECK(down("U642F", 0x8000008000000000) == 0x5F000000);
    CHECK(down("I642F", UINT64_MAX) == bits(-1.0F));
    CHECK(wide("U642D", {UINT64_MAX}) == d(18446744073709551616.0));
    CHECK(wide("I642D", {kMin64}) == d(-9223372036854775808.0));
    CHECK(wide("D2U64", {d(1e19)}) == 10000000000000000000U);
    CHECK(wide("D2U64", {d(-1.0)}) == 0);
    CHECK(wide("D2I64", {d(-1e19)}) == kMin64);
    CHECK(wide("D2I64", {d(-1.9)}) == UINT64_MAX);
    // Both pairs convert; the narrow operands are x and y.
    CHECK(eval("F2D TEMP[0], IN[0]", {floats(1, 2)}) == from_pair(d(1.0), d(2.0)));
    // One component alone takes the first pair, as drivers write it for each channel.
    CHECK(eval("D2F TEMP[0].y, IN[0]", {from_pair(d(1.0), d(2.0))}, {9, 9, 9, 9}) ==
          Word4{9, 0x3F800000, 9, 9});
    CHECK(eval("D2F TEMP[0].xy, IN[0].zwxy", {from_pair(d(1.0), d(2.0))}, {9, 9, 9, 9}) ==
          Word4{bits(2.0F), bits(1.0F), 9, 9});
}

TEST_CASE("double arithmetic is IEEE binary64; DMAD rounds twice, DFMA once") {
    CHECK(wide("DADD", {d(0.1), d(0.2)}) == d(0.30000000000000004));
    CHECK(wide("DMUL", {d(0.1), d(3.0)}) == d(0.30000000000000004));
    CHECK(wide("DDIV", {d(1.0), d(3.0)}) == d(1.0 / 3.0));
    CHECK(wide("DRCP", {d(0.0)}) == kInf64);
    CHECK(wide("DSQRT", {d(2.0)}) == 0x3FF6A09E667F3BCD);
    CHECK(wide("DSQRT", {d(-1.0)}) == kNan64);
    CHECK(wide("DRSQ", {d(4.0)}) == d(0.5));
    const double e = 1.0 + 0x1p-52;
    CHECK(wide("DFMA", {d(e), d(e), d(-(1.0 + 0x1p-51))}) == d(0x1p-104));
    CHECK(wide("DMAD", {d(e), d(e), d(-(1.0 + 0x1p-51))}) == d(0.0));
    CHECK(wide("DADD", {kInf64, kInf64 | kMin64}) == kNan64);
    CHECK(wide("DADD", {0x7FF8000000000123, d(1.0)}) == kNan64);
    CHECK(wide("DABS", {d(-3.5)}) == d(3.5));
    CHECK(wide("DNEG", {d(3.5)}) == d(-3.5));
    CHECK(eval("DADD TEMP[0].xy, -|IN[0]|, IN[1]", {from_pair(d(-2.0)), from_pair(d(5.0))})[1] ==
          static_cast<uint32_t>(d(3.0) >> 32));
}

TEST_CASE("double minima, signs and roundings") {
    CHECK(wide("DMIN", {d(0.0), d(-0.0)}) == d(-0.0));
    CHECK(wide("DMAX", {d(-0.0), d(0.0)}) == d(0.0));
    CHECK(wide("DMIN", {kNan64, d(2.0)}) == d(2.0));
    CHECK(wide("DMAX", {d(2.0), kNan64}) == d(2.0));
    CHECK(wide("DTRUNC", {d(-1.7)}) == d(-1.0));
    CHECK(wide("DFLR", {d(-1.2)}) == d(-2.0));
    CHECK(wide("DCEIL", {d(1.2)}) == d(2.0));
    CHECK(wide("DROUND", {d(2.5)}) == d(2.0));
    CHECK(wide("DROUND", {d(3.5)}) == d(4.0));
    CHECK(wide("DROUND", {d(-0.2)}) == d(-0.0));
    CHECK(wide("DFRAC", {d(-1.25)}) == d(0.75));
    CHECK(wide("DSSG", {d(-9.0)}) == d(-1.0));
    CHECK(wide("DSSG", {kNan64}) == d(0.0));
    CHECK(compare("DSLT", d(1.0), d(2.0)) == kMinus);
    CHECK(compare("DSGE", kNan64, d(2.0)) == 0);
    CHECK(compare("DSEQ", d(0.0), d(-0.0)) == kMinus);
    CHECK(compare("DSNE", kNan64, kNan64) == kMinus);
}

TEST_CASE("DLDEXP takes exponents from x and z; DFRACEXP splits") {
    CHECK(eval("DLDEXP TEMP[0], IN[0], IN[1]",
               {from_pair(d(1.5), d(3.0)), {4, 99, static_cast<uint32_t>(-1), 99}}) ==
          from_pair(d(24.0), d(1.5)));
    CHECK(wide("DLDEXP", {d(1.0), static_cast<uint32_t>(-1074)}) == 1);
    const Word4 split = eval("DFRACEXP TEMP[0].xy, TEMP[1].x, IN[0]\nMOV TEMP[0].z, TEMP[1].xxxx",
                             {from_pair(d(24.0))});
    CHECK(pair_of(split) == d(0.75));
    CHECK(split[2] == 5);
    CHECK(pair_of(eval("DFRACEXP TEMP[0].xy, TEMP[1].x, IN[0]", {from_pair(kInf64)})) == kInf64);
}
