// Group test: checks work-groups with shared memory and barriers against the TGSI interpreter.
// SPDX-License-Identifier: MIT
#include "base/host_level.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <numeric>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// A case: the text of a shader and the groups that run it.
struct GroupCase {
    GroupCase(const std::array<uint32_t, 3>& block,
              const std::array<uint32_t, 3>& grid,
              uint32_t shared_bytes,
              const std::string& body) {
        text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH " + std::to_string(block[0]) +
               "\nPROPERTY CS_FIXED_BLOCK_HEIGHT " + std::to_string(block[1]) +
               "\nPROPERTY CS_FIXED_BLOCK_DEPTH " + std::to_string(block[2]) +
               "\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\n"
               "DCL SV[3], BLOCK_SIZE\nDCL BUFFER[0..1]\nDCL MEMORY[1], SHARED\n"
               "DCL TEMP[0..7]\nIMM[0] UINT32 {0, 4, 1, 2}\nIMM[1] UINT32 {3, 7, 15, 8}\n"
               "IMM[2] UINT32 {4294967295, 60, 64, 256}\n" +
               program_lines(kIndex + body);
        in.groups = {block, grid, shared_bytes};
        in.memory.buffers = {std::vector<uint32_t>(2048), std::vector<uint32_t>(4096)};
        std::mt19937 random(7);
        for (uint32_t& word : in.memory.buffers[0])
            word = random() % 4096;
    }

    /// Runs all engines; the results must agree.
    ShaderOutputs run() const {
        const tgsi::Shader shader = parse_shader(text);
        const ShaderOutputs expected = run_tgsi(shader, in);
        const ShaderOutputs actual = run_valhall(shader, in);
        const std::string difference = compare_outputs(expected, actual);
        CHECK_MESSAGE(difference.empty(), text, difference);
        CHECK(actual.refusal == "");
        return actual;
    }
    /// Words of buffer 1 at the end.
    [[nodiscard]] std::vector<uint32_t> result(size_t count) const {
        const ShaderOutputs out = run();
        return {out.memory.buffers[1].begin(),
                out.memory.buffers[1].begin() + static_cast<int64_t>(count)};
    }
    [[nodiscard]] const std::vector<uint32_t>& input() const { return in.memory.buffers[0]; }

    std::string text;
    ShaderInputs in;

private:
    /// TEMP[0].x: number of the invocation in its group, .y: 4 times that; .z: number of the
    /// invocation in all groups, .w: 4 times that.
    static constexpr char kIndex[] =
        "UMAD TEMP[0].x, SV[0].zzzz, SV[3].yyyy, SV[0].yyyy\n"
        "UMAD TEMP[0].x, TEMP[0].xxxx, SV[3].xxxx, SV[0].xxxx\n"
        "UMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n"
        "UMAD TEMP[1].x, SV[1].zzzz, SV[2].yyyy, SV[1].yyyy\n"
        "UMAD TEMP[1].x, TEMP[1].xxxx, SV[2].xxxx, SV[1].xxxx\n"
        "UMUL TEMP[1].y, SV[3].xxxx, SV[3].yyyy\nUMUL TEMP[1].y, TEMP[1].yyyy, SV[3].zzzz\n"
        "UMAD TEMP[0].z, TEMP[1].xxxx, TEMP[1].yyyy, TEMP[0].xxxx\n"
        "UMUL TEMP[0].w, TEMP[0].zzzz, IMM[0].yyyy\n";
};

std::vector<uint32_t> words_of(const std::vector<uint8_t>& bytes) {
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
}

/// Adds up the inputs 0..n for each invocation n of the group: in round d each adds what the one d
/// before it has.
constexpr char kPrefixSum[] =
    "LOAD TEMP[2].x, BUFFER[0], TEMP[0].wwww\nSTORE MEMORY[0].x, TEMP[0].yyyy, TEMP[2].xxxx\n"
    "MOV TEMP[3].x, IMM[0].zzzz\nBGNLOOP\nUSGE TEMP[3].y, TEMP[3].xxxx, TEMP[1].yyyy\n"
    "UIF TEMP[3].yyyy\nBRK\nENDIF\nMEMBAR IMM[1].wwww\nBARRIER\nMOV TEMP[4].x, IMM[0].xxxx\n"
    "USGE TEMP[3].y, TEMP[0].xxxx, TEMP[3].xxxx\nUIF TEMP[3].yyyy\n"
    "UMUL TEMP[3].z, TEMP[3].xxxx, IMM[0].yyyy\nINEG TEMP[3].z, TEMP[3].zzzz\n"
    "UADD TEMP[3].z, TEMP[0].yyyy, TEMP[3].zzzz\nLOAD TEMP[4].x, MEMORY[0], TEMP[3].zzzz\nENDIF\n"
    "MEMBAR IMM[1].wwww\nBARRIER\nUADD TEMP[2].x, TEMP[2].xxxx, TEMP[4].xxxx\n"
    "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[2].xxxx\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[3].xxxx\n"
    "ENDLOOP\nSTORE BUFFER[1].x, TEMP[0].wwww, TEMP[2].xxxx";

