// Double test: the soft-float sequences give the binary64 bits of the TGSI interpreter.
// SPDX-License-Identifier: MIT
//
// VALKYR_DOUBLE_ROUNDS multiplies the number of operands.
#include "tests/valhall/compiler/harness.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

enum class Operands : uint8_t { Doubles, Words, Wide, Floats, DoubleAndInteger };

struct Row {
    const char* name;
    unsigned sources;
    Operands operands = Operands::Doubles;
};

constexpr Row kRows[] = {
    {"DADD", 2},
    {"DMUL", 2},
    {"DDIV", 2},
    {"DMIN", 2},
    {"DMAX", 2},
    {"DMAD", 3},
    {"DFMA", 3},
    {"DABS", 1},
    {"DNEG", 1},
    {"DRCP", 1},
    {"DSQRT", 1},
    {"DRSQ", 1},
    {"DFRAC", 1},
    {"DTRUNC", 1},
    {"DFLR", 1},
    {"DCEIL", 1},
    {"DROUND", 1},
    {"DSSG", 1},
    {"DSLT", 2},
    {"DSGE", 2},
    {"DSEQ", 2},
    {"DSNE", 2},
    {"D2F", 1},
    {"D2I", 1},
    {"D2U", 1},
    {"D2I64", 1},
    {"D2U64", 1},
    {"F2D", 1, Operands::Floats},
    {"I2D", 1, Operands::Words},
    {"U2D", 1, Operands::Words},
    {"I642D", 1, Operands::Wide},
    {"U642D", 1, Operands::Wide},
    {"DLDEXP", 2, Operands::DoubleAndInteger},
};

constexpr uint64_t kInteresting[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x000FFFFFFFFFFFFF,
    0x0010000000000000, 0x0010000000000001, 0x001FFFFFFFFFFFFF, 0x3FE0000000000000,
    0x3FDFFFFFFFFFFFFF, 0x3FE0000000000001, 0x3FF0000000000000, 0xBFF0000000000000,
    0x3FF0000000000001, 0x3FEFFFFFFFFFFFFF, 0x4000000000000000, 0x3FF8000000000000,
    0x4004000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
    0x7FF8000000000000, 0x7FF0000000000001, 0xFFFFFFFFFFFFFFFF, 0x41DFFFFFFFC00000,
    0x41E0000000000000, 0xC1E0000000000000, 0xC1E0000000200000, 0x41EFFFFFFFE00000,
    0x41F0000000000000, 0x43E0000000000000, 0x43EFFFFFFFFFFFFF, 0x43F0000000000000,
    0xC3E0000000000000, 0x4330000000000000, 0x4330000000000001, 0x432FFFFFFFFFFFFF,
    0x4320000000000001, 0x47EFFFFFE0000000, 0x47EFFFFFF0000000, 0x36A0000000000000,
    0x3690000000000000, 0x3690000000000001, 0x380FFFFFFFFFFFFF, 0x3810000000000000,
};

uint64_t pick(std::mt19937& random, Operands kind) {
    const uint64_t bits = uint64_t{random()} << 32 | random();
    if (kind == Operands::Wide)
        return random() % 2 == 0 ? bits >> random() % 64 : ~(bits >> random() % 64);
    switch (random() % 4) {
    case 0: return kInteresting[random() % std::size(kInteresting)];
    case 1: return bits;
    case 2:  // exponents near each other
        return (bits & 0x800FFFFFFFFFFFFF) | uint64_t{1023 - 4 + random() % 70} << 52;
    default:  // few bits: ties and exact results
        return (bits & 0x800F800000000000) | uint64_t{1023 - 2 + random() % 60} << 52 |
               random() % 3;
    }
}

ShaderInputs inputs(std::mt19937& random, const Row& row) {
    ShaderInputs in;
    in.inputs.resize(3);
    for (unsigned i = 0; i < 3; ++i) {
        for (Word4& word : in.inputs[i]) {
            for (unsigned pair = 0; pair < 2; ++pair) {
                const uint64_t bits = pick(random, row.operands);
                word[2 * pair] = static_cast<uint32_t>(bits);
                word[2 * pair + 1] = static_cast<uint32_t>(bits >> 32);
            }
            if (row.operands == Operands::Floats || row.operands == Operands::Words)
                for (uint32_t& component : word)
                    component = random() % 3 != 0
                                    ? static_cast<uint32_t>(random()) >> random() % 31
                                    : interesting_words()[random() % interesting_words().size()];
            if (row.operands == Operands::DoubleAndInteger && i == 1)
                for (uint32_t& component : word)
                    component = random() % 8 == 0 ? static_cast<uint32_t>(random())
                                                  : random() % 4200 - 2100;
        }
    }
    return in;
}

