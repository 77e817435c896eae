// Float op test: checks exact results, special values and error bounds of float opcodes.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <bit>
#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

constexpr uint32_t kInf = 0x7F800000;
constexpr uint32_t kMinusInf = 0xFF800000;
constexpr uint32_t kNan = 0x7FC00000;
constexpr uint32_t kSignallingNan = 0xFF800001;
constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t kMinusOne = 0xBF800000;
constexpr uint32_t kSubnormal = 0x00000001;
constexpr uint32_t kMask = 0xFFFFFFFF;

struct ExactRow {
    const char* opcode;
    uint32_t a, b, c, result;
};

struct HalfRow {
    uint32_t wide;
    uint32_t half;
};

constexpr HalfRow kExactHalves[] = {
#include "tests/tgsi/exact_half.inc"
};

constexpr ExactRow kExact[] = {
#include "tests/tgsi/exact_float.inc"
};

/// Distance of two floats of the same sign in units of the last place.
uint32_t ulps(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

uint32_t one(std::string_view opcode, uint32_t a) {
    return eval1(opcode, {a});
}
uint32_t two(std::string_view opcode, uint32_t a, uint32_t b) {
    return eval1(opcode, {a, b});
}

}  // namespace

TEST_CASE("ADD, MUL, MAD, RCP, LDEXP, U2F and I2F round exactly once") {
    for (const ExactRow& row : kExact) {
        const std::string name = row.opcode;
        std::vector<uint32_t> sources{row.a};
        if (name == "ADD" || name == "MUL" || name == "MAD" || name == "LDEXP")
            sources.push_back(row.b);
        if (name == "MAD")
            sources.push_back(row.c);
        CHECK_MESSAGE(eval1(name, sources) == row.result,
                      name << ' ' << std::hex << row.a << ' ' << row.b << ' ' << row.c);
    }
}

TEST_CASE("FMA is MAD: both are fused") {
    // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46, lost if the product is rounded first.
    CHECK(eval1("MAD", {0x3F800001, 0x3F800001, 0xBF800002}) == 0x28800000);
    CHECK(eval1("FMA", {0x3F800001, 0x3F800001, 0xBF800002}) == 0x28800000);
}

TEST_CASE("arithmetic on infinities, zeros and NaN") {
    CHECK(two("ADD", kInf, kMinusInf) == kNan);
    CHECK(two("ADD", kInf, kOne) == kInf);
    CHECK(two("ADD", kMinusZero, kMinusZero) == kMinusZero);
    CHECK(two("ADD", kMinusZero, 0) == 0);
    CHECK(two("ADD", 0x7FC12345, kOne) == kNan);
    CHECK(two("MUL", 0, kInf) == kNan);
    CHECK(two("MUL", kMinusOne, 0) == kMinusZero);
    CHECK(two("MUL", kMinusInf, kMinusOne) == kInf);
    CHECK(eval1("MAD", {kOne, kInf, kMinusInf}) == kNan);
    CHECK(eval1("MAD", {kMinusOne, 0, kMinusZero}) == kMinusZero);
    CHECK(eval1("MAD", {0, kInf, kOne}) == kNan);
}

TEST_CASE("LEGACY_MATH_RULES: zero times anything is zero") {
    const auto run = [](std::string_view line) {
        const Interpreter interpreter = make_interpreter(
            "FRAG\nPROPERTY LEGACY_MATH_RULES 1\nDCL IN[0..2], GENERIC[0], CONSTANT\n"
            "DCL OUT[0], COLOR\n" +
            std::string(line) + "\nEND\n");
        Group group = make_group(interpreter, 1);
        group.invocations[0].inputs = {
            {0, kMinusZero, kOne, 0}, {kInf, kNan, kInf, kNan}, {kOne, kOne, kOne, kMinusZero}};
        run_good(interpreter, group);
        return group.invocations[0].outputs[0];
    };
    CHECK(run("MUL OUT[0], IN[0], IN[1]") == Word4{0, 0, kInf, 0});
    CHECK(run("MAD OUT[0], IN[0], IN[1], IN[2]") == Word4{kOne, kOne, kInf, 0});
    CHECK(run("DP2 OUT[0].x, IN[0], IN[1]")[0] == 0);
    CHECK(run("DST OUT[0], IN[0], IN[1]")[1] == 0);
    CHECK(run("ADD OUT[0], IN[0], IN[1]")[1] == kNan);
}