void check_prefix_sum(const std::array<uint32_t, 3>& block, const std::array<uint32_t, 3>& grid) {
    const uint32_t invocations = block[0] * block[1] * block[2];
    const uint32_t groups = grid[0] * grid[1] * grid[2];
    const GroupCase test(block, grid, invocations * 4, kPrefixSum);
    std::vector<uint32_t> expected(size_t{invocations} * groups);
    for (uint32_t g = 0; g < groups; ++g) {
        const auto first = static_cast<int64_t>(g) * invocations;
        std::partial_sum(test.input().begin() + first, test.input().begin() + first + invocations,
                         expected.begin() + first);
    }
    CHECK(test.result(expected.size()) == expected);
}

}  // namespace

TEST_CASE("invocations know their place in groups of any shape") {
    for (const std::array<uint32_t, 3>& block :
         {std::array{1U, 1U, 1U}, {16U, 1U, 1U}, {5U, 3U, 2U}, {1U, 1U, 40U}, {7U, 9U, 1U}}) {
        const GroupCase test(block, {3, 2, 2}, 0,
                             "SHL TEMP[2].x, SV[0].zzzz, IMM[1].wwww\n"
                             "UADD TEMP[2].x, TEMP[2].xxxx, SV[0].yyyy\n"
                             "SHL TEMP[2].x, TEMP[2].xxxx, IMM[1].wwww\n"
                             "UADD TEMP[2].x, TEMP[2].xxxx, SV[0].xxxx\n"
                             "STORE BUFFER[1].x, TEMP[0].wwww, TEMP[2].xxxx");
        const uint32_t invocations = block[0] * block[1] * block[2];
        test.run();
        const std::vector<uint32_t> result = test.result(size_t{invocations} * 12);
        for (uint32_t n = 0; n < result.size(); ++n) {
            const uint32_t l = n % invocations;
            CHECK(result[n] ==
                  (l % block[0] | l / block[0] % block[1] << 8 | l / block[0] / block[1] << 16));
        }
    }
}

TEST_CASE("a histogram in shared memory") {
    const GroupCase test({64, 1, 1}, {8, 1, 1}, 64,
                         "LOAD TEMP[2].x, BUFFER[0], TEMP[0].wwww\n"
                         "AND TEMP[2].y, TEMP[2].xxxx, IMM[1].zzzz\n"
                         "UMUL TEMP[2].y, TEMP[2].yyyy, IMM[0].yyyy\n"
                         "ATOMUADD TEMP[3].x, MEMORY[0], TEMP[2].yyyy, IMM[0].zzzz\nBARRIER\n"
                         "USGE TEMP[3].x, IMM[1].zzzz, TEMP[0].xxxx\nUIF TEMP[3].xxxx\n"
                         "LOAD TEMP[3].y, MEMORY[0].xxxx, TEMP[0].yyyy\n"
                         "ATOMUADD TEMP[3].z, BUFFER[1], TEMP[0].yyyy, TEMP[3].yyyy\nENDIF");
    std::vector<uint32_t> expected(16);
    for (size_t i = 0; i < 512; ++i)
        ++expected[test.input()[i] % 16];
    CHECK(test.result(16) == expected);
}

TEST_CASE("a prefix sum with barriers in a loop") {
    check_prefix_sum({16, 1, 1}, {1, 1, 1});
    check_prefix_sum({64, 1, 1}, {4, 1, 1});
    check_prefix_sum({100, 1, 1}, {3, 1, 1});  // the last warp has 4 lanes
    check_prefix_sum({5, 1, 1}, {2, 2, 2});
    check_prefix_sum({4, 5, 6}, {2, 2, 1});
    check_prefix_sum({1024, 1, 1}, {2, 1, 1});
    check_prefix_sum({32, 32, 1}, {1, 1, 1});
}

