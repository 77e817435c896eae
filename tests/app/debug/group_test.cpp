// Group test: steps through work-groups: warps, barriers, shared memory and buffers.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/console_fixture.hpp"
#include "tests/app/debug/support.hpp"

#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

/// 40 invocations: each writes its number to shared memory, and after a barrier its neighbour's to
/// a buffer. Invocations 32 and on end before a second barrier.
constexpr std::string_view kNeighbours = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 40
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL BUFFER[0]
DCL MEMORY[0], SHARED
DCL TEMP[0..2]
IMM[0] UINT32 {4, 1, 40, 32}
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: UMAD TEMP[0].y, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx
  2: STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].yyyy
  3: MEMBAR IMM[0].yyyy
  4: BARRIER
  5: UADD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy
  6: UMOD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz
  7: UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
  8: LOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx
  9: STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
 10: USGE TEMP[2].x, SV[0].xxxx, IMM[0].wwww
 11: UIF TEMP[2].xxxx
 12:   RET
 13: ENDIF
 14: BARRIER
 15: STORE MEMORY[0].x, TEMP[0].xxxx, IMM[0].zzzz
 16: END
)";
constexpr std::string_view kEndlessGroup = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 0, 0}
  0: BGNLOOP
  1:   BARRIER
  2:   ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[0].xxxx
  3:   UIF TEMP[0].xxxx
  4:     BRK
  5:   ENDIF
  6: ENDLOOP
  7: END
)";

std::unique_ptr<Debugger> neighbours() {
    WorkGroup place;
    place.grid = {2, 1, 1};
    place.number = 1;
    place.shared_bytes = 160;
    auto made =
        Debugger::create(make_group_session(kNeighbours, place, {std::vector<uint32_t>(40, 7)}));
    REQUIRE(made.has_value());
    return std::move(*made);
}

struct Group : ConsoleFixture {
    Group()
        : ConsoleFixture(neighbours(), false) {}
};

/// All that a place shows: states of warps, memory.
std::string place_of(const Debugger& debugger) {
    std::string text;
    const auto add = [&](const void* bytes, size_t count) {
        text.append(static_cast<const char*>(bytes), count);
    };
    for (uint32_t warp = 0; warp < debugger.recording().warps(); ++warp) {
        const valhall::WarpState& state = debugger.cursor().state_of(warp);
        add(state.r.data(), sizeof state.r);
        for (unsigned lane = 0; lane < exec::kLanes; ++lane)
            if ((state.alive >> lane & 1) != 0)
                add(&state.pc[lane], sizeof state.pc[lane]);
        for (const uint16_t lanes : {state.alive, state.live, state.running, state.parked})
            add(&lanes, sizeof lanes);
    }
    for (size_t region = 0; region < debugger.recording().regions().size(); ++region)
        add(debugger.cursor().memory(region).data(), debugger.cursor().memory(region).size());
    return text;
}

}  // namespace

TEST_CASE_FIXTURE(Group, "going back through a group gives every state that going forwards gave") {
    const size_t steps = debugger->recording().steps().size();
    std::vector<std::string> places;
    for (size_t i = 0; i <= steps; ++i) {
        debugger->move_to(i);
        places.push_back(place_of(*debugger));
        if (i < steps) {
            const Step& step = debugger->recording().steps()[i];
            CHECK(debugger->cursor().state_of(step.warp).running == step.lanes);
        }
    }
    for (size_t i = steps + 1; i-- > 0;) {
        debugger->move_to(i);
        CHECK_MESSAGE(place_of(*debugger) == places[i], "step ", i);
    }
}

TEST_CASE_FIXTURE(Group, "warps are listed with what they do, and shown one at a time") {
    CHECK(has(debugger->session().title, "group 1,0,0 of 2,1,1: 40 invocations in 3 warps"));
    CHECK(has(run("info warps"), " => warp 0, from (0,0,0): runs next, "));
    CHECK(has(run("warp"), "    warp 2, from (32,0,0): is ready, "));
    CHECK(has(run("warp 2"), ", warp 2, word 0: "));
    CHECK(has(run("print r55/d"), "lane 7 (39,0,0)     39\n"));
    run("warp 0");
    while (debugger->warp_place(0).state != WarpPlace::State::AtBarrier)
        run("step");
    CHECK(has(run("view"), "warp 0 waits at the barrier of line 15\n"));
    CHECK(has(run("info warps"), " => warp 0, from (0,0,0): waits at the barrier of line 15\n"));
    CHECK(has(run("info lanes"), "b b b b"));
    CHECK(has(run("print SV[0].x/d"), "lane 15 (15,0,0)    15\n"));
    run("goto end");
    CHECK(has(run("info warps"), "warp 2, from (32,0,0): has ended"));
}

