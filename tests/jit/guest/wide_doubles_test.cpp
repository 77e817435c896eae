// Wide doubles test: a double has words if anything but an operation on doubles can read it.
// SPDX-License-Identifier: MIT
#include "jit/guest/flow_analysis.hpp"
#include "jit/guest/wide_doubles.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using valhall::DoubleOp;
using valhall::DoubleRange;

namespace {

/// One word, (low, high) of each source, the low word of the result.
DoubleRange operation(uint32_t word,
                      DoubleOp op,
                      std::array<uint8_t, valhall::kMaxDoubleSources> sources,
                      uint8_t result) {
    return {.first = word, .count = 1, .op = op, .sources = sources, .result = result};
}

/// For each operation whether its result is wide, and which sources are: "1:2 0:0".
std::string wide(const std::string& text, std::vector<DoubleRange> ranges) {
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.words = words_of(text);
    program.double_ranges = std::move(ranges);
    CHECK(emission_failure(program, {}).empty());
    auto guest = jit::read_program(program, {});
    REQUIRE(guest.has_value());
    jit::find_divergence(*guest);
    jit::find_liveness(*guest);
    jit::find_wide_doubles(*guest);
    std::string all;
    for (const jit::Step& step : guest->steps)
        if (step.doubles)
            all += (all.empty() ? "" : " ") + std::to_string(step.wide.result) + ":" +
                   std::to_string(step.wide.sources);
    return all;
}

const std::string kOneWord = "IADD.u32 r30, r31, r32\n";
/// Such programs return their registers, of which the doubles are none.
const std::string kStored = "MOV.i32 r4, r31\nMOV.i32 r5, r31\nMOV.i32 r6, r31\nMOV.i32 r7, r31\n"
                            "STORE.i32.slot0 @r8, r40, offset:0\nNOP.wait0\nNOP.end\n";

const DoubleRange kSum = operation(0, DoubleOp::Add, {0, 1, 2, 3}, 4);
const DoubleRange kProduct = operation(1, DoubleOp::Multiply, {2, 3, 4, 5}, 6);

}  // namespace

TEST_CASE("a double that operations on doubles read is wide") {
    CHECK(wide(kOneWord + kOneWord + kOneWord + kStored,
               {kSum, kProduct, operation(2, DoubleOp::Less, {6, 7, 4, 5}, 8)}) == "1:0 1:2 0:3");
    CHECK(wide(kOneWord + kOneWord + kStored, {kSum, operation(1, DoubleOp::ToFloat, {4, 5}, 8)}) ==
          "1:0 0:1");
}

TEST_CASE("a double of which anything else is read has words") {
    const DoubleRange compare = operation(2, DoubleOp::Less, {6, 7, 4, 5}, 8);
    CHECK(wide(kOneWord + kOneWord + kOneWord + "IADD.u32 r8, r8, r5\n" + kStored,
               {kSum, kProduct, compare}) == "0:0 1:0 0:1");
    CHECK(wide(kOneWord + "MOV.i32 r9, r4\n" + kOneWord + kStored,
               {kSum, operation(2, DoubleOp::ToFloat, {4, 5}, 8)}) == "0:0 0:0");
    // Words in another order, or of two doubles.
    CHECK(wide(kOneWord + kOneWord + kStored, {kSum, operation(1, DoubleOp::ToFloat, {5, 4}, 8)}) ==
          "0:0 0:0");
    CHECK(wide(kOneWord + kOneWord + kOneWord + kStored,
               {kSum, kProduct, operation(2, DoubleOp::ToFloat, {4, 7}, 8)}) == "0:0 0:0 0:0");
    // One word is written again.
    CHECK(wide(kOneWord + "IADD.u32 r5, r0, r1\n" + kOneWord + kStored,
               {kSum, operation(2, DoubleOp::ToFloat, {4, 5}, 8)}) == "0:0 0:0");
    // The power of a scaling is a word.
    CHECK(wide(kOneWord + kOneWord + kStored,
               {kSum, operation(1, DoubleOp::Scale, {0, 1, 4}, 8)}) == "0:0 0:0");
}

TEST_CASE("a double that blocks read which control enters elsewhere has words") {
    const auto over_branch = [](const std::string& middle, uint32_t reader) {
        return wide(kOneWord + "BRANCHZ.eq r0.h0, offset:out\n" + middle + "out: " + kOneWord +
                        kStored,
                    {kSum, operation(reader, DoubleOp::ToFloat, {4, 5}, 8)});
    };
    CHECK(over_branch(kOneWord, 2) == "1:0 0:1");
    CHECK(over_branch(kOneWord, 3) == "0:0 0:0");
    CHECK(over_branch("IADD.u32 r9, r4, r1\n" + kOneWord, 3) == "0:0 0:0");
    // The lanes that branch read it at the end.
    CHECK(wide(kOneWord + "BRANCHZ.eq r0.h0, offset:out\n" + kOneWord +
                   "out: IADD.u32 r8, r8, r5\n" + kStored,
               {kSum, operation(2, DoubleOp::ToFloat, {4, 5}, 8)}) == "0:0 0:0");
    // A loop: the next round reads it, or the same one.
    const auto in_loop = [](uint32_t reader) {
        return wide("in: " + kOneWord + kOneWord + kOneWord + "BRANCHZ.eq r0.h0, offset:in\n" +
                        kStored,
                    {operation(1, DoubleOp::Add, {0, 1, 2, 3}, 4),
                     operation(reader, DoubleOp::ToFloat, {4, 5}, 8)});
    };
    CHECK(in_loop(2) == "1:0 0:1");
    CHECK(wide("in: " + kOneWord + kOneWord + "BRANCHZ.eq r0.h0, offset:in\n" + kStored,
               {operation(0, DoubleOp::ToFloat, {4, 5}, 8),
                operation(1, DoubleOp::Add, {0, 1, 2, 3}, 4)}) == "0:0 0:0");
}
