// Memory test: checks buffers, shared memory, counters, images and barriers.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/memory_texture.hpp"
#include "tests/tgsi/tgsi_kit.hpp"

#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

const std::string kHead = "COMP\nDCL SV[0], THREAD_ID\nDCL BUFFER[0..1]\nDCL MEMORY[0], SHARED\n"
                          "DCL MEMORY[1], PRIVATE\nDCL HWATOMIC[0][0..3]\nDCL HWATOMIC[1][0..3]\n"
                          "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"
                          "DCL IMAGE[1], 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM, WR\n"
                          "DCL CONSTBUF[0]\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
                          "IMM[0] UINT32 {0, 1, 4, 16}\nIMM[1] UINT32 {1065353216, 3, 5, 7}\n";

struct Bench {
    explicit Bench(const std::string& body, size_t lanes = 1)
        : interpreter(make_interpreter(kHead + body + "\nEND\n"))
        , group(make_group(interpreter, lanes))
        , words(8)
        , shared_bytes(64)
        , counters(4) {
        for (uint32_t i = 0; i < lanes; ++i)
            group.invocations[i].system_values[0] = {i, 0, 0, 0};
        group.buffers = {{}, {reinterpret_cast<uint8_t*>(words.data()), 32}};
        group.shared = shared_bytes;
        group.counters = {{}, counters};
    }
    void run() { run_good(interpreter, group); }

    Interpreter interpreter;
    Group group;
    std::vector<uint32_t> words;
    std::vector<uint8_t> shared_bytes;
    std::vector<uint32_t> counters;
};

uint32_t shared_word(const Bench& bench, size_t index) {
    uint32_t word = 0;
    std::memcpy(&word, bench.shared_bytes.data() + 4 * index, 4);
    return word;
}

}  // namespace

TEST_CASE("global memory starts at address 0; without any, reads give 0") {
    const Interpreter interpreter = make_interpreter(
        "COMP\nDCL MEMORY[0], GLOBAL\nDCL TEMP[0]\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 4, 7, 9}\n"
        "LOAD TEMP[0].x, MEMORY[0], IMM[0].yyyy\nSTORE BUFFER[0].x, IMM[0].xxxx, TEMP[0]\n"
        "ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].yyyy, IMM[0].zzzz\n"
        "STORE MEMORY[0].x, IMM[0].xxxx, IMM[0].wwww\nEND\n");
    std::vector<uint32_t> words{1, 2};
    std::vector<uint32_t> seen{5};
    Group group = make_group(interpreter, 1);
    group.buffers = {{reinterpret_cast<uint8_t*>(seen.data()), 4}};
    run_good(interpreter, group);
    CHECK(seen[0] == 0);
    group.global = {reinterpret_cast<uint8_t*>(words.data()), 8};
    run_good(interpreter, group);
    CHECK(seen[0] == 2);
    CHECK(words == std::vector<uint32_t>{9, 9});
}

TEST_CASE("LOAD and STORE move words at byte offsets; outside reads 0 and writes nothing") {
    Bench bench("LOAD TEMP[0], BUFFER[1], IMM[0].wwww\nLOAD TEMP[1], BUFFER[1].wzyx, IMM[0].xxxx\n"
                "UADD TEMP[2].x, IMM[0].wwww, IMM[0].zzzz\nUADD TEMP[2].x, TEMP[2].xxxx, "
                "IMM[0].zzzz\nLOAD TEMP[3], BUFFER[1], TEMP[2].xxxx\nSTORE BUFFER[1].xz, "
                "IMM[0].xxxx, TEMP[3]\nSTORE BUFFER[1], TEMP[2].xxxx, TEMP[1]\nSTORE BUFFER[0], "
                "IMM[0].xxxx, TEMP[0]\nSTORE MEMORY[0], IMM[0].xxxx, TEMP[0]");
    bench.words = {1, 2, 3, 4, 5, 6, 7, 8};
    bench.run();
    // Four words from word 6 on are not wholly inside: TEMP[3] = 0, and words 6 and 7 stay.
    CHECK(bench.words == std::vector<uint32_t>{0, 2, 0, 4, 5, 6, 7, 8});
    CHECK(shared_word(bench, 0) == 5);
    CHECK(shared_word(bench, 3) == 8);
}

TEST_CASE("atomics return the old value, in ascending order of lanes") {
    Bench bench("ATOMUADD TEMP[0].x, BUFFER[1], IMM[0].xxxx, IMM[1].yyyy\n"
                "SHL TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nUMUL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n"
                "STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[0].xxxx",
                4);
    bench.words[0] = 100;
    bench.run();
    CHECK(bench.words[0] == 112);
    for (uint32_t i = 0; i < 4; ++i)
        CHECK(shared_word(bench, i) == 100 + 3 * i);
}

