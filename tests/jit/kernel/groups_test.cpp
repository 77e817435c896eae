// Groups test: checks which work-groups are recompiled.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// Empty if recompilers take the program, else the text of the error.
std::string refusal(std::string_view text, const exec::ComputeInfo& compute) {
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.info.compute = compute;
    program.words = words_of(std::string(text));
    program.fau.resize(2);
    for (const auto& recompiler : recompilers()) {
        const auto kernel = recompiler->recompile(program, {});
        if (!kernel) {
            CHECK(kernel.error().code == Errc::Unsupported);
            return kernel.error().text;
        }
    }
    return {};
}

}  // namespace

TEST_CASE("groups of one row of a warp are recompiled, others are refused") {
    const std::string text = "BARRIER.slot7.wait\nNOP.end\n";
    const std::string other = "compute: a work-group that is more than one row of a warp";
    CHECK(refusal(text, {}).empty());
    CHECK(refusal(text, {{16, 1, 1}, 0}).empty());
    CHECK(refusal(text, {{17, 1, 1}, 0}) == other);
    CHECK(refusal(text, {{4, 4, 1}, 0}) == other);
    CHECK(refusal(text, {{1, 1, 2}, 0}) == other);
    CHECK(refusal(text, {{16, 1, 1}, 4}) == "compute: shared memory");
}

TEST_CASE("a BARRIER is recompiled where all lanes that have not ended come to it") {
    const std::string head = "BRANCHZ.reconverge r55.h0, offset:behind\n";
    CHECK(refusal(head + "BARRIER.slot7.wait\nbehind: NOP.end\n", {}) ==
          "compute: a BARRIER that some lanes may not reach");
    CHECK(refusal(head + "IADD_IMM.i32 r0, r0, #1\nbehind: BARRIER.slot7.wait\nNOP.end\n", {})
              .empty());
    CHECK(refusal("BRANCHZ.reconverge u0.h0, offset:behind\nBARRIER.slot7.wait\nbehind: NOP.end\n",
                  {})
              .empty());
}
