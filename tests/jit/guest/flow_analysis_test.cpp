// Flow analysis test: lanes that wait keep what they will read, and only that.
// SPDX-License-Identifier: MIT
#include "jit/guest/flow_analysis.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

/// The numbers of the blocks that run while lanes wait which will read a register.
std::string keeping(const std::string& text, unsigned reg) {
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.words = words_of(text + "NOP.end\n");
    auto guest = jit::read_program(program, {});
    REQUIRE(guest.has_value());
    jit::find_divergence(*guest);
    jit::find_liveness(*guest);
    std::string blocks;
    for (uint32_t b = 0; b < guest->blocks.size(); ++b)
        if (guest->blocks[b].waited_for.has(static_cast<jit::Reg>(reg)))
            blocks += std::to_string(b) + " ";
    return blocks;
}

/// Conditions that differ between lanes.
const std::string kLaneNumbers = "MOV.i32 r13, lane_id.w0\nMOV.i32 r14, lane_id.w0\n";

/// Both ways write r1; the first one runs in block 1, the other one in block 2.
const std::string kBothWays = "BRANCHZ.eq.reconverge r14.h0, offset:other\n"
                              "MOV.i32 r1, r2\n"
                              "BRANCHZ.eq.reconverge 0x0, offset:end\n"
                              "other: MOV.i32 r1, r3\nNOP.reconverge\n"
                              "end: NOP\n";

}  // namespace

TEST_CASE("lanes wait for what both ways write only behind the first way") {
    CHECK(keeping(kLaneNumbers + kBothWays, 1) == "2 ");
    CHECK(keeping(kLaneNumbers + kBothWays, 2) == "1 2 ");
}

TEST_CASE("lanes that left a loop wait in all of its rounds") {
    const std::string loop = "loop: MOV.i32 r1, r2\n"
                             "BRANCHZ.reconverge r14.h0, offset:out\n"
                             "MOV.i32 r14, r13\n"
                             "BRANCHZ.reconverge r13.h0, offset:loop\n"
                             "out: NOP\n";
    CHECK(keeping(kLaneNumbers + loop, 1) == "1 2 ");
    // The same with both ways in the loop, whose blocks are 1 to 4.
    CHECK(keeping(kLaneNumbers + "head: " + kBothWays + "BRANCHZ.reconverge r13.h0, offset:head\n",
                  5) == "1 2 3 4 ");
}

}  // namespace valkyr::test
