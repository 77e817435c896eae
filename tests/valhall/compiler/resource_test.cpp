// Resource test: compares buffers, counters, images, lanes and the tile with the TGSI interpreter.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

const char* const kHeader = "FRAG\n"
                            "DCL IN[0], GENERIC[0], CONSTANT\n"
                            "DCL IN[1], GENERIC[1], CONSTANT\n"
                            "DCL OUT[0], COLOR\n"
                            "DCL TEMP[0..3]\n"
                            "DCL BUFFER[0..1]\n"
                            "DCL HWATOMIC[0..7]\n"
                            "IMM[0] UINT32 {0, 4, 8, 1}\n"
                            "IMM[1] UINT32 {3, 7, 15, 4294967295}\n";

/// IN[0]: offsets around the end of BUFFER[0], which has 10 words; IN[1]: any words.
ShaderInputs inputs(uint32_t seed) {
    std::mt19937 random(seed);
    ShaderInputs in;
    in.inputs.resize(2);
    for (unsigned l = 0; l < kLanes; ++l) {
        for (unsigned c = 0; c < 4; ++c) {
            in.inputs[0][l][c] = random() % 14 * 4;
            in.inputs[1][l][c] = random() % 3 == 0 ? random() % 8 : static_cast<uint32_t>(random());
        }
    }
    in.inputs[0][3][0] = 0xFFFFFFFC;
    in.inputs[0][4][0] = 0x80000000;
    in.memory.buffers = {std::vector<uint32_t>(10), std::vector<uint32_t>(3), {}};
    in.memory.counters = {std::vector<uint32_t>(8)};
    for (auto& buffer : in.memory.buffers)
        for (uint32_t& word : buffer)
            word = random() % 16;
    in.memory.images = blank_images(2);
    for (auto& image : in.memory.images)
        for (Word4& texel : image)
            for (uint32_t& word : texel)
                word = random() % 100;
    in.framebuffer.resize(1);
    for (Word4& pixel : in.framebuffer[0])
        for (uint32_t& word : pixel)
            word = as_bits(static_cast<float>(random() % 256) / 255.0F);
    return in;
}

std::string shader(const std::string& body, const std::string& declarations = {}) {
    std::string text = kHeader + declarations;
    unsigned line = 0;
    for (size_t at = 0; at < body.size();) {
        const size_t end = body.find('\n', at);
        text += "  " + std::to_string(line++) + ": " + body.substr(at, end - at) + "\n";
        at = end == std::string::npos ? body.size() : end + 1;
    }
    return text + "  " + std::to_string(line) + ": END\n";
}

void check_agrees(const std::string& text, uint16_t covered = 0xFFFF) {
    for (uint32_t seed = 1; seed <= 3; ++seed) {
        ShaderInputs in = inputs(seed);
        in.covered = covered;
        const std::string difference = differ(text, in);
        CHECK_MESSAGE(difference.empty(), text, difference);
    }
}

}  // namespace

TEST_CASE("loads from buffers give 0 outside, word by word") {
    check_agrees(shader("LOAD OUT[0], BUFFER[0], IN[0].xxxx"));
    check_agrees(shader("LOAD OUT[0].yw, BUFFER[1].wzyx, IN[0].yyyy"));
    check_agrees(shader("LOAD OUT[0], BUFFER[0], IMM[0].zzzz"));
    check_agrees(shader("LOAD OUT[0], BUFFER[2], IMM[0].xxxx", "DCL BUFFER[2]\n"));
}

TEST_CASE("stores to buffers do nothing outside, nor in helper lanes") {
    // Lanes that store to one place store in order, but only within a component.
    check_agrees(shader("UMAX TEMP[0].x, IN[0].xxxx, IMM[0].zzzz\n"
                        "STORE BUFFER[0].xyz, TEMP[0].xxxx, IMM[1].xxxx\n"
                        "MOV OUT[0], IN[1]"));
    const std::string text = shader("STORE BUFFER[0].x, IN[0].xxxx, IN[1]\n"
                                    "MOV OUT[0], IN[1]");
    check_agrees(text);
    check_agrees(text, 0x0FF1);
    check_agrees(shader("FSLT TEMP[0].x, IN[1].xxxx, IMM[0].xxxx\n"
                        "UIF TEMP[0].xxxx\nKILL\nENDIF\n"
                        "STORE BUFFER[1].x, IMM[0].yyyy, IN[1].yyyy\n"
                        "MOV OUT[0], IN[1]"));
}

