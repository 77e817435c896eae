// Flow test: checks control flow, indirect addressing, divergence and reconvergence.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

/// Returns OUT[0].x of each lane; IN[0].x is the lane's number.
std::vector<uint32_t> run(const std::string& body, size_t lanes = 4) {
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n"
        "DCL TEMP[4..7], ARRAY(1)\nDCL ADDR[0]\nDCL CONST[0..3]\n"
        "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {4, 5, 10, 100}\n" +
        body);
    Group group = make_group(interpreter, lanes);
    const std::vector<uint32_t> constants{10, 11, 12, 13, 20, 21, 22, 23};
    group.constants = {constants};
    for (uint32_t i = 0; i < lanes; ++i)
        group.invocations[i].inputs[0] = {i, i, i, i};
    run_good(interpreter, group);
    std::vector<uint32_t> out;
    for (const Invocation& lane : group.invocations)
        out.push_back(lane.outputs[0][0]);
    return out;
}

using Values = std::vector<uint32_t>;

}  // namespace

TEST_CASE("IF compares as a float, UIF by bits") {
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 2, 0, 0}\n"
        "IF IN[0].xxxx\nMOV OUT[0].x, IMM[0].xxxx\nELSE\nMOV OUT[0].x, IMM[0].yyyy\nENDIF\n"
        "UIF IN[0].xxxx\nMOV OUT[0].y, IMM[0].xxxx\nENDIF\nEND\n");
    Group group = make_group(interpreter, 5);
    const uint32_t values[] = {0, 0x80000000, 0x7FC00000, 1, 0x3F800000};
    for (size_t i = 0; i < 5; ++i)
        group.invocations[i].inputs[0] = {values[i], 0, 0, 0};
    run_good(interpreter, group);
    const uint32_t by_float[] = {2, 2, 1, 1, 1};  // -0 is false, NaN and subnormals are true
    const uint32_t by_bits[] = {0, 1, 1, 1, 1};
    for (size_t i = 0; i < 5; ++i) {
        CHECK(group.invocations[i].outputs[0][0] == by_float[i]);
        CHECK(group.invocations[i].outputs[0][1] == by_bits[i]);
    }
}

TEST_CASE("lanes leave a loop one by one") {
    CHECK(run("BGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
              "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\n"
              "UMUL OUT[0].x, TEMP[0].xxxx, IMM[1].zzzz\nEND\n",
              6) == Values{0, 10, 20, 30, 40, 50});
}

TEST_CASE("CONT goes to the next round, BRK leaves the innermost loop only") {
    // Sum of the odd numbers below 10, three times.
    CHECK(run("BGNLOOP\nUSGE TEMP[1].x, TEMP[0].yyyy, IMM[0].wwww\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
              "UADD TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\nMOV TEMP[0].x, IMM[0].xxxx\n"
              "BGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
              "USGE TEMP[1].x, TEMP[0].xxxx, IMM[1].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
              "AND TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[1].xxxx\nELSE\nCONT\nENDIF\n"
              "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[0].xxxx\nENDLOOP\nENDLOOP\n"
              "MOV OUT[0].x, TEMP[2].xxxx\nEND\n",
              1) == Values{75});
}

TEST_CASE("lanes that CONT begin the next round together with the others") {
    // In each of three iterations, the ballot at the start includes both lanes, although one of
    // them executes CONT.
    CHECK(run("BGNLOOP\nBALLOT TEMP[2].x, IMM[0].yyyy\n"
              "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[2].xxxx\n"
              "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
              "USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
              "UIF IN[0].xxxx\nCONT\nENDIF\nUADD TEMP[4].x, TEMP[4].xxxx, IMM[0].yyyy\n"
              "ENDLOOP\nMOV OUT[0].x, TEMP[3].xxxx\nEND\n",
              2) == Values{9, 9});
}

TEST_CASE("SWITCH falls through, and DEFAULT may stand anywhere") {
    const std::string body =
        "SWITCH IN[0].xxxx\nCASE IMM[0].yyyy\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
        "DEFAULT\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[1].zzzz\n"
        "CASE IMM[0].zzzz\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[1].wwww\nBRK\n"
        "CASE IMM[0].wwww\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nENDSWITCH\n"
        "MOV OUT[0].x, TEMP[0].xxxx\nEND\n";
    // 0: default, 1: 1 + 10 + 100, 2: 100, 3: 2, 4: default.
    CHECK(run(body, 5) == Values{110, 111, 100, 2, 110});
    CHECK(run("SWITCH IN[0].xxxx\nCASE IMM[0].yyyy\nMOV OUT[0].x, IMM[0].zzzz\nENDSWITCH\nEND\n",
              2) == Values{0, 2});
}

TEST_CASE("subroutines return to their callers and may return early") {
    const std::string body = "CAL :4\nCAL :4\nMOV OUT[0].x, TEMP[0].xxxx\nEND\n"
                             "BGNSUB\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                             "UIF IN[0].xxxx\nRET\nENDIF\nCAL :11\nENDSUB\n"
                             "BGNSUB\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[1].zzzz\nENDSUB\n";
    CHECK(run(body, 2) == Values{22, 2});
    // RET in the main program ends it.
    CHECK(run("MOV OUT[0].x, IMM[0].yyyy\nUIF IN[0].xxxx\nRET\nENDIF\nMOV OUT[0].x, IMM[0].zzzz\n"
              "END\n",
              2) == Values{2, 1});
}

