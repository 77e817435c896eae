// Console test: checks commands, their short forms, their errors and their output.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/console_fixture.hpp"
#include "tests/app/debug/support.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

constexpr std::string_view kShader = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0]
IMM[0] FLT32 {    0.5000,     0.0000,     0.0000,     0.0000}
  0: MUL TEMP[0], IN[0], CONST[0]
  1: ADD TEMP[0], TEMP[0], IMM[0].xxxx
  2: MOV OUT[0], TEMP[0]
  3: END
)";

std::unique_ptr<Debugger> doubling() {
    DebugInputs inputs = counting_inputs();
    inputs.constants = {0x40000000, 0x40000000, 0x40000000, 0x40000000};  // 2.0
    return make_debugger(kShader, inputs);
}

struct Fixture : ConsoleFixture {
    Fixture()
        : ConsoleFixture(doubling(), true) {}
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "the three listings mark the same place") {
    const std::string text = run("until 8");
    CHECK(has(text, "=>  8   1: ADD TEMP[0]"));
    CHECK(has(text, "line 8, word "));
    CHECK(std::ranges::count(text, '>') >= 3);
}

TEST_CASE_FIXTURE(Fixture, "values are printed by name and lane, in every format") {
    run("until 8");
    const std::string text = run("print IN[0].x");
    CHECK(has(text, "IN[0].x"));
    CHECK(has(run("p CONST[0].y"), " 2\n"));
    CHECK(has(run("p/x CONST[0].y"), "40000000"));
    CHECK(has(run("p CONST[0].y/d"), "1073741824"));
    CHECK(has(run("p IMM[0].x"), "0.5"));
    CHECK(has(run("p OUT[0].x"), "not written"));
    run("goto end");
    CHECK(has(run("p TEMP[0]"), "ended"));
}

TEST_CASE_FIXTURE(Fixture, "watches are shown after each stop until they are taken away") {
    CHECK(has(run("watch IN[0].w"), "1: IN[0].w"));
    CHECK(has(run("step 3"), "1: IN[0].w"));
    CHECK_FALSE(has(run("watch off 1"), "IN"));
    CHECK_FALSE(has(run("step"), "1: IN[0].w"));
    CHECK(has(error("watch off 1"), "no such watch"));
}

TEST_CASE_FIXTURE(Fixture, "a reverse step undoes a step") {
    run("step 4");
    const std::string there = run("view");
    run("step 2");
    run("rs 2");
    CHECK(run("view") == there);
    run("continue");
    CHECK(debugger->cursor().at_end());
    run("reverse-continue");
    CHECK(debugger->cursor().position() == 0);
}

TEST_CASE_FIXTURE(Fixture, "breakpoints are set, listed, hit and deleted") {
    CHECK(has(run("break 8"), "breakpoint 1 at line 8"));
    CHECK(has(run("b word 1 if IMM[0].x > 2"), "breakpoint 2 at word 1 if IMM[0].x > 2"));
    CHECK(has(run("c"), "breakpoint 1"));
    CHECK(has(run("info breakpoints"), "hit 1 times"));
    run("delete");
    CHECK(has(run("info b"), "no breakpoints"));
}

TEST_CASE_FIXTURE(Fixture, "bad commands say what is wrong") {
    CHECK(has(error("frobnicate"), "no command 'frobnicate'"));
    CHECK(has(error("re"), "may be"));
    CHECK(has(error("p TEMP[7]"), "declares no TEMP[7]"));
    CHECK(has(error("p foo"), "is no name"));
    CHECK(has(error("p r64"), "there is no r64"));
    CHECK(has(error("p TEMP[0]/q"), "format 'q'"));
    CHECK(has(error("step x"), "no number"));
    CHECK(has(error("step 0"), "no number"));
    CHECK(has(error("until 1"), "line 1"));
    CHECK(has(error("until word 5000"), "no word 5000"));
    CHECK(has(error("break"), "expected LINE"));
    CHECK(has(error("break 8 if TEMP[0].x"), "condition"));
    CHECK(has(error("break 8 if TEMP[0].xy > 1"), "one component"));
    CHECK(has(error("info"), "info is about"));
    CHECK(has(error("goto 100000"), "expected a step"));
    CHECK(has(error("export /no/such/folder/file"), "cannot write"));
    CHECK(has(error("check x"), "no arguments"));
}

TEST_CASE_FIXTURE(Fixture, "blank lines and comments do nothing") {
    CHECK(run("") == "");
    CHECK(run("   # a remark") == "");
}

TEST_CASE_FIXTURE(Fixture, "info shows lanes, uniforms, coverage, registers and messages") {
    CHECK(has(run("info mask"), "# # # #"));
    CHECK(has(run("info uniforms"), "CONST[0].x"));
    CHECK(has(run("info textures"), "nothing up to here"));
    run("goto end");
    const std::string coverage = run("info coverage");
    CHECK(has(coverage, "ATEST"));
    CHECK(has(coverage, "BLEND to target 0"));
    CHECK(has(coverage, "coverage before"));
    CHECK(has(run("info messages"), "varying slot 0"));
    CHECK(has(run("info registers"), "r63"));
}

TEST_CASE_FIXTURE(Fixture, "check and lockstep find recompiled code equal") {
    if (host_engines().empty())
        return;
    CHECK(has(run("check"), ": equal\n"));
    CHECK(has(run("lockstep"), "registers of lanes equal"));
}

TEST_CASE_FIXTURE(Fixture, "the tab key completes commands, topics and names") {
    CHECK(console->complete("reverse-s") == std::vector<std::string>{"reverse-step"});
    CHECK(console->complete("info cov") == std::vector<std::string>{"coverage"});
    CHECK(console->complete("p TE") == std::vector<std::string>{"TEMP["});
    CHECK(console->complete("x").empty());
}

TEST_CASE_FIXTURE(Fixture, "help names every command once") {
    const std::string text = run("help");
    for (const ConsoleCommand& command : Console::commands())
        CHECK(has(text, "  " + std::string(command.name)));
    CHECK(has(run("help step"), "execute the next N"));
    CHECK_FALSE(console->done());
    run("quit");
    CHECK(console->done());
}
