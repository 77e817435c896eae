// Opcode test: compares compiled opcodes with the TGSI interpreter.
// SPDX-License-Identifier: MIT
//
// Results must be equal to the bit if the opcode table says so, else within its error bound.
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

enum class Kind : uint8_t { Float, Integer, SmallFloat, Angle };

struct Row {
    const char* name;
    unsigned sources;
    Kind kind;
    Tolerance tolerance{};
};

constexpr Row kRows[] = {
    {"MOV", 1, Kind::Float},
    {"ADD", 2, Kind::Float},
    {"MUL", 2, Kind::Float},
    {"MAD", 3, Kind::Float},
    {"FMA", 3, Kind::Float},
    {"MIN", 2, Kind::Float},
    {"MAX", 2, Kind::Float},
    {"DP2", 2, Kind::Float},
    {"DP3", 2, Kind::Float},
    {"DP4", 2, Kind::Float},
    {"DST", 2, Kind::Float},
    {"RCP", 1, Kind::Float},
    {"RSQ", 1, Kind::SmallFloat, {2}},
    {"CMP", 3, Kind::Float},
    {"LRP", 3, Kind::Float},
    {"FLR", 1, Kind::Float},
    {"CEIL", 1, Kind::Float},
    {"TRUNC", 1, Kind::Float},
    {"ROUND", 1, Kind::Float},
    {"FRC", 1, Kind::Float},
    {"SSG", 1, Kind::Float},
    {"SLT", 2, Kind::Float},
    {"SGE", 2, Kind::Float},
    {"SEQ", 2, Kind::Float},
    {"SNE", 2, Kind::Float},
    {"SGT", 2, Kind::Float},
    {"SLE", 2, Kind::Float},
    {"FSLT", 2, Kind::Float},
    {"FSGE", 2, Kind::Float},
    {"FSEQ", 2, Kind::Float},
    {"FSNE", 2, Kind::Float},
    {"ARL", 1, Kind::Float},
    {"ARR", 1, Kind::Float},
    {"UARL", 1, Kind::Integer},
    {"F2I", 1, Kind::Float},
    {"F2U", 1, Kind::Float},
    {"I2F", 1, Kind::Integer},
    {"U2F", 1, Kind::Integer},
    {"LDEXP", 2, Kind::Integer},
    {"UADD", 2, Kind::Integer},
    {"UMUL", 2, Kind::Integer},
    {"UMAD", 3, Kind::Integer},
    {"UMUL_HI", 2, Kind::Integer},
    {"IMUL_HI", 2, Kind::Integer},
    {"UDIV", 2, Kind::Integer},
    {"UMOD", 2, Kind::Integer},
    {"IDIV", 2, Kind::Integer},
    {"MOD", 2, Kind::Integer},
    {"NOT", 1, Kind::Integer},
    {"AND", 2, Kind::Integer},
    {"OR", 2, Kind::Integer},
    {"XOR", 2, Kind::Integer},
    {"SHL", 2, Kind::Integer},
    {"USHR", 2, Kind::Integer},
    {"ISHR", 2, Kind::Integer},
    {"UMIN", 2, Kind::Integer},
    {"UMAX", 2, Kind::Integer},
    {"IMIN", 2, Kind::Integer},
    {"IMAX", 2, Kind::Integer},
    {"USLT", 2, Kind::Integer},
    {"USGE", 2, Kind::Integer},
    {"USEQ", 2, Kind::Integer},
    {"USNE", 2, Kind::Integer},
    {"ISLT", 2, Kind::Integer},
    {"ISGE", 2, Kind::Integer},
    {"UCMP", 3, Kind::Integer},
    {"INEG", 1, Kind::Integer},
    {"IABS", 1, Kind::Integer},
    {"ISSG", 1, Kind::Integer},
    {"UBFE", 3, Kind::Integer},
    {"IBFE", 3, Kind::Integer},
    {"BFI", 4, Kind::Integer},
    {"BREV", 1, Kind::Integer},
    {"POPC", 1, Kind::Integer},
    {"LSB", 1, Kind::Integer},
    {"UMSB", 1, Kind::Integer},
    {"IMSB", 1, Kind::Integer},
    {"U64ADD", 2, Kind::Integer},
    {"U64MUL", 2, Kind::Integer},
    {"I64NEG", 1, Kind::Integer},
    {"I64ABS", 1, Kind::Integer},
    {"I64SSG", 1, Kind::Integer},
    {"U64MIN", 2, Kind::Integer},
    {"U64MAX", 2, Kind::Integer},
    {"I64MIN", 2, Kind::Integer},
    {"I64MAX", 2, Kind::Integer},
    {"U64SHL", 2, Kind::Integer},
    {"U64SHR", 2, Kind::Integer},
    {"I64SHR", 2, Kind::Integer},
    {"U64SEQ", 2, Kind::Integer},
    {"U64SNE", 2, Kind::Integer},
    {"U64SLT", 2, Kind::Integer},
    {"U64SGE", 2, Kind::Integer},
    {"I64SLT", 2, Kind::Integer},
    {"I64SGE", 2, Kind::Integer},
    {"U64DIV", 2, Kind::Integer},
    {"U64MOD", 2, Kind::Integer},
    {"I64DIV", 2, Kind::Integer},
    {"I64MOD", 2, Kind::Integer},
    {"U2I64", 1, Kind::Integer},
    {"I2I64", 1, Kind::Integer},
    {"F2U64", 1, Kind::Float},
    {"F2I64", 1, Kind::Float},
    {"U642F", 1, Kind::Integer},
    {"I642F", 1, Kind::Integer},
    {"DIV", 2, Kind::SmallFloat, {2}},
    {"SQRT", 1, Kind::SmallFloat, {2}},
    {"EX2", 1, Kind::SmallFloat, {200}},
    {"LG2", 1, Kind::SmallFloat, {4, 1e-6F}},
    {"POW", 2, Kind::SmallFloat, {4000}},
    {"SIN", 1, Kind::Angle, {0, 1e-6F}},
    {"COS", 1, Kind::Angle, {0, 1e-6F}},
    {"PK2H", 1, Kind::Float},
    {"PK2US", 1, Kind::Float},
    {"PK4B", 1, Kind::Float},
    {"PK4UB", 1, Kind::Float},
    {"UP2H", 1, Kind::Integer},
    {"UP2US", 1, Kind::Integer},
    {"UP4B", 1, Kind::Integer},
    {"UP4UB", 1, Kind::Integer},
    {"LIT", 1, Kind::SmallFloat, {4000, 1e-30F}},
    {"EXP", 1, Kind::SmallFloat, {200}},
    {"LOG", 1, Kind::SmallFloat, {8, 1e-6F}},
    {"DDX", 1, Kind::SmallFloat},
    {"DDY", 1, Kind::SmallFloat},
};