TEST_CASE("lanes meet again behind a call that only some of them make") {
    // A ballot behind the call includes both lanes: calls behave as if inlined.
    CHECK(run("UIF IN[0].xxxx\nCAL :5\nENDIF\nBALLOT OUT[0].x, IMM[0].yyyy\nEND\n"
              "BGNSUB\nMOV TEMP[0].x, IMM[0].yyyy\nENDSUB\n",
              2) == Values{3, 3});
    CHECK(run("UIF IN[0].xxxx\nBALLOT TEMP[0].x, IMM[0].yyyy\nELSE\n"
              "BALLOT TEMP[0].x, IMM[0].yyyy\nENDIF\nMOV OUT[0].x, TEMP[0].xxxx\nEND\n",
              4) == Values{1, 14, 14, 14});
}

TEST_CASE("indirect addressing: offsets, arrays, and 0 for everything outside") {
    CHECK(run("MOV TEMP[4].x, IMM[1].xxxx\nMOV TEMP[5].x, IMM[1].yyyy\nMOV TEMP[6].x, "
              "IMM[1].zzzz\nMOV TEMP[7].x, IMM[1].wwww\nUARL ADDR[0].x, IN[0].xxxx\n"
              "MOV OUT[0].x, TEMP[ADDR[0].x+4](1)\nEND\n",
              6) == Values{4, 5, 10, 100, 0, 0});
    // An index outside of the array is out of bounds, even if that register exists.
    CHECK(run("MOV TEMP[3].x, IMM[0].yyyy\nMOV TEMP[4].x, IMM[0].zzzz\nUARL ADDR[0].x, "
              "IN[0].xxxx\nMOV OUT[0].x, TEMP[ADDR[0].x+3](1)\nEND\n",
              2) == Values{0, 2});
    // Writes out of bounds are dropped.
    CHECK(run("UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x+7](1).x, IMM[0].wwww\n"
              "MOV OUT[0].x, TEMP[7].xxxx\nEND\n",
              3) == Values{3, 0, 0});
    CHECK(run("UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0].x, CONST[ADDR[0].x-1].yyyy\nEND\n", 4) ==
          Values{0, 11, 21, 0});
    CHECK(run("UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0].x, IMM[ADDR[0].x].zzzz\nEND\n", 3) ==
          Values{2, 10, 0});
    CHECK(run("MOV OUT[0].x, CONST[TEMP[1].x+1]\nEND\n", 1) == Values{20});
    CHECK(run("UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0].x, CONST[ADDR[0].x][1].xxxx\nEND\n", 3) ==
          Values{20, 0, 0});
}

TEST_CASE("KILL and KILL_IF turn lanes into helpers; DEMOTE lets them run on") {
    const Interpreter interpreter =
        make_interpreter("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nKILL_IF IN[0]\n"
                         "READ_HELPER OUT[0].x\nDDX OUT[0].y, IN[0].yyyy\nEND\n");
    Group group = make_group(interpreter, 4);
    const float values[][2] = {{1, 10}, {-1, 20}, {0x7FC00000, 0}, {-0.0F, 5}};
    for (size_t i = 0; i < 4; ++i)
        group.invocations[i].inputs[0] = floats(values[i][0], values[i][1]);
    group.invocations[2].inputs[0][0] = 0xFFC00000;
    run_good(interpreter, group);
    CHECK_FALSE(group.invocations[0].killed);
    CHECK(group.invocations[1].killed);
    CHECK_FALSE(group.invocations[2].killed);  // NaN is not negative
    CHECK_FALSE(group.invocations[3].killed);  // nor is -0
    CHECK(group.invocations[1].outputs[0][0] == 0xFFFFFFFF);
    CHECK(group.invocations[0].outputs[0][0] == 0);
    // The neighbour of the killed lane still has a derivative.
    CHECK(group.invocations[0].outputs[0][1] == bits(10.0F));
}

TEST_CASE("a killed lane leaves the loop that killed it") {
    const Interpreter interpreter = make_interpreter(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 0, 0, 0}\n"
        "BGNLOOP\nUIF IN[0].xxxx\nKILL\nENDIF\nBRK\nENDLOOP\nMOV OUT[0].x, IMM[0].xxxx\nEND\n");
    Group group = make_group(interpreter, 2);
    group.invocations[1].inputs[0][0] = 1;
    run_good(interpreter, group);
    CHECK(group.invocations[1].killed);
    CHECK(group.invocations[1].outputs[0][0] == 1);
    // A loop without an exit ends when no lane is left.
    const Interpreter endless =
        make_interpreter("FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nDEMOTE\nENDLOOP\nEND\n");
    Group lonely = make_group(endless, 4);
    CHECK(endless.run(lonely).has_value());
}

TEST_CASE("endless loops and too many registers are errors with a place") {
    InterpreterLimits limits;
    limits.steps = 1000;
    const Shader shader = parse_good("VERT\nDCL TEMP[0..9]\nBGNLOOP\n  NOP\nENDLOOP\nEND\n");
    const auto interpreter = Interpreter::create(shader, limits);
    REQUIRE(interpreter.has_value());
    Group group = make_group(*interpreter, 2);
    const auto result = interpreter->run(group);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == Errc::OutOfRange);
    CHECK(result.error().text == "more than 1000 steps: an endless loop?");
    CHECK(result.error().pos.line >= 4);

    limits.register_bytes = 100;
    const auto small = Interpreter::create(shader, limits);
    REQUIRE(small.has_value());
    CHECK(small->run(group).error().text == "registers need more than 100 bytes");
    Group many;
    many.invocations.resize(5000);
    CHECK_FALSE(interpreter->run(many).has_value());
}

TEST_CASE("shaders that cannot run are refused with a place") {
    CHECK(Interpreter::create(parse_good("VERT\nBRK\nEND\n")).error().pos == SourcePos{2, 1});
    CHECK(Interpreter::create(parse_good("VERT\nNOP\n")).error().text == "END is missing");
}