TEST_CASE("MIN and MAX: numbers win over NaN, -0 is below +0") {
    CHECK(two("MIN", kOne, kMinusOne) == kMinusOne);
    CHECK(two("MAX", kOne, kMinusOne) == kOne);
    CHECK(two("MIN", 0, kMinusZero) == kMinusZero);
    CHECK(two("MIN", kMinusZero, 0) == kMinusZero);
    CHECK(two("MAX", kMinusZero, 0) == 0);
    CHECK(two("MAX", 0, kMinusZero) == 0);
    for (const char* opcode : {"MIN", "MAX"}) {
        CHECK(two(opcode, kNan, kOne) == kOne);
        CHECK(two(opcode, kOne, kNan) == kOne);
        CHECK(two(opcode, kSignallingNan, kMinusInf) == kMinusInf);
        CHECK(two(opcode, kMinusInf, kSignallingNan) == kMinusInf);
        CHECK(two(opcode, kSignallingNan, 0x7FFFFFFF) == kNan);
    }
    CHECK(two("MIN", kSubnormal, 0) == 0);
    CHECK(two("MAX", kSubnormal, 0) == kSubnormal);
}

TEST_CASE("comparisons are false on NaN but for the unequal ones; zeros are equal") {
    struct Row {
        const char* opcode;
        bool less, equal, greater, unordered;
    };
    for (const Row& row :
         {Row{"SLT", true, false, false, false}, Row{"SGE", false, true, true, false},
          Row{"SEQ", false, true, false, false}, Row{"SNE", true, false, true, true},
          Row{"SGT", false, false, true, false}, Row{"SLE", true, true, false, false}}) {
        const auto wanted = [](bool value) { return value ? kOne : 0U; };
        CHECK(two(row.opcode, kMinusOne, kOne) == wanted(row.less));
        CHECK(two(row.opcode, 0, kMinusZero) == wanted(row.equal));
        CHECK(two(row.opcode, kInf, kInf) == wanted(row.equal));
        CHECK(two(row.opcode, kInf, kOne) == wanted(row.greater));
        CHECK(two(row.opcode, kNan, kOne) == wanted(row.unordered));
        CHECK(two(row.opcode, kNan, kNan) == wanted(row.unordered));
    }
    for (const Row& row :
         {Row{"FSLT", true, false, false, false}, Row{"FSGE", false, true, true, false},
          Row{"FSEQ", false, true, false, false}, Row{"FSNE", true, false, true, true}}) {
        const auto wanted = [](bool value) { return value ? kMask : 0U; };
        CHECK(two(row.opcode, kMinusOne, kOne) == wanted(row.less));
        CHECK(two(row.opcode, kMinusZero, 0) == wanted(row.equal));
        CHECK(two(row.opcode, kSubnormal, 0) == wanted(row.greater));
        CHECK(two(row.opcode, kOne, kNan) == wanted(row.unordered));
    }
}

TEST_CASE("CMP, MOV and modifiers keep bits") {
    CHECK(eval1("CMP", {kMinusOne, kSignallingNan, 7}) == kSignallingNan);
    CHECK(eval1("CMP", {kMinusZero, 5, 7}) == 7);
    CHECK(eval1("CMP", {kNan, 5, 7}) == 7);
    CHECK(one("MOV", kSignallingNan) == kSignallingNan);
    CHECK(eval("MOV TEMP[0], -IN[0]", {{0, kOne, kNan, kSubnormal}}) ==
          Word4{kMinusZero, kMinusOne, 0xFFC00000, 0x80000001});
    CHECK(eval("MOV TEMP[0], -|IN[0]|", {{0, kMinusOne, kOne, kMinusInf}}) ==
          Word4{kMinusZero, kMinusOne, kMinusOne, kMinusInf});
    CHECK(eval("MOV TEMP[0].yw, IN[0].wzyx", {{1, 2, 3, 4}}, {10, 11, 12, 13}) ==
          Word4{10, 3, 12, 1});
}

TEST_CASE("saturate limits to 0..1, NaN and -0 become +0") {
    CHECK(eval("MOV_SAT TEMP[0], IN[0]", {{bits(0.25F), bits(7.0F), bits(-3.0F), kNan}}) ==
          Word4{bits(0.25F), kOne, 0, 0});
    CHECK(eval("ADD_SAT TEMP[0], IN[0], IN[1]",
               {{kMinusZero, kInf, kMinusInf, kSubnormal}, {kMinusZero, 0, 0, 0}}) ==
          Word4{0, kOne, 0, kSubnormal});
}