TEST_CASE("a load sees the store before it") {
    check_agrees(shader("STORE BUFFER[0].x, IN[0].xxxx, IN[1].xxxx\n"
                        "MEMBAR IMM[0].xxxx\n"
                        "LOAD OUT[0], BUFFER[0], IN[0].yyyy\n"));
}

TEST_CASE("atomics on buffers go in lane order and return the old value") {
    for (const char* name :
         {"ATOMUADD", "ATOMXCHG", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN", "ATOMUMAX",
          "ATOMIMIN", "ATOMIMAX", "ATOMINC_WRAP", "ATOMDEC_WRAP", "ATOMFADD"}) {
        const std::string text =
            shader(std::string(name) + " TEMP[0].x, BUFFER[0], IN[0].xxxx, IN[1].xxxx\n"
                                       "MOV OUT[0], TEMP[0].xxxx");
        check_agrees(text);
        check_agrees(text, 0x7A5F);
    }
    check_agrees(shader("ATOMCAS TEMP[0].x, BUFFER[0], IN[0].xxxx, IN[1].xxxx, IN[1].yyyy\n"
                        "MOV OUT[0], TEMP[0].xxxx"));
}

TEST_CASE("atomics whose result nobody reads still happen") {
    for (const char* name : {"ATOMUADD", "ATOMXCHG", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN",
                             "ATOMUMAX", "ATOMIMIN", "ATOMIMAX"}) {
        const std::string text =
            shader(std::string(name) + " TEMP[0].x, BUFFER[0], IN[0].xxxx, IN[1].xxxx\n"
                                       "MOV OUT[0], IN[1]");
        check_agrees(text);
        check_agrees(text, 0x7A5F);
    }
}

TEST_CASE("atomic counters") {
    check_agrees(shader("ATOMUADD TEMP[0].x, HWATOMIC[2], IMM[0].xxxx, IMM[0].wwww\n"
                        "LOAD TEMP[0].y, HWATOMIC[3].xxxx, IMM[0].xxxx\n"
                        "MOV OUT[0], TEMP[0].xyxy"));
}

TEST_CASE("sizes of buffers") {
    check_agrees(shader("RESQ TEMP[0].x, BUFFER[0]\nRESQ TEMP[0].y, BUFFER[1]\n"
                        "MOV OUT[0], TEMP[0].xyxy"));
}

TEST_CASE("buffers with a computed number") {
    check_agrees(shader("AND TEMP[0].x, IN[1].xxxx, IMM[0].wwww\n"
                        "UARL ADDR[0].x, TEMP[0].xxxx\n"
                        "LOAD OUT[0], BUFFER[ADDR[0].x], IN[0].xxxx",
                        "DCL ADDR[0]\n"));
}

TEST_CASE("images of every target: load, store, atomics, sizes") {
    for (const char* target : {"BUFFER", "1D", "2D", "3D", "CUBE", "RECT", "1D_ARRAY", "2D_ARRAY",
                               "CUBEARRAY", "2D_MSAA", "2D_ARRAY_MSAA"}) {
        const std::string declarations =
            "DCL IMAGE[0..1], " + std::string(target) + ", PIPE_FORMAT_R32_UINT, WR\n";
        const std::string suffix = ", " + std::string(target) + ", PIPE_FORMAT_R32_UINT";
        // Coordinates around 0..7, samples around 0..1.
        const std::string coordinates = "USHR TEMP[0], IN[0], IMM[0].wwww\n"
                                        "AND TEMP[0], TEMP[0], IMM[1].zzyx\n";
        check_agrees(shader(coordinates + "LOAD OUT[0], IMAGE[0], TEMP[0]" + suffix, declarations));
        check_agrees(shader(coordinates + "STORE IMAGE[1], TEMP[0], IN[1]" + suffix +
                                "\nLOAD OUT[0].zw, IMAGE[1], TEMP[0]" + suffix,
                            declarations),
                     0xFF7F);
        check_agrees(shader(coordinates + "ATOMUADD TEMP[1].x, IMAGE[0], TEMP[0], IN[1].xxxx" +
                                suffix + "\nMOV OUT[0], TEMP[1].xxxx",
                            declarations));
        check_agrees(shader("RESQ OUT[0], IMAGE[0]" + suffix, declarations));
    }
}