TEST_CASE_FIXTURE(Group, "steps are those of the shown warp, and the others run along") {
    run("warp 1");
    const size_t before = debugger->cursor().position();
    run("step");
    CHECK(debugger->cursor().position() > before + 1);  // warp 0 ran up to its barrier
    CHECK(debugger->warp_place(0).state == WarpPlace::State::AtBarrier);
    CHECK(debugger->warp() == 1);
    run("until 16");
    CHECK(debugger->warp() == 1);
    CHECK(debugger->line() == 16);
    const size_t after = debugger->cursor().position();
    run("step 3");
    run("rs 3");
    CHECK(debugger->cursor().word() == debugger->recording().next_step(1, after)->word);
}

TEST_CASE_FIXTURE(Group, "breakpoints stop in every warp") {
    run("break 19");
    for (const uint32_t warp : {0U, 1U, 2U}) {
        CHECK(has(run("continue"), "breakpoint 1\n"));
        CHECK(debugger->warp() == warp);
        CHECK(debugger->line() == 19);
    }
    run("continue");
    CHECK(debugger->cursor().at_end());
    run("reverse-continue");
    CHECK(debugger->warp() == 2);
}

TEST_CASE_FIXTURE(Group, "continue stops where all warps have reached a barrier if asked to") {
    CHECK(has(run("break barrier"), "breakpoint 1 at barriers"));
    CHECK(has(run("info breakpoints"), "1  barriers, hit 0 times"));
    CHECK(has(run("c"), "breakpoint 1: all warps have reached the barrier of line 15\n"));
    const size_t first = debugger->cursor().position();
    CHECK(debugger->recording().begins_phase(first));
    CHECK(has(run("info warps"), "warp 0, from (0,0,0): runs next, "));
    CHECK(has(run("c"), "breakpoint 1: all warps have reached the barrier of line 25\n"));
    CHECK(debugger->warp_place(2).state == WarpPlace::State::Ended);
    run("c");
    CHECK(debugger->cursor().at_end());
    run("rc");
    run("rc");
    CHECK(debugger->cursor().position() == first);
}

TEST_CASE_FIXTURE(Group, "memory is shown with what changed since the last stop") {
    CHECK(run("memory") == "shared memory, 160 bytes\n  all other rows are 0\n");
    CHECK(has(run("memory 0/d"), "buffer 0, 160 bytes\n  byte 0                   7 "));
    run("break barrier");
    run("c");
    // Invocations 40 to 79 of the grid.
    CHECK(has(run("memory"), "shared memory, 160 bytes; * changed since step 0\n"
                             "  byte 0       *00000028  *00000029  *0000002a  *0000002b\n"));
    CHECK(has(run("m at 156 1/d"), "  byte 156               *79\n"));
    run("c");
    CHECK(has(run("memory"), "  byte 0        00000028   00000029"));
    CHECK(has(run("memory 0 at 0 2"), "  byte 0       *00000029  *0000002a\n"));
    run("rc");
    CHECK(has(run("memory 0 at 0 2"), "  byte 0       *00000007  *00000007\n"));
    run("goto end");
    CHECK(has(run("memory 0 at 0 1/f"), " *5.7e-44\n"));
    CHECK(has(run("memory at 128 1"), "  byte 128      00000048\n"));  // of one that ended
}

TEST_CASE_FIXTURE(Group, "bad commands about groups say what is wrong") {
    CHECK(has(error("warp 3"), "there is no warp 3: the last one is 2"));
    CHECK(has(error("warp x"), "expected the number of a warp"));
    CHECK(has(error("memory 1"), "no --buffer filled BUFFER[1]"));
    CHECK(has(error("memory at 160"), "the memory has 160 bytes"));
    CHECK(has(error("memory at"), "expected [N] [at BYTE [COUNT]]"));
    CHECK(has(error("memory at 0 0"), "expected [N] [at BYTE [COUNT]]"));
    CHECK(has(error("memory 0x"), "expected [N] [at BYTE [COUNT]]"));
    CHECK(has(error("memory/q"), "format 'q'"));
    const auto warp = make_debugger("FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
    Console plain(*warp, {});
    CHECK(has(plain.execute("memory").error().text, "only the work-group"));
    CHECK(has(plain.execute("break barrier").error().text, "only the work-group"));
    CHECK(has(*plain.execute("warp"), "this is no work-group"));
}

TEST_CASE_FIXTURE(Group, "a group leaves its buffers as they were, and recompiled code agrees") {
    const std::span<uint8_t> buffer = debugger->session().warp->work_group->buffers[0].bytes;
    uint32_t word = 0;
    std::memcpy(&word, buffer.data(), sizeof word);
    CHECK(word == 7);
    const auto lines = check(*debugger->session().warp, debugger->recording(), host_engines());
    REQUIRE(lines.has_value());
    for (const CheckLine& line : *lines)
        CHECK_MESSAGE(check_text(line).ends_with(": equal\n"), check_text(line));
}

TEST_CASE("a group without end is an error that names the limit") {
    WorkGroup place;
    place.shared_bytes = 4;
    const auto session = make_group_session(kEndlessGroup, place, {});
    const auto made = Debugger::create(session, {.sample = 0, .step_limit = 5000});
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().text.find("the work-group issues more than 5000") != std::string::npos);
}