TEST_CASE("each atomic operation") {
    struct Row {
        const char* opcode;
        uint32_t before, operand, after;
    };
    for (const Row& row :
         {Row{"ATOMUADD", 5, 7, 12}, Row{"ATOMXCHG", 5, 7, 7}, Row{"ATOMAND", 0xFF, 0x0F, 0x0F},
          Row{"ATOMOR", 0xF0, 0x0F, 0xFF}, Row{"ATOMXOR", 0xFF, 0x0F, 0xF0},
          Row{"ATOMUMIN", 0xFFFFFFFF, 1, 1}, Row{"ATOMUMAX", 0xFFFFFFFF, 1, 0xFFFFFFFF},
          Row{"ATOMIMIN", 0xFFFFFFFF, 1, 0xFFFFFFFF}, Row{"ATOMIMAX", 0xFFFFFFFF, 1, 1},
          Row{"ATOMFADD", 0x3F800000, 0x40000000, 0x40400000}, Row{"ATOMINC_WRAP", 4, 5, 5},
          Row{"ATOMINC_WRAP", 5, 5, 0}, Row{"ATOMDEC_WRAP", 3, 5, 2}, Row{"ATOMDEC_WRAP", 0, 5, 0},
          Row{"ATOMDEC_WRAP", 9, 5, 0}}) {
        Bench bench("LOAD TEMP[0].x, BUFFER[1], IMM[0].zzzz\n" + std::string(row.opcode) +
                    " TEMP[1].x, BUFFER[1], IMM[0].xxxx, TEMP[0].xxxx\n"
                    "STORE MEMORY[0].x, IMM[0].xxxx, TEMP[1].xxxx");
        bench.words = {row.before, row.operand, 0, 0, 0, 0, 0, 0};
        bench.run();
        CHECK_MESSAGE(bench.words[0] == row.after, row.opcode);
        CHECK_MESSAGE(shared_word(bench, 0) == row.before, row.opcode);
    }
    Bench bench("ATOMCAS TEMP[0].x, BUFFER[1], IMM[0].xxxx, IMM[1].yyyy, IMM[1].zzzz\n"
                "ATOMCAS TEMP[0].x, BUFFER[1], IMM[0].zzzz, IMM[1].yyyy, IMM[1].zzzz");
    bench.words = {3, 4, 0, 0, 0, 0, 0, 0};
    bench.run();
    CHECK(bench.words[0] == 5);
    CHECK(bench.words[1] == 4);
}

TEST_CASE("counters are addressed by their register; the offset operand repeats it") {
    Bench bench("ATOMUADD TEMP[0].x, HWATOMIC[1][2], IMM[0].wwww, IMM[1].yyyy\n"
                "UARL ADDR[0].x, IMM[0].yyyy\n"
                "ATOMUADD TEMP[0].x, HWATOMIC[1][ADDR[0].x+2], IMM[0].xxxx, IMM[1].zzzz\n"
                "LOAD TEMP[1].x, HWATOMIC[1][2], IMM[0].xxxx\n"
                "STORE MEMORY[0].x, IMM[0].xxxx, TEMP[1].xxxx\n"
                "ATOMUADD TEMP[0].x, HWATOMIC[0][0], IMM[0].xxxx, IMM[1].zzzz");
    bench.run();
    CHECK(bench.counters == std::vector<uint32_t>{0, 0, 3, 5});
    CHECK(shared_word(bench, 0) == 3);
}

TEST_CASE("helpers and killed lanes leave memory alone") {
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\n"
        "IMM[0] UINT32 {0, 1, 4, 0}\nKILL_IF IN[0].xxxx\n"
        "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
        "STORE BUFFER[0].x, IMM[0].zzzz, IMM[0].yyyy\nMOV OUT[0].x, TEMP[0].xxxx\nEND\n");
    Group group = make_group(interpreter, 4);
    std::vector<uint32_t> words(2);
    group.buffers = {{reinterpret_cast<uint8_t*>(words.data()), 8}};
    group.invocations[0].inputs[0] = floats(-1);
    group.invocations[1].helper = true;
    run_good(interpreter, group);
    CHECK(words == std::vector<uint32_t>{2, 1});
    CHECK(group.invocations[1].outputs[0][0] == 0);
    CHECK(group.invocations[3].outputs[0][0] == 1);
}