TEST_CASE("a barrier in a branch that all invocations take") {
    const char* const body =
        "LOAD TEMP[2].x, BUFFER[0], IMM[0].xxxx\nSTORE MEMORY[0].x, TEMP[0].yyyy, TEMP[0].xxxx\n"
        "USGE TEMP[3].x, TEMP[2].xxxx, IMM[0].zzzz\nUIF TEMP[3].xxxx\nBARRIER\n"
        "INEG TEMP[3].y, TEMP[0].yyyy\nUADD TEMP[3].y, TEMP[3].yyyy, IMM[2].yyyy\n"
        "LOAD TEMP[4].x, MEMORY[0], TEMP[3].yyyy\nSTORE BUFFER[1].x, TEMP[0].wwww, TEMP[4].xxxx\n"
        "ENDIF";
    for (const uint32_t taken : {0U, 1U}) {
        GroupCase test({16, 1, 1}, {1, 1, 1}, 64, body);
        test.in.memory.buffers[0][0] = taken;
        const std::vector<uint32_t> result = test.result(16);
        for (uint32_t n = 0; n < 16; ++n)
            CHECK(result[n] == (taken != 0 ? 15 - n : 0));
    }
    GroupCase wide({128, 1, 1}, {2, 1, 1}, 512, body);
    wide.in.memory.buffers[0][0] = 9;
    wide.run();
}

TEST_CASE("invocations that have ended count as arrived") {
    // The barrier comes behind the end of invocations 24 to 63: half of a warp and two more.
    const GroupCase test({64, 1, 1}, {1, 1, 1}, 256,
                         "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[0].xxxx\n"
                         "UADD TEMP[2].x, IMM[1].wwww, IMM[1].zzzz\n"
                         "USLT TEMP[2].y, TEMP[2].xxxx, TEMP[0].xxxx\n"
                         "UIF TEMP[2].yyyy\nRET\nENDIF\nBARRIER\n"
                         "XOR TEMP[2].z, TEMP[0].yyyy, IMM[2].yyyy\n"
                         "LOAD TEMP[3].x, MEMORY[0], TEMP[2].zzzz\n"
                         "UADD TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\n"
                         "STORE BUFFER[1].x, TEMP[0].wwww, TEMP[3].xxxx");
    const std::vector<uint32_t> result = test.result(64);
    for (uint32_t n = 0; n < 64; ++n)
        CHECK(result[n] == (n <= 23 ? (n ^ 15) + 1 : 0));
}

TEST_CASE("lanes at different barriers of a divergent branch do not hang") {
    const GroupCase test({40, 1, 1}, {1, 1, 1}, 256,
                         "AND TEMP[2].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[2].xxxx\n"
                         "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[0].xxxx\nBARRIER\n"
                         "XOR TEMP[2].y, TEMP[0].yyyy, IMM[0].yyyy\n"
                         "LOAD TEMP[3].x, MEMORY[0], TEMP[2].yyyy\nELSE\n"
                         "UADD TEMP[2].z, TEMP[0].xxxx, IMM[1].wwww\n"
                         "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[2].zzzz\nBARRIER\n"
                         "XOR TEMP[2].y, TEMP[0].yyyy, IMM[0].yyyy\n"
                         "LOAD TEMP[3].x, MEMORY[0], TEMP[2].yyyy\nENDIF\n"
                         "STORE BUFFER[1].x, TEMP[0].wwww, TEMP[3].xxxx");
    const std::vector<uint32_t> result = test.result(40);
    for (uint32_t n = 0; n < 40; ++n)
        CHECK(result[n] == (n % 2 != 0 ? n - 1 + 8 : n + 1));
}

TEST_CASE("accesses outside of shared memory read 0 and change nothing") {
    // 32 invocations, 16 bytes apart from byte 0 on, in memory of 200 bytes.
    const GroupCase test({32, 1, 1}, {2, 1, 1}, 200,
                         "UMUL TEMP[2].x, TEMP[0].yyyy, IMM[0].yyyy\n"
                         "UADD TEMP[3].xyzw, TEMP[0].xxxx, IMM[1].xyzw\n"
                         "STORE MEMORY[0].xyzw, TEMP[2].xxxx, TEMP[3]\n"
                         "ATOMUADD TEMP[4].x, MEMORY[0], TEMP[2].xxxx, IMM[0].zzzz\n"
                         "ATOMUADD TEMP[4].y, MEMORY[0], IMM[2].xxxx, IMM[0].zzzz\nBARRIER\n"
                         "LOAD TEMP[5], MEMORY[0], TEMP[2].xxxx\n"
                         "UADD TEMP[5].x, TEMP[5].xxxx, TEMP[5].yyyy\n"
                         "UADD TEMP[5].x, TEMP[5].xxxx, TEMP[5].zzzz\n"
                         "UADD TEMP[5].x, TEMP[5].xxxx, TEMP[5].wwww\n"
                         "RESQ TEMP[6].x, MEMORY[0]\n"
                         "UADD TEMP[5].x, TEMP[5].xxxx, TEMP[6].xxxx\n"
                         "STORE BUFFER[1].x, TEMP[0].wwww, TEMP[5].xxxx");
    const std::vector<uint32_t> result = test.result(64);
    for (uint32_t n = 0; n < 32; ++n) {
        const uint32_t whole = 4 * n + 3 + 7 + 15 + 8 + 1;
        // Invocation 12's four words are not wholly inside, but the word of its atomic is.
        CHECK(result[n] == 200 + (n < 12 ? whole : 0));
    }
    const std::vector<uint32_t> shared = words_of(test.run().shared);
    CHECK(shared[48] == 1);
    CHECK(shared[49] == 0);
}

