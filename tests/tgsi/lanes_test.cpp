// Lanes test: checks derivatives, votes, ballots, system values and interpolation across lanes.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

/// Runs lanes with these values of IN[0]; returns OUT[0] of each.
std::vector<Word4> run(const std::string& body, const std::vector<Word4>& inputs) {
    const Interpreter interpreter =
        make_interpreter("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n"
                         "IMM[0] UINT32 {0, 1, 2, 17}\n" +
                         body + "\nEND\n");
    Group group = make_group(interpreter, inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i)
        group.invocations[i].inputs[0] = inputs[i];
    run_good(interpreter, group);
    std::vector<Word4> out;
    for (const Invocation& lane : group.invocations)
        out.push_back(lane.outputs[0]);
    return out;
}

constexpr uint32_t kTrue = 0xFFFFFFFF;

}  // namespace

TEST_CASE("derivatives are the differences of rows and columns of each quad") {
    // Lane bit 0 is x, bit 1 is y.
    const std::vector<Word4> in{floats(1), floats(4), floats(20), floats(70),
                                floats(0), floats(1), floats(0),  floats(5)};
    for (const char* opcode : {"DDX", "DDX_FINE"}) {
        const auto out = run(std::string(opcode) + " OUT[0].x, IN[0]", in);
        const float wanted[] = {3, 3, 50, 50, 1, 1, 5, 5};
        for (size_t i = 0; i < 8; ++i)
            CHECK(out[i][0] == bits(wanted[i]));
    }
    for (const char* opcode : {"DDY", "DDY_FINE"}) {
        const auto out = run(std::string(opcode) + " OUT[0].x, -IN[0]", in);
        const float wanted[] = {-19, -66, -19, -66, 0, -4, 0, -4};
        for (size_t i = 0; i < 8; ++i)
            CHECK(out[i][0] == bits(wanted[i]));
    }
}

TEST_CASE("lanes that do not run count as 0 in derivatives") {
    const auto out = run("SNE TEMP[0].x, IN[0].yyyy, IMM[0].xxxx\nIF TEMP[0].xxxx\n"
                         "DDX OUT[0].x, IN[0]\nENDIF",
                         {floats(5, 1), floats(7, 0), floats(1, 1), floats(2, 1)});
    CHECK(out[0][0] == bits(-5.0F));
    CHECK(out[1][0] == 0);
    CHECK(out[2][0] == bits(1.0F));
}

TEST_CASE("votes are taken by component among the running lanes of 16") {
    std::vector<Word4> in(20, Word4{1, 0, 7, 5});
    in[3] = {1, 1, 7, 6};
    in[17] = {0, 0, 7, 5};
    auto out = run("VOTE_ALL OUT[0], IN[0]", in);
    CHECK(out[0] == Word4{kTrue, 0, kTrue, kTrue});
    CHECK(out[19] == Word4{0, 0, kTrue, kTrue});
    out = run("VOTE_ANY OUT[0], IN[0]", in);
    CHECK(out[0] == Word4{kTrue, kTrue, kTrue, kTrue});
    CHECK(out[19] == Word4{kTrue, 0, kTrue, kTrue});
    out = run("VOTE_EQ OUT[0], IN[0]", in);
    CHECK(out[0] == Word4{kTrue, 0, kTrue, 0});
    CHECK(out[19] == Word4{0, kTrue, kTrue, kTrue});
}

TEST_CASE("ballots number their bits from the first lane of 16") {
    std::vector<Word4> in(18, Word4{});
    in[0][0] = in[2][0] = in[15][0] = in[17][0] = 4;
    const auto out = run("BALLOT OUT[0].xy, IN[0].xxxx", in);
    CHECK(out[5] == Word4{0x8005, 0, 0, 0});
    CHECK(out[16] == Word4{2, 0, 0, 0});
}

TEST_CASE("READ_FIRST takes the lowest running lane, READ_INVOC the one that is named") {
    const std::vector<Word4> in{{0, 10, 0, 0}, {1, 11, 0, 0}, {1, 12, 2, 0}, {1, 13, 0, 0}};
    auto out = run("UIF IN[0].xxxx\nREAD_FIRST OUT[0], IN[0].yyyy\nENDIF", in);
    CHECK(out[0][0] == 0);
    CHECK(out[3][0] == 11);
    out = run("READ_INVOC OUT[0], IN[0].yyyy, IMM[0].zzzz", in);
    CHECK(out[0][0] == 12);
    // Modulo 16; 0 from lanes that do not run.
    out = run("READ_INVOC OUT[0], IN[0].yyyy, IMM[0].wwww", in);
    CHECK(out[3][0] == 11);
    out = run("UIF IN[0].xxxx\nREAD_INVOC OUT[0], IN[0].yyyy, IMM[0].xxxx\nENDIF", in);
    CHECK(out[3][0] == 0);
}

