// Recording test: checks steps, messages and limits, and movement in both directions.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/app/debug/support.hpp"

#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

constexpr std::string_view kBranches = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..1]
IMM[0] FLT32 {    4.0000,     0.0000,     2.0000,     1.0000}
  0: FSLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx
  1: UIF TEMP[0].xxxx
  2:   RCP TEMP[1].x, IN[0].yyyy
  3:   SIN TEMP[1].y, IN[0].yyyy
  4:   EX2 TEMP[1].z, IN[0].yyyy
  5:   LG2 TEMP[1].w, IN[0].yyyy
  6: ELSE
  7:   COS TEMP[1].x, IN[0].xxxx
  8:   SQRT TEMP[1].y, IN[0].xxxx
  9:   RSQ TEMP[1].z, IN[0].xxxx
 10:   RCP TEMP[1].w, IN[0].xxxx
 11: ENDIF
 12: MOV OUT[0], TEMP[1]
 13: END
)";
constexpr std::string_view kEndless = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0]
  0: MOV TEMP[0], IN[0]
  1: BGNLOOP
  2:   ADD TEMP[0], TEMP[0], IN[0]
  3:   UIF IN[0].yyyy
  4:     CONT
  5:   ENDIF
  6:   BRK
  7: ENDLOOP
  8: MOV OUT[0], TEMP[0]
  9: END
)";

bool same_state(const valhall::WarpState& a, const valhall::WarpState& b) {
    return std::memcmp(a.r.data(), b.r.data(), sizeof a.r) == 0 && a.pc == b.pc &&
           a.alive == b.alive && a.live == b.live && a.running == b.running;
}

}  // namespace

TEST_CASE("going back gives every state that going forwards gave") {
    const auto debugger = make_debugger(kBranches, counting_inputs());
    const size_t steps = debugger->recording().steps().size();
    REQUIRE(steps > 10);
    std::vector<valhall::WarpState> states;
    for (size_t i = 0; i <= steps; ++i) {
        debugger->move_to(i);
        states.push_back(debugger->state());
    }
    for (size_t i = steps + 1; i-- > 0;) {
        debugger->move_to(i);
        CHECK_MESSAGE(same_state(debugger->state(), states[i]), "step ", i);
    }
    CHECK(states[0].alive == 0xFFFF);
    CHECK(states[steps].alive == 0);
}

TEST_CASE("each step's words and lanes are the state's before it") {
    const auto debugger = make_debugger(kBranches, counting_inputs());
    const auto& steps = debugger->recording().steps();
    for (size_t i = 0; i < steps.size(); ++i) {
        debugger->move_to(i);
        CHECK(debugger->state().running == steps[i].lanes);
        for (unsigned l = 0; l < exec::kLanes; ++l)
            if ((steps[i].lanes >> l & 1) != 0)
                CHECK(debugger->state().pc[l] == steps[i].word);
    }
}

TEST_CASE("a branch that splits the warp is found, forwards and backwards") {
    const auto debugger = make_debugger(kBranches, counting_inputs());
    // Lanes 0 to 3 have IN[0].x < 4.
    REQUIRE(debugger->next_divergence().reason == StopReason::Divergence);
    const uint16_t first = debugger->state().running;
    CHECK((first == 0x000F || first == 0xFFF0));
    const size_t at = debugger->cursor().position();
    REQUIRE(debugger->next_divergence().reason == StopReason::Divergence);
    CHECK((debugger->state().running == (0xFFFF & ~first) || debugger->state().running == 0xFFFF));
    CHECK(debugger->next_divergence(true).reason == StopReason::Divergence);
    CHECK(debugger->cursor().position() >= at);
}

TEST_CASE("colours, coverage and interpolation are in the messages") {
    const auto debugger = make_debugger(kBranches, counting_inputs());
    bool varying = false;
    bool atest = false;
    bool blend = false;
    for (const Message& message : debugger->recording().messages()) {
        if (message.kind == MessageKind::Varying) {
            varying = true;
            CHECK(message.out[0].v[3] == as_bits(message.unit % 16 == 4 ? 3.5F : 3.0F));
        }
        if (message.kind == MessageKind::Atest) {
            atest = true;
            CHECK(message.coverage_before.v[15] == 1);
            CHECK(message.coverage_after.v[15] == 1);
        }
        if (message.kind == MessageKind::Blend) {
            blend = true;
            REQUIRE(message.in.size() == 4);
            CHECK(message.in[0].v[1] == as_bits(1.0F / 1.5F));  // RCP of 1.5
        }
    }
    CHECK(varying);
    CHECK(atest);
    CHECK(blend);
}

TEST_CASE("a loop without end is an error that names the limit") {
    const auto session = make_session(kEndless, counting_inputs());
    const auto debugger = Debugger::create(session, {.sample = 0, .step_limit = 1000});
    REQUIRE_FALSE(debugger.has_value());
    CHECK(debugger.error().code == Errc::OutOfRange);
    CHECK(debugger.error().text.find("1000") != std::string::npos);
}

TEST_CASE("breakpoints stop at lines and words, and only if their condition holds") {
    const auto debugger = make_debugger(kBranches, counting_inputs());
    REQUIRE(debugger->add_breakpoint(true, 13).has_value());  // SQRT
    CHECK(debugger->resume().reason == StopReason::Breakpoint);
    CHECK(debugger->line() == 13);
    CHECK(debugger->breakpoints()[0].hits == 1);
    CHECK(debugger->remove_breakpoint(1));
    CHECK_FALSE(debugger->remove_breakpoint(1));

    debugger->move_to(0);
    const tgsi::Shader& shader = *debugger->session().shader;
    const auto never = parse_condition("CONST[0].x > 5", shader);
    CHECK_FALSE(never.has_value());  // not declared
    const auto small = parse_condition("IMM[0].x > 5", shader);
    REQUIRE(small.has_value());
    REQUIRE(debugger->add_breakpoint(false, 3, *small).has_value());
    CHECK(debugger->resume().reason == StopReason::End);
    debugger->move_to(0);
    const auto large = parse_condition("IMM[0].x >= 4", shader);
    REQUIRE(debugger->add_breakpoint(false, 3, *large).has_value());
    CHECK(debugger->resume().reason == StopReason::Breakpoint);
    CHECK(debugger->cursor().word() == 3);

    CHECK(debugger->add_breakpoint(true, 1).error().code == Errc::Semantic);
    CHECK(debugger->add_breakpoint(false, 9999).error().code == Errc::OutOfRange);
}

TEST_CASE("a block is left at its end, and entered again backwards") {
    const auto debugger = make_debugger(kBranches, counting_inputs());
    REQUIRE(debugger->step_block().reason == StopReason::Place);
    const uint32_t entered = debugger->cursor().word();
    CHECK(entered > 0);
    REQUIRE(debugger->step(1, true).reason == StopReason::Step);
    CHECK(debugger->cursor().word() != entered);
    CHECK(debugger->resume(true).reason == StopReason::Start);
    CHECK(debugger->cursor().position() == 0);
}