TEST_CASE("roundings go to their integers and keep the sign of zero") {
    struct Row {
        float in, floor, ceil, trunc, round;
    };
    for (const Row& row : {Row{1.5F, 1, 2, 1, 2}, Row{2.5F, 2, 3, 2, 2},
                           Row{-0.5F, -1, -0.0F, -0.0F, -0.0F}, Row{-1.5F, -2, -1, -1, -2},
                           Row{0.49999997F, 0, 1, 0, 0}, Row{-0.49999997F, -1, -0.0F, -0.0F, -0.0F},
                           Row{8388609.0F, 8388609.0F, 8388609.0F, 8388609.0F, 8388609.0F},
                           Row{-0.0F, -0.0F, -0.0F, -0.0F, -0.0F},
                           Row{4194304.5F, 4194304, 4194305, 4194304, 4194304}}) {
        CHECK(one("FLR", bits(row.in)) == bits(row.floor));
        CHECK(one("CEIL", bits(row.in)) == bits(row.ceil));
        CHECK(one("TRUNC", bits(row.in)) == bits(row.trunc));
        CHECK(one("ROUND", bits(row.in)) == bits(row.round));
    }
    for (const char* opcode : {"FLR", "CEIL", "TRUNC", "ROUND"}) {
        CHECK(one(opcode, kInf) == kInf);
        CHECK(one(opcode, kMinusInf) == kMinusInf);
        CHECK(one(opcode, kSignallingNan) == kNan);
    }
    CHECK(one("FRC", bits(-1.25F)) == bits(0.75F));
    CHECK(one("FRC", bits(-1e-20F)) == kOne);  // rounds up to 1, which GLSL allows
    CHECK(one("FRC", kInf) == kNan);
}

TEST_CASE("SSG gives the sign, 0 for zeros and NaN") {
    CHECK(one("SSG", bits(-7.0F)) == kMinusOne);
    CHECK(one("SSG", kSubnormal) == kOne);
    CHECK(one("SSG", kMinusZero) == 0);
    CHECK(one("SSG", kNan) == 0);
}

TEST_CASE("LRP is two fused steps") {
    // t = c - a*c, then a*b + t.
    const float a = 0.3F;
    const float b = 5.7F;
    const float c = -1.9F;
    const float t = std::fma(-a, c, c);
    CHECK(eval1("LRP", {bits(a), bits(b), bits(c)}) == bits(std::fma(a, b, t)));
    CHECK(eval1("LRP", {0, bits(b), bits(c)}) == bits(c));
    CHECK(eval1("LRP", {kOne, bits(b), bits(c)}) == bits(b));
}

TEST_CASE("dot products start with the product of x and fuse the others in order") {
    // 2^24 + 1 - 2^24: the 1 is lost if it is added to 2^24 first, and kept if it comes last.
    const Word4 a = floats(16777216, 1, -16777216, 3);
    const Word4 ones = floats(1, 1, 1, 1);
    CHECK(eval("DP3 TEMP[0], IN[0], IN[1]", {a, ones})[0] == 0);
    CHECK(eval("DP4 TEMP[0], IN[0], IN[1]", {a, ones}) == floats(3, 3, 3, 3));
    CHECK(eval("DP3 TEMP[0].y, IN[0].xzyy, IN[1]", {a, ones})[1] == kOne);
    CHECK(eval("DP2 TEMP[0], IN[0], IN[1]", {floats(-0.0F, 0), floats(1, -1)})[0] == kMinusZero);
}

TEST_CASE("RCP keeps subnormal numbers on both sides") {
    CHECK(one("RCP", 0) == kInf);
    CHECK(one("RCP", 0x80000001) == kMinusInf);
    CHECK(one("RCP", kMinusInf) == kMinusZero);
    CHECK(one("RCP", 0x7F000000) == 0x00400000);
    CHECK(one("RCP", 0x00400000) == 0x7F000000);
    CHECK(one("RCP", 0x7E800000) == 0x00800000);
    CHECK(one("RCP", kNan) == kNan);
    CHECK(eval("RCP TEMP[0], IN[0].wwww", {floats(1, 2, 3, 4)}) ==
          floats(0.25F, 0.25F, 0.25F, 0.25F));
}