class Words {
public:
    explicit Words(uint32_t seed)
        : random_(seed) {}

    uint32_t next(Kind kind) {
        const std::vector<uint32_t>& words = interesting_words();
        switch (kind) {
        case Kind::SmallFloat:
            return as_bits(std::uniform_real_distribution<float>(-8, 8)(random_));
        case Kind::Angle:
            return as_bits(std::uniform_real_distribution<float>(-1000, 1000)(random_));
        case Kind::Float:
        case Kind::Integer: break;
        }
        switch (random_() % 3) {
        case 0: return words[random_() % words.size()];
        case 1: return static_cast<uint32_t>(random_());
        default:
            return kind == Kind::Integer
                       ? static_cast<uint32_t>(random_() % 64)
                       : as_bits(std::uniform_real_distribution<float>(-100, 100)(random_));
        }
    }

    ShaderInputs inputs(Kind kind) {
        ShaderInputs in;
        in.inputs.resize(4);
        for (auto& by_lane : in.inputs)
            for (Word4& word : by_lane)
                for (uint32_t& component : word)
                    component = next(kind);
        return in;
    }

private:
    std::mt19937 random_;
};

std::string shader_text(const Row& row, const std::string& modifiers, const std::string& suffix) {
    std::string text = "FRAG\n";
    for (unsigned i = 0; i < row.sources; ++i)
        text +=
            "DCL IN[" + std::to_string(i) + "], GENERIC[" + std::to_string(i) + "], PERSPECTIVE\n";
    text += "DCL OUT[0], COLOR\n  0: " + std::string(row.name) + suffix + " OUT[0]";
    for (unsigned i = 0; i < row.sources; ++i) {
        const std::string reg = "IN[" + std::to_string(i) + "]";
        text += ", ";
        if (modifiers == "neg")
            text += "-" + reg;
        else if (modifiers == "abs")
            text += "-|" + reg + "|";
        else if (modifiers == "swizzle")
            text += reg + ".wzyx";
        else
            text += reg;
    }
    return text + "\n  1: END\n";
}

}  // namespace