TEST_CASE("coordinates that do not fit a message are outside of images") {
    check_agrees(shader("UADD TEMP[0], IN[1], IMM[1].wwww\n"
                        "LOAD OUT[0], IMAGE[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT",
                        "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"));
}

TEST_CASE("votes, ballots and reads of other lanes see the running lanes") {
    for (const char* body : {"VOTE_ANY TEMP[0], IN[1]", "VOTE_ALL TEMP[0], IN[1]",
                             "VOTE_EQ TEMP[0], IN[1]", "BALLOT TEMP[0], IN[1]",
                             "READ_FIRST TEMP[0], IN[1]", "READ_INVOC TEMP[0], IN[1], IN[0].xxxx",
                             "VOTE_ALL TEMP[0], IMM[0].wwww", "VOTE_EQ TEMP[0], IMM[0].wwww"}) {
        check_agrees(shader(std::string(body) + "\nMOV OUT[0], TEMP[0]"));
        check_agrees(shader("AND TEMP[1].x, IN[1].yyyy, IMM[0].wwww\nMOV TEMP[0], IMM[0].xxxx\n"
                            "UIF TEMP[1].xxxx\n" +
                            std::string(body) + "\nENDIF\nMOV OUT[0], TEMP[0]"));
    }
}

TEST_CASE("subgroup values") {
    for (const char* name :
         {"SUBGROUP_SIZE", "SUBGROUP_INVOCATION", "SUBGROUP_EQ_MASK", "SUBGROUP_GE_MASK",
          "SUBGROUP_GT_MASK", "SUBGROUP_LE_MASK", "SUBGROUP_LT_MASK"})
        check_agrees(shader("MOV OUT[0], SV[0].xxxx", "DCL SV[0], " + std::string(name) + "\n"));
}

TEST_CASE("helper lanes know that they are, demoted ones too") {
    const std::string body = "READ_HELPER TEMP[0].x\nREAD_FIRST TEMP[0].x, TEMP[0].xxxx\n"
                             "MOV OUT[0], TEMP[0].xxxx";
    check_agrees(shader(body), 0xFFFE);
    check_agrees(shader("AND TEMP[1].x, IN[1].yyyy, IMM[0].wwww\n"
                        "UIF TEMP[1].xxxx\nDEMOTE\nENDIF\n"
                        "READ_HELPER TEMP[0].x\nBALLOT TEMP[0].y, TEMP[0].xxxx\n"
                        "MOV OUT[0], TEMP[0].xxxx"));
    check_agrees(shader("KILL_IF IN[1].zzzz\nREAD_HELPER TEMP[0].x\nBALLOT TEMP[0].x, "
                        "TEMP[0].xxxx\nMOV OUT[0], TEMP[0].xxxx"));
}

TEST_CASE("framebuffer fetch reads the pixel") {
    check_agrees(shader("FBFETCH TEMP[0], OUT[0]\nADD OUT[0], TEMP[0].wzyx, TEMP[0]"));
}

TEST_CASE("standard sample positions") {
    check_agrees(shader("AND TEMP[0].x, IN[1].xxxx, IMM[1].yyyy\n"
                        "SAMPLE_POS OUT[0], SVIEW[0], TEMP[0].xxxx",
                        "DCL SVIEW[0], 2D_MSAA, FLOAT\n"));
    check_agrees(shader("SAMPLE_INFO TEMP[0].x, SVIEW[0]\nMOV OUT[0], TEMP[0].xxxx",
                        "DCL SVIEW[0], 2D_MSAA, FLOAT\n"));
}

TEST_CASE("the clock stands still") {
    check_agrees(shader("CLOCK OUT[0]"));
}