TEST_CASE("RSQ, SQRT and DIV are within an ulp and defined at the edges") {
    for (const float x : {0.1F, 0.5F, 2.0F, 3.0F, 1e-30F, 7e37F, 12345.678F}) {
        CHECK(ulps(one("RSQ", bits(x)),
                   bits(static_cast<float>(1.0L / std::sqrt((long double)x)))) <= 1);
        CHECK(ulps(one("SQRT", bits(x)), bits(static_cast<float>(std::sqrt((long double)x)))) == 0);
        CHECK(ulps(two("DIV", bits(x), bits(3.7F)),
                   bits(static_cast<float>(x / (long double)3.7F))) == 0);
    }
    CHECK(one("RSQ", 0) == kInf);
    CHECK(one("RSQ", kMinusZero) == kMinusInf);
    CHECK(one("RSQ", 2) == bits(0x1p74F));
    CHECK(one("RSQ", kMinusOne) == kNan);
    CHECK(one("RSQ", kInf) == 0);
    CHECK(one("SQRT", kMinusZero) == kMinusZero);
    CHECK(one("SQRT", kMinusOne) == kNan);
    CHECK(one("SQRT", kInf) == kInf);
    CHECK(two("DIV", kOne, 0) == kInf);
    CHECK(two("DIV", kOne, kMinusZero) == kMinusInf);
    CHECK(two("DIV", 0, 0) == kNan);
    CHECK(two("DIV", kInf, kInf) == kNan);
}

TEST_CASE("EX2, LG2 and POW: exact powers, and their special cases") {
    CHECK(one("EX2", 0) == kOne);
    CHECK(one("EX2", bits(10.0F)) == bits(1024.0F));
    CHECK(one("EX2", bits(-126.0F)) == 0x00800000);
    CHECK(one("EX2", bits(-127.0F)) == 0);  // subnormal results are flushed
    CHECK(one("EX2", bits(128.0F)) == kInf);
    CHECK(one("EX2", kMinusInf) == 0);
    CHECK(one("EX2", kNan) == kNan);
    CHECK(one("LG2", bits(8.0F)) == bits(3.0F));
    CHECK(one("LG2", kOne) == 0);
    CHECK(one("LG2", 0) == kMinusInf);
    CHECK(one("LG2", kMinusOne) == kNan);
    CHECK(one("LG2", kInf) == kInf);
    CHECK(two("POW", bits(2.0F), bits(0.5F)) == 0x3FB504F3);
    CHECK(two("POW", 0, 0) == kOne);
    CHECK(two("POW", kInf, 0) == kOne);
    CHECK(two("POW", kMinusOne, 0) == kOne);
    CHECK(two("POW", kOne, kInf) == kOne);
    CHECK(two("POW", 0, bits(2.0F)) == 0);
    CHECK(two("POW", 0, kMinusOne) == kInf);
    CHECK(two("POW", kMinusZero, bits(3.0F)) == 0);
    CHECK(two("POW", bits(-2.0F), bits(2.0F)) == kNan);
    CHECK(two("POW", kMinusInf, bits(2.0F)) == kNan);
}

TEST_CASE("SIN and COS take radians") {
    // sin and cos of the floats 1.0 and 100.0, to more digits than a float has.
    CHECK(one("SIN", bits(1.0F)) == bits(0.84147098480789650F));
    CHECK(one("COS", bits(1.0F)) == bits(0.54030230586813971F));
    CHECK(one("SIN", bits(100.0F)) == bits(-0.50636564110975879F));
    CHECK(one("COS", bits(100.0F)) == bits(0.86231887228768393F));
    CHECK(one("SIN", 0) == 0);
    CHECK(one("COS", 0) == kOne);
    CHECK(one("SIN", kInf) == kNan);
    CHECK(one("COS", kMinusInf) == kNan);
}

TEST_CASE("DST, LIT, EXP and LOG have a formula for each component") {
    CHECK(eval("DST TEMP[0], IN[0], IN[1]", {floats(2, 3, 5, 7), floats(11, 13, 17, 19)}) ==
          floats(1, 39, 5, 19));
    CHECK(eval("LIT TEMP[0], IN[0]", {floats(0.5F, 2, 99, 3)}) == floats(1, 0.5F, 8, 1));
    CHECK(eval("LIT TEMP[0], IN[0]", {floats(-0.5F, 2, 99, 3)}) == floats(1, 0, 0, 1));
    CHECK(eval("LIT TEMP[0], IN[0]", {floats(0.5F, -2, 99, 3)}) == floats(1, 0.5F, 0, 1));
    CHECK(eval("LIT TEMP[0], IN[0]", {floats(0.5F, 2, 0, 1000)})[2] == kInf);
    CHECK(eval("LIT TEMP[0], IN[0]", {floats(0.5F, 0.5F, 0, -1000)})[2] == kInf);
    CHECK(eval("EXP TEMP[0], IN[0].yyyy", {floats(0, 2.5F)}) ==
          floats(4, 0.5F, 5.65685424949238F, 1));
    CHECK(eval("LOG TEMP[0], IN[0].yyyy", {floats(0, -12)}) ==
          floats(3, 1.5F, 3.58496250072116F, 1));
    CHECK(eval("LOG TEMP[0], IN[0]", {floats(0)})[2] == kMinusInf);
}

