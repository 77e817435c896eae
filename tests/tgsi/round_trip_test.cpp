// Round trip test: shaders print as they were read, verify and run.
// SPDX-License-Identifier: MIT
#include "tests/support/test_files.hpp"
#include "tests/tgsi/tgsi_kit.hpp"
#include "tgsi/opcode_table.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/printer.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <limits>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

/// Checks that a shader parses, prints as it was read, and verifies.
Shader check_file(const std::string& path) {
    const std::string text = valkyr::test::read_file(path);
    ParseResult result = parse(text);
    CHECK_MESSAGE(result.ok(), format_errors(result.errors, text, path));
    CHECK_MESSAGE(print(result.shader) == text, path);
    const auto errors = verify(result.shader);
    CHECK_MESSAGE(errors.empty(), format_errors(errors, text, path));
    return std::move(result.shader);
}

/// Runs a shader on a few lanes with plausible inputs; returns whether it ended.
bool runs(const Shader& shader) {
    InterpreterLimits limits;
    limits.steps = 1000000;
    const auto interpreter = Interpreter::create(shader, limits);
    REQUIRE(interpreter.has_value());
    Group group = make_group(*interpreter, 8);
    for (Invocation& lane : group.invocations)
        for (Word4& input : lane.inputs)
            input = floats(1, 2, 0.5F, 1);
    return interpreter->run(group).has_value();
}

}  // namespace

TEST_CASE("the sample shaders print as themselves, verify and run") {
    const auto files = valkyr::test::shader_files("tests/tgsi/samples");
    REQUIRE(files.size() >= 11);
    for (const std::string& path : files)
        CHECK_MESSAGE(runs(check_file(path)), path);
}

TEST_CASE("the shaders of the repository print to a fixed point, verify and run") {
    const auto files = valkyr::test::repository_shaders();
    REQUIRE(files.size() >= 45);
    for (const std::string& path : files) {
        CAPTURE(path);
        const Shader shader = parse_good(valkyr::test::read_file(path));
        CHECK(print(parse_good(print(shader))) == print(shader));
        CHECK(verify(shader).empty());
        CHECK(runs(shader));
    }
}

TEST_CASE("the sample shaders use every opcode") {
    std::array<bool, kOpcodeCount> used{};
    for (const std::string& path : valkyr::test::shader_files("tests/tgsi/samples"))
        for (const Instruction& instr : parse_good(valkyr::test::read_file(path)).instructions)
            used[static_cast<size_t>(instr.opcode)] = true;
    for (size_t i = 0; i < kOpcodeCount; ++i)
        CHECK_MESSAGE(used[i], opcode_info(static_cast<Opcode>(i)).name);
}

TEST_CASE("the shaders of the corpus print as themselves, verify and run") {
    const auto files = valkyr::test::corpus_shaders();
    if (files.empty()) {
        MESSAGE("skipped: VALKYR_TGSI_CORPUS names no folder of shaders");
        return;
    }
    size_t ended = 0;
    for (const std::string& path : files)
        ended += runs(check_file(path)) ? 1 : 0;
    CHECK(ended >= files.size() - 5);  // some loops wait for values that these inputs lack
}

TEST_CASE("print is a fixed point where the text is not canonical") {
    const std::string text = "frag\n\n dcl in[0],generic,perspective DCL OUT[0],COLOR[0]\n"
                             "DCL SVIEW[0], 2d, float, float, float, float\n"
                             "imm flt32{1,-0.25,0x7f800000}\n"
                             "MOV out[0].xyzw,-|in[0].xyzw|\n 7:end";
    const std::string once = print(parse_good(text));
    CHECK(once == "FRAG\n"
                  "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                  "DCL OUT[0], COLOR\n"
                  "DCL SVIEW[0], 2D, FLOAT, FLOAT, FLOAT, FLOAT\n"
                  "IMM[0] FLT32 {0x3f800000, 0xbe800000, 0x7f800000, 0x00000000}\n"
                  "  0: MOV OUT[0], -|IN[0]|\n"
                  "  1: END\n");
    CHECK(print(parse_good(once)) == once);
}

TEST_CASE("numbers are aligned in three columns and constructs indented by two") {
    std::string text = "VERT\nDCL TEMP[0]\n  0: BGNLOOP :0\n  1:   UIF TEMP[0].xxxx :4\n"
                       "  2:     BRK\n  3:   ELSE :5\n  4:     NOP\n  5:   ENDIF\n"
                       "  6: ENDLOOP :0\n";
    for (int i = 7; i < 1001; ++i) {
        const std::string number = std::to_string(i);
        text += std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + ": NOP\n";
    }
    CHECK(print(parse_good(text)) == text);
}

TEST_CASE("single statements print by themselves") {
    const Shader shader = parse_good("FRAG\nDCL IN[3].xy, GENERIC[2], LINEAR, SAMPLE\n"
                                     "0: MAD_SAT TEMP[0].x, IN[3], CONST[1][2], IMM[0].xxxx\n");
    CHECK(print(shader.instructions[0]) == "MAD_SAT TEMP[0].x, IN[3], CONST[1][2], IMM[0].xxxx");
    CHECK(print(shader.declarations[0]) == "DCL IN[3].xy, GENERIC[2], LINEAR, SAMPLE");
    CHECK(print(shader.instructions[0].src[1].reg) == "CONST[1][2]");
}

TEST_CASE("parsing speed, measured on request" *
          doctest::skip(std::getenv("VALKYR_BENCH") == nullptr)) {
    const std::string line = "MAD TEMP[10].xyz, TEMP[3].xyzz, IMM[1].xxxx, TEMP[12].yzww\n";
    std::string text = "FRAG\nDCL TEMP[0..99]\nDCL OUT[0], COLOR\n";
    for (int i = 0; i < 99; ++i)
        text += std::string(i < 10 ? "  " : " ") + std::to_string(i) + ": " + line;
    text += " 99: END\n";
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 2000; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const ParseResult result = parse(text);
        const std::chrono::duration<double, std::micro> time =
            std::chrono::steady_clock::now() - start;
        REQUIRE(result.shader.instructions.size() == 100);
        best = std::min(best, time.count());
    }
    MESSAGE("100 instructions, " << text.size() << " bytes: " << best << " us");
    CHECK(best < 100);
}