TEST_CASE("a barrier waits for every lane, also inside loops") {
    // Each lane writes its slot, then reads that of the next lane. A loop does it twice, and lanes
    // take different paths to the barrier.
    Bench bench("UMUL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\nUADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n"
                "AND TEMP[0].y, TEMP[0].yyyy, IMM[1].yyyy\nUMUL TEMP[0].y, TEMP[0].yyyy, "
                "IMM[0].zzzz\nBGNLOOP\nUIF SV[0].xxxx\nNOP\nNOP\nENDIF\n"
                "UADD TEMP[1].x, SV[0].xxxx, TEMP[1].xxxx\n"
                "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nBARRIER\n"
                "LOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy\nBARRIER\n"
                "UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\nUSGE TEMP[2].y, TEMP[2].xxxx, "
                "IMM[1].yyyy\nUIF TEMP[2].yyyy\nBRK\nENDIF\nENDLOOP\n"
                "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx",
                4);
    bench.run();
    std::array<uint32_t, 4> expected{};
    for (int round = 0; round < 3; ++round) {
        std::array<uint32_t, 4> written{};
        for (uint32_t i = 0; i < 4; ++i)
            written[i] = i + expected[i];
        for (uint32_t i = 0; i < 4; ++i)
            expected[i] = written[(i + 1) % 4];
    }
    for (uint32_t i = 0; i < 4; ++i)
        CHECK(shared_word(bench, i) == expected[i]);
}

TEST_CASE("private memory belongs to its lane, constant buffers are read by bytes") {
    Bench bench("STORE MEMORY[1].x, IMM[0].xxxx, SV[0].xxxx\nLOAD TEMP[0].x, MEMORY[1], "
                "IMM[0].xxxx\nUMUL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n"
                "LOAD TEMP[2].x, CONSTBUF[0], TEMP[1].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, "
                "TEMP[2].xxxx\nSTORE MEMORY[0].x, TEMP[1].xxxx, TEMP[0].xxxx",
                3);
    const std::vector<uint32_t> constants{10, 20};
    bench.group.constants = {constants};
    bench.run();
    CHECK(shared_word(bench, 0) == 10);
    CHECK(shared_word(bench, 1) == 21);
    CHECK(shared_word(bench, 2) == 2);
}

TEST_CASE("images: loads and stores convert, atomics work on words, edges are safe") {
    auto words = MemoryTexture::create("R32_UINT", {.width = 4, .height = 2});
    auto colors = MemoryTexture::create("R8G8B8A8_UNORM", {.width = 2, .height = 2, .depth = 3});
    REQUIRE(words.has_value());
    REQUIRE(colors.has_value());
    MemoryImages images;
    images.images = {&*words, &*colors};
    Bench bench("ATOMUADD TEMP[0].x, IMAGE[0], IMM[0].yyyy, IMM[1].yyyy, 2D, PIPE_FORMAT_R32_UINT\n"
                "ATOMUADD TEMP[0].x, IMAGE[0], IMM[0].wwww, IMM[1].yyyy, 2D, PIPE_FORMAT_R32_UINT\n"
                "STORE IMAGE[1], IMM[0].xyyy, IMM[1].xxxx, 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM\n"
                "STORE IMAGE[1], IMM[0].xyzz, IMM[1].xxxx, 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM\n"
                "LOAD TEMP[1], IMAGE[1], IMM[0].xyyy, 2D_ARRAY, PIPE_FORMAT_R8G8B8A8_UNORM\n"
                "LOAD TEMP[2], IMAGE[0], IMM[0].yyyy, 2D\nLOAD TEMP[3], IMAGE[0], IMM[0].zzzz\n"
                "STORE MEMORY[0].xy, IMM[0].xxxx, TEMP[1].xwww\n"
                "STORE MEMORY[0], IMM[0].wwww, TEMP[2]\nRESQ TEMP[1], IMAGE[1], 2D_ARRAY\n"
                "UADD TEMP[3].x, IMM[0].wwww, IMM[0].wwww\nSTORE MEMORY[0], TEMP[3].xxxx, TEMP[1]");
    bench.group.images = &images;
    bench.run();
    CHECK(words->texel(0, {1, 1, 0}, 0)[0] == 3);
    CHECK(*colors->address(0, {0, 1, 1}) == 0xFF);
    CHECK(shared_word(bench, 0) == 0x3F800000);
    CHECK(shared_word(bench, 1) == 0x3F800000);
    CHECK(shared_word(bench, 4) == 3);  // R32_UINT: 3, 0, 0, 1
    CHECK(shared_word(bench, 7) == 1);
    CHECK(shared_word(bench, 8) == 2);  // width, height, layers, samples
    CHECK(shared_word(bench, 9) == 2);
    CHECK(shared_word(bench, 10) == 3);
    CHECK(shared_word(bench, 11) == 1);
}

TEST_CASE("nothing bound reads as 0 and takes nothing") {
    Bench bench("LOAD TEMP[0], IMAGE[0], IMM[0], 2D\nSTORE IMAGE[0], IMM[0], IMM[1], 2D\n"
                "ATOMUADD TEMP[1].x, IMAGE[0], IMM[0], IMM[1].xxxx, 2D\n"
                "RESQ TEMP[2], IMAGE[0], 2D\nUADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
                "STORE MEMORY[0], IMM[0].xxxx, TEMP[0]");
    bench.run();
    CHECK(shared_word(bench, 0) == 0);
}