TEST_CASE("conversions to integers truncate and saturate; ARL floors, ARR rounds to even") {
    CHECK(one("F2I", bits(-1.9F)) == 0xFFFFFFFF);
    CHECK(one("F2I", bits(3e9F)) == 0x7FFFFFFF);
    CHECK(one("F2I", bits(-3e9F)) == 0x80000000);
    CHECK(one("F2I", kNan) == 0);
    CHECK(one("F2I", kInf) == 0x7FFFFFFF);
    CHECK(one("F2I", 0xCF000000) == 0x80000000);
    CHECK(one("F2U", bits(-1.9F)) == 0);
    CHECK(one("F2U", bits(4e9F)) == 4000000000);
    CHECK(one("F2U", bits(5e9F)) == kMask);
    CHECK(one("F2U", kNan) == 0);
    const auto address = [](std::string_view opcode, float value) {
        return eval(std::string(opcode) + " ADDR[0].x, IN[0].xxxx\nMOV TEMP[0], ADDR[0].xxxx",
                    {floats(value)})[0];
    };
    CHECK(address("ARL", -0.5F) == 0xFFFFFFFF);
    CHECK(address("ARL", 2.9F) == 2);
    CHECK(address("ARR", 2.5F) == 2);
    CHECK(address("ARR", 3.5F) == 4);
    CHECK(address("UARL", 1.0F) == kOne);
}

TEST_CASE("PK2H and UP2H convert halves exactly once") {
    for (const HalfRow& row : kExactHalves)
        CHECK(eval("PK2H TEMP[0].x, IN[0]", {{row.wide, 0, 0, 0}})[0] == row.half);
    CHECK(eval("PK2H TEMP[0], IN[0]", {{kNan, kMinusInf, 0, 0}})[3] == 0xFC007E00);
    // Every binary16 number converts to binary32 and back unchanged.
    for (uint32_t half = 0; half < 0x7C00; half += 97) {
        const uint32_t both = half | (half | 0x8000) << 16;
        CHECK(eval("UP2H TEMP[0], IN[0].xxxx\nPK2H TEMP[0], TEMP[0]", {{both, 0, 0, 0}})[0] ==
              both);
    }
    CHECK(eval("UP2H TEMP[0], IN[0].xxxx", {{0xFC007E01, 0, 0, 0}}) ==
          Word4{kNan, kMinusInf, kNan, kMinusInf});
    CHECK(eval("UP2H TEMP[0], IN[0].xxxx", {{0x00013C00, 0, 0, 0}}) ==
          Word4{kOne, 0x33800000, kOne, 0x33800000});
}

TEST_CASE("normalised packing limits, rounds to even and survives the way back") {
    CHECK(eval("PK4UB TEMP[0], IN[0]", {floats(0, 1, 0.5F, 7)})[0] == 0xFF80FF00);
    CHECK(eval("PK4UB TEMP[0], IN[0]", {{kNan, kMinusInf, kInf, kMinusZero}})[0] == 0x00FF0000);
    CHECK(eval("PK4B TEMP[0], IN[0]", {floats(-1, 1, -7, 0.5F)})[0] == 0x40817F81);
    CHECK(eval("PK4B TEMP[0], IN[0]", {{kNan, 0, 0, 0}})[0] == 0x00000081);
    CHECK(eval("PK2US TEMP[0], IN[0]", {floats(1, 0.5F)})[0] == 0x8000FFFF);
    CHECK(eval("UP4B TEMP[0], IN[0].xxxx", {{0x7F80FF00, 0, 0, 0}}) ==
          Word4{0, 0xBC010204, kMinusOne, kOne});
    for (uint32_t code = 0; code < 256; ++code) {
        const Word4 in{code * 0x01010101, 0, 0, 0};
        CHECK(eval("UP4UB TEMP[0], IN[0].xxxx\nPK4UB TEMP[0], TEMP[0]", {in})[0] == in[0]);
    }
    for (uint32_t code = 0; code < 65536; code += 257) {
        const Word4 in{code | (65535 - code) << 16, 0, 0, 0};
        CHECK(eval("UP2US TEMP[0], IN[0].xxxx\nPK2US TEMP[0], TEMP[0]", {in})[0] == in[0]);
    }
}