/// Compares all bits; there is only one NaN.
std::string exact_difference(const std::string& text, const ShaderInputs& in) {
    const tgsi::Shader shader = parse_shader(text);
    const ShaderOutputs expected = run_tgsi(shader, in);
    const ShaderOutputs actual = run_valhall(shader, in);
    if (!expected.failure.empty() || !actual.failure.empty())
        return expected.failure + actual.failure;
    for (size_t i = 0; i < expected.outputs.size(); ++i)
        for (unsigned l = 0; l < kLanes; ++l)
            if (expected.outputs[i][l] != actual.outputs[i][l]) {
                char line[200];
                const Word4& a = expected.outputs[i][l];
                const Word4& b = actual.outputs[i][l];
                std::snprintf(line, sizeof line,
                              "lane %u: %08x%08x %08x%08x expected, %08x%08x %08x%08x compiled\n",
                              l, a[1], a[0], a[3], a[2], b[1], b[0], b[3], b[2]);
                std::string operands;
                for (const auto& reg : in.inputs) {
                    char word[80];
                    std::snprintf(word, sizeof word, "  %08x%08x %08x%08x\n", reg[l][1], reg[l][0],
                                  reg[l][3], reg[l][2]);
                    operands += word;
                }
                return line + operands;
            }
    return {};
}

std::string shader_text(const Row& row, const char* modifier) {
    std::string text = "FRAG\nDCL IN[0..2], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n  0: ";
    text += std::string(row.name) + " OUT[0]";
    for (unsigned i = 0; i < row.sources; ++i)
        text += std::string(", ") + modifier + "IN[" + std::to_string(i) + "]" +
                (modifier[0] == '|' ? "|" : "");
    return text + "\n  1: END\n";
}

unsigned rounds() {
    const char* text = std::getenv("VALKYR_DOUBLE_ROUNDS");
    return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1;
}

}  // namespace

TEST_CASE("doubles are IEEE binary64 to the bit") {
    for (const Row& row : kRows) {
        std::mt19937 random(7);
        for (unsigned round = 0; round < 12 * rounds(); ++round) {
            const std::string text = shader_text(row, "");
            const std::string difference = exact_difference(text, inputs(random, row));
            CHECK_MESSAGE(difference.empty(), text, difference);
            if (!difference.empty())
                break;
        }
    }
}

TEST_CASE("modifiers of doubles change the sign bit") {
    std::mt19937 random(8);
    for (const char* modifier : {"-", "|"}) {
        const std::string text = shader_text({"DADD", 2}, modifier);
        const std::string difference = exact_difference(text, inputs(random, {"DADD", 2}));
        CHECK_MESSAGE(difference.empty(), text, difference);
    }
}

TEST_CASE("DFRACEXP splits a double") {
    std::mt19937 random(9);
    const std::string text = "FRAG\nDCL IN[0..2], GENERIC[0], CONSTANT\nDCL OUT[0..1], COLOR\n"
                             "  0: DFRACEXP OUT[0], OUT[1].x, IN[0]\n  1: END\n";
    for (unsigned round = 0; round < 10; ++round) {
        const std::string difference = exact_difference(text, inputs(random, {"DFRACEXP", 1}));
        CHECK_MESSAGE(difference.empty(), text, difference);
    }
}

TEST_CASE("division of doubles in divergent loops") {
    std::mt19937 random(10);
    const std::string text =
        "FRAG\nDCL IN[0..2], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
        "IMM[0] UINT32 {0, 1, 3, 7}\n"
        "  0: AND TEMP[1].x, IN[0].xxxx, IMM[0].zzzz\n  1: MOV TEMP[0], IN[1]\n"
        "  2: BGNLOOP\n  3: USEQ TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx\n"
        "  4: UIF TEMP[1].yyyy\n  5: BRK\n  6: ENDIF\n"
        "  7: DDIV TEMP[0], TEMP[0], IN[2]\n  8: DSQRT TEMP[0].xy, TEMP[0].xyxy\n"
        "  9: UADD TEMP[1].x, TEMP[1].xxxx, -IMM[0].yyyy\n 10: ENDLOOP\n"
        " 11: MOV OUT[0], TEMP[0]\n 12: END\n";
    for (unsigned round = 0; round < 4; ++round) {
        const std::string difference = exact_difference(text, inputs(random, {"DDIV", 2}));
        CHECK_MESSAGE(difference.empty(), text, difference);
    }
}