TEST_CASE("shared memory is zero at the start of each group, and there may be none") {
    const char* const body =
        "ATOMUADD TEMP[2].x, MEMORY[0], IMM[0].xxxx, IMM[0].zzzz\nBARRIER\n"
        "LOAD TEMP[3].x, MEMORY[0], IMM[0].xxxx\nSTORE BUFFER[1].x, TEMP[0].wwww, TEMP[3].xxxx";
    CHECK(GroupCase({20, 1, 1}, {3, 1, 1}, 4, body).result(60) == std::vector<uint32_t>(60, 20));
    CHECK(GroupCase({20, 1, 1}, {3, 1, 1}, 0, body).result(60) == std::vector<uint32_t>(60, 0));
    CHECK(GroupCase({20, 1, 1}, {3, 1, 1}, 3, body).result(60) == std::vector<uint32_t>(60, 0));
    CHECK(GroupCase({20, 1, 1}, {2, 1, 1}, 32768, body).result(40) ==
          std::vector<uint32_t>(40, 20));
}

TEST_CASE("every atomic works on shared memory") {
    for (const char* opcode :
         {"ATOMUADD", "ATOMXCHG", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN", "ATOMUMAX",
          "ATOMIMIN", "ATOMIMAX", "ATOMFADD", "ATOMINC_WRAP", "ATOMDEC_WRAP"}) {
        // Each invocation has its own word, so that the order does not matter.
        GroupCase({48, 1, 1}, {1, 1, 1}, 160,
                  "LOAD TEMP[2].xy, BUFFER[0], TEMP[0].yyyy\n"
                  "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[2].xxxx\n" +
                      std::string(opcode) +
                      " TEMP[3].x, MEMORY[0], TEMP[0].yyyy, TEMP[2].yyyy\n"
                      "STORE BUFFER[1].x, TEMP[0].wwww, TEMP[3].xxxx")
            .run();
    }
    GroupCase({48, 1, 1}, {1, 1, 1}, 160,
              "LOAD TEMP[2].x, BUFFER[0], TEMP[0].yyyy\nAND TEMP[2].y, TEMP[2].xxxx, IMM[1].yyyy\n"
              "STORE MEMORY[0].x, TEMP[0].yyyy, TEMP[2].xxxx\n"
              "ATOMCAS TEMP[3].x, MEMORY[0], TEMP[0].yyyy, TEMP[2].yyyy, TEMP[0].xxxx\n"
              "STORE BUFFER[1].x, TEMP[0].wwww, TEMP[3].xxxx")
        .run();
}

TEST_CASE("groups that are too large are refused, and so is too much shared memory") {
    const auto error = [](const std::array<uint32_t, 3>& block, uint32_t shared_bytes) {
        const GroupCase test(block, {1, 1, 1}, shared_bytes, "BARRIER");
        valhall::CompileOptions options;
        options.shared_bytes = shared_bytes;
        const auto program = valhall::compile(parse_shader(test.text), options);
        return program ? std::string() : program.error().text;
    };
    CHECK(error({32, 32, 1}, 32768).empty());
    CHECK(error({33, 32, 1}, 0) == "a work-group of more than 1024 invocations");
    CHECK(error({65535, 65535, 65535}, 0) == "a work-group of more than 1024 invocations");
    CHECK(error({1, 1, 1}, 32769) == "more than 32768 bytes of shared memory");
}

TEST_CASE("programs say the size of their groups and of shared memory") {
    const GroupCase test({5, 6, 7}, {1, 1, 1}, 100, "BARRIER");
    valhall::CompileOptions options;
    options.shared_bytes = 100;
    const auto program = valhall::compile(parse_shader(test.text), options);
    REQUIRE(program.has_value());
    const exec::ComputeInfo& compute = program->info.compute;
    CHECK(std::ranges::equal(compute.block, std::array{5U, 6U, 7U}));
    CHECK(compute.shared_bytes == 100);
}
