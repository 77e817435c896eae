// Compute test: checks compute programs, and memory of one invocation.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/harness.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

std::string compute(const std::string& body) {
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 16\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
           "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"
           "DCL SV[2], GRID_SIZE\nDCL SV[3], BLOCK_SIZE\nDCL BUFFER[0..1]\nDCL CONST[0]\n"
           "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0..3]\n"
           "IMM[0] UINT32 {0, 4, 8, 1}\nIMM[1] UINT32 {3, 7, 15, 4294967295}\n" +
           program_lines(body);
}

ShaderInputs memory(uint32_t seed) {
    std::mt19937 random(seed);
    ShaderInputs in;
    in.constants = {{7, 11, 13, 17}};
    in.memory.buffers = {std::vector<uint32_t>(40), std::vector<uint32_t>(20)};
    for (auto& buffer : in.memory.buffers)
        for (uint32_t& word : buffer)
            word = random() % 1000;
    in.memory.images = blank_images(1);
    return in;
}

void check_agrees(const std::string& text, const ShaderInputs& in) {
    const std::string difference = differ(text, in);
    CHECK_MESSAGE(difference.empty(), text, difference);
}

/// Runs a compiled program and returns word `i` of buffer 1.
uint32_t result(const std::string& text, size_t i) {
    const ShaderOutputs out = run_valhall(parse_shader(text), memory(1));
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    return out.memory.buffers[1][i];
}

}  // namespace

TEST_CASE("compute programs know their thread, block and grid") {
    const std::string text = compute("UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
                                     "UMAD TEMP[1].x, SV[1].xxxx, SV[3].xxxx, SV[0].xxxx\n"
                                     "UMAD TEMP[1].x, SV[2].yyyy, CONST[0].yyyy, TEMP[1].xxxx\n"
                                     "UADD TEMP[1].x, SV[0].yyyy, TEMP[1].xxxx\n"
                                     "STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx");
    check_agrees(text, memory(1));
    CHECK(result(text, 5) == 5 + 11);
    CHECK(result(text, 15) == 15 + 11);
}

TEST_CASE("compute programs load, store and change buffers and images like fragments") {
    const char* const bodies[] = {
        "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\nLOAD TEMP[1].xy, BUFFER[0], TEMP[0].xxxx\n"
        "UADD TEMP[1].xy, TEMP[1].yxxx, SV[0].xxxx\nSTORE BUFFER[1].xy, TEMP[0].xxxx, TEMP[1]",
        "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].yyyy, SV[0].xxxx\n"
        "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx",
        "ATOMUMAX TEMP[1].x, BUFFER[0], IMM[0].xxxx, SV[0].xxxx",
        "AND TEMP[0].x, SV[0].xxxx, IMM[1].xxxx\nUSHR TEMP[0].y, SV[0].xxxx, IMM[0].wwww\n"
        "STORE IMAGE[0], TEMP[0], SV[0].xxxx\nLOAD TEMP[1], IMAGE[0], TEMP[0]\n"
        "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx",
        "MOV TEMP[2].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[2].y, TEMP[2].xxxx, SV[0].xxxx\n"
        "UIF TEMP[2].yyyy\nBRK\nENDIF\nATOMUADD TEMP[1].x, BUFFER[1], IMM[0].yyyy, IMM[0].wwww\n"
        "UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].wwww\nENDLOOP"};
    for (const char* body : bodies)
        for (uint32_t seed = 1; seed <= 3; ++seed)
            check_agrees(compute(body), memory(seed));
}

TEST_CASE("loops that load texels run as often as their counter says") {
    const auto loop = [](const std::string& test, const std::string& start) {
        return compute("AND TEMP[0].x, SV[0].xxxx, IMM[1].xxxx\n"
                       "USHR TEMP[0].y, SV[0].xxxx, IMM[0].wwww\n"
                       "STORE IMAGE[0], TEMP[0], SV[0].xxxx\nMOV TEMP[3].x, IMM[0].xxxx\n"
                       "MOV TEMP[2].x, " +
                       start + "\nBGNLOOP\nISLT TEMP[2].y, " + test +
                       "\nUIF TEMP[2].yyyy\nBRK\nENDIF\n"
                       "UADD TEMP[1].x, TEMP[0].xxxx, TEMP[2].xxxx\nMOV TEMP[1].y, TEMP[0].yyyy\n"
                       "LOAD TEMP[1], IMAGE[0], TEMP[1]\n"
                       "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[1].xxxx\n"
                       "UADD TEMP[2].x, TEMP[2].xxxx, IMM[1].xxxx\nENDLOOP\n"
                       "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
                       "UMAD TEMP[3].x, TEMP[3].xxxx, IMM[1].zzzz, TEMP[2].xxxx\n"
                       "STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[3].xxxx");
    };
    // From -1 and 1 to 7 in steps of 3; a start behind the limit, and one that is not known.
    const std::string upwards = loop("IMM[1].yyyy, TEMP[2].xxxx", "IMM[1].wwww");
    const std::string exact = loop("IMM[1].yyyy, TEMP[2].xxxx", "IMM[0].wwww");
    const std::string none = loop("IMM[1].yyyy, TEMP[2].xxxx", "IMM[1].zzzz");
    const std::string computed = loop("IMM[1].yyyy, TEMP[2].xxxx", "SV[0].xxxx");
    for (const std::string& text : {upwards, exact, none, computed})
        check_agrees(text, memory(1));
    CHECK(result(upwards, 3) % 15 == 8);
    CHECK(result(exact, 3) % 15 == 10);
    CHECK(result(none, 3) == 15);
}

TEST_CASE("private memory belongs to one lane, starts as zeros and is checked") {
    std::mt19937 random(3);
    const std::string text =
        "FRAG\nDCL IN[0..1], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL MEMORY[0], PRIVATE\n"
        "DCL TEMP[0..3]\nIMM[0] UINT32 {0, 64, 8, 1}\n" +
        program_lines("STORE MEMORY[0].xyzw, IN[0].xxxx, IN[1]\n"
                      "STORE MEMORY[0].xz, IN[0].yyyy, IN[1].wzyx\n"
                      "ATOMUADD TEMP[1].x, MEMORY[0], IN[0].xxxx, IN[1].yyyy\n"
                      "LOAD TEMP[0], MEMORY[0], IN[0].zzzz\n"
                      "LOAD TEMP[2], MEMORY[0], IN[0].xxxx\n"
                      "UADD TEMP[0], TEMP[0], TEMP[2]\nUADD OUT[0], TEMP[0], TEMP[1].xxxx");
    for (unsigned round = 0; round < 8; ++round) {
        ShaderInputs in;
        in.inputs.resize(2);
        for (unsigned l = 0; l < kLanes; ++l) {
            for (unsigned c = 0; c < 4; ++c) {
                in.inputs[0][l][c] =
                    random() % 2 == 0 ? random() % 8 * 4 : 4064 + random() % 16 * 4;
                in.inputs[1][l][c] = static_cast<uint32_t>(random());
            }
        }
        check_agrees(text, in);
    }
}