TEST_CASE("subgroup values and the helper flag are made by the interpreter") {
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL SV[0], SUBGROUP_SIZE\nDCL SV[1], SUBGROUP_INVOCATION\n"
        "DCL SV[2], SUBGROUP_EQ_MASK\nDCL SV[3], SUBGROUP_GE_MASK\nDCL SV[4], SUBGROUP_GT_MASK\n"
        "DCL SV[5], SUBGROUP_LE_MASK\nDCL SV[6], SUBGROUP_LT_MASK\nDCL SV[7], HELPER_INVOCATION\n"
        "DCL SV[8], FACE\nDCL OUT[0..2], COLOR\n"
        "MOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, SV[1].xxxx\nMOV OUT[0].z, SV[2].xxxx\n"
        "MOV OUT[0].w, SV[7].xxxx\nMOV OUT[1].x, SV[3].xxxx\nMOV OUT[1].y, SV[4].xxxx\n"
        "MOV OUT[1].z, SV[5].xxxx\nMOV OUT[1].w, SV[6].xxxx\nMOV OUT[2], SV[8]\nEND\n");
    Group group = make_group(interpreter, 20);
    group.invocations[18].helper = true;
    group.invocations[18].system_values[8] = {1, 2, 3, 4};
    run_good(interpreter, group);
    const auto& out = group.invocations[18].outputs;
    CHECK(out[0] == Word4{16, 2, 4, kTrue});
    CHECK(out[1] == Word4{0xFFFC, 0xFFF8, 7, 3});
    CHECK(out[2] == Word4{1, 2, 3, 4});
}

TEST_CASE("INTERP_* ask the interpolator; swizzle and modifiers apply to its answer") {
    class Recorder final : public Interpolator {
    public:
        Word4 at_centroid(uint32_t lane, uint32_t input) override {
            return {100 + lane, input, 3, 4};
        }
        Word4 at_sample(uint32_t, uint32_t input, uint32_t sample) override {
            return {200 + sample, input, 3, 4};
        }
        Word4 at_offset(uint32_t, uint32_t input, uint32_t x, uint32_t y) override {
            return {x, y, input, 4};
        }
    };
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL IN[0..3], GENERIC[0], LINEAR\nDCL OUT[0..2], COLOR\nIMM[0] UINT32 {5, 6, 0, 0}\n"
        "INTERP_CENTROID OUT[0], IN[3]\nINTERP_SAMPLE OUT[1], -IN[2].yxxx, IMM[0].xxxx\n"
        "INTERP_OFFSET OUT[2], IN[1], IMM[0].yxxx\nEND\n");
    Group group = make_group(interpreter, 2);
    Recorder recorder;
    group.interpolator = &recorder;
    run_good(interpreter, group);
    CHECK(group.invocations[1].outputs[0] == Word4{101, 3, 3, 4});
    CHECK(group.invocations[1].outputs[1] == Word4{0x80000002, 0x800000CD, 0x800000CD, 0x800000CD});
    CHECK(group.invocations[1].outputs[2] == Word4{6, 5, 1, 4});
    group.interpolator = nullptr;
    group.invocations[0].inputs[3] = {9, 8, 7, 6};
    run_good(interpreter, group);
    CHECK(group.invocations[0].outputs[0] == Word4{9, 8, 7, 6});
}

TEST_CASE("FBFETCH, CLOCK, sample positions and handles") {
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL OUT[0..3], COLOR\nDCL SAMP[0..7]\nDCL TEMP[0]\nIMM[0] UINT32 {1, 9, 0, 0}\n"
        "FBFETCH OUT[0], OUT[1]\nCLOCK OUT[1].xy\nSAMPLE_POS OUT[2].xy, TEMP[0], IMM[0].xxxx\n"
        "SAMPLE_POS OUT[2].zw, TEMP[0].xyxy, IMM[0].yyyy\nSAMPLE_INFO OUT[3].x, TEMP[0]\n"
        "SAMP2HND OUT[3].zw, SAMP[5], 2D\nEND\n");
    Group group = make_group(interpreter, 1);
    group.samples = 4;
    group.invocations[0].framebuffer = {{}, {1, 2, 3, 4}};
    run_good(interpreter, group);
    const auto& out = group.invocations[0].outputs;
    CHECK(out[0] == Word4{1, 2, 3, 4});
    CHECK(out[1] == Word4{});
    CHECK(out[2] == floats(14.0F / 16, 6.0F / 16, 0.5F, 0.5F));
    CHECK(out[3][0] == 4);
}