TEST_CASE("each opcode compiles to what the TGSI interpreter computes") {
    for (const Row& row : kRows) {
        Words words(1234);
        for (int round = 0; round < 12; ++round) {
            const ShaderInputs in = words.inputs(row.kind);
            for (const char* modifiers : {"", "neg", "swizzle"}) {
                const std::string text = shader_text(row, modifiers, "");
                const std::string difference = differ(text, in, row.tolerance);
                CHECK_MESSAGE(difference.empty(), text, difference);
                if (!difference.empty())
                    round = 100;
            }
        }
    }
}

TEST_CASE("float opcodes take absolute values and saturate") {
    for (const Row& row : kRows) {
        if (row.kind == Kind::Integer || row.name == std::string("F2I") ||
            row.name == std::string("F2U") || row.name[0] == 'A' || row.name[1] == 'S' ||
            row.name[0] == 'P' || row.name[1] == '2')
            continue;
        Words words(99);
        const ShaderInputs in = words.inputs(row.kind);
        for (const char* suffix : {"", "_SAT"}) {
            const std::string text = shader_text(row, "abs", suffix);
            const std::string difference = differ(text, in, row.tolerance);
            CHECK_MESSAGE(difference.empty(), text, difference);
        }
    }
}

TEST_CASE("modifiers change the sign bit of a NaN and keep its other bits") {
    const std::string head = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL TEMP[0]\n"
                             "IMM[0] UINT32 {0, 4294967295, 0, 4294967295}\n";
    const std::string bodies[] = {"MOV OUT[0], -CONST[0]", "MOV OUT[0], |CONST[0]|",
                                  "MOV OUT[0], -|CONST[0]|",
                                  "MOV TEMP[0], -CONST[0]\nMOV OUT[0], -TEMP[0]",
                                  "UCMP OUT[0], IMM[0], -CONST[0], |CONST[0]|"};
    ShaderInputs in;
    in.constants = {{0x7F812345, 0xFFC54321, 0xFF800001, 0x7FFFFFFF}};
    for (const std::string& body : bodies) {
        const tgsi::Shader shader = parse_shader(head + program_lines(body));
        const ShaderOutputs expected = run_tgsi(shader, in);
        const ShaderOutputs computed = run_valhall(shader, in);
        REQUIRE(computed.failure == "");
        for (unsigned c = 0; c < 4; ++c)
            CHECK_MESSAGE(computed.outputs[0][0][c] == expected.outputs[0][0][c], body,
                          " component ", c);
    }
}

TEST_CASE("divisions by numbers of the text are products that give the same") {
    std::vector<uint32_t> divisors = interesting_words();
    for (uint32_t k = 0; k < 32; ++k)
        for (const uint32_t near : {0U, 1U, ~0U})
            divisors.push_back((1U << k) + near);
    for (const uint32_t d : {3U, 5U, 7U, 9U, 10U, 11U, 13U, 25U, 100U, 125U, 641U, 1000003U})
        divisors.insert(divisors.end(), {d, 0U - d});
    std::mt19937 random(7);
    for (unsigned i = 0; i < 200; ++i)
        divisors.push_back(static_cast<uint32_t>(random()) >> random() % 32);
    Words words(5);
    for (const uint32_t d : divisors) {
        // The last components are next to multiples of the divisor, where a product with the
        // reciprocal may be wrong.
        ShaderInputs in = words.inputs(Kind::Integer);
        for (Word4& word : in.inputs[0])
            for (uint32_t c = 2; c < 4; ++c)
                word[c] = static_cast<uint32_t>(random()) / std::max(d, 1U) * d - (c - 2);
        for (const char* name : {"UDIV", "UMOD", "IDIV", "MOD"}) {
            const std::string text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                     "DCL OUT[0], COLOR\nIMM[0] UINT32 {" +
                                     std::to_string(d) + ", 0, 0, 0}\n  0: " + name +
                                     " OUT[0], IN[0], IMM[0].xxxx\n  1: END\n";
            const std::string difference = differ(text, in, {});
            CHECK_MESSAGE(difference.empty(), text, difference);
        }
    }
}
