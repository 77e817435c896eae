// Double steps test: facts about operations on doubles become steps only where control fits them.
// SPDX-License-Identifier: MIT
#include "jit/guest/guest_program.hpp"
#include "tests/jit/harness.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using valhall::DoubleOp;
using valhall::DoubleRange;

namespace {

constexpr DoubleRange kMiddle{
    .first = 1, .count = 3, .op = DoubleOp::Add, .sources = {0, 1, 2, 3}, .result = 4};

/// The first words of the steps that are operations on doubles.
std::vector<uint32_t>
operations(const std::string& text, std::vector<DoubleRange> ranges, bool host_doubles = true) {
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.words = words_of(text);
    program.double_ranges = std::move(ranges);
    CHECK(emission_failure(program, {}).empty());
    const auto guest = jit::read_program(program, {}, host_doubles);
    REQUIRE(guest.has_value());
    std::vector<uint32_t> words;
    for (const jit::Step& step : guest->steps)
        if (step.doubles)
            words.push_back(step.word_index);
    return words;
}

const std::string kWords = "IADD.u32 r8, r0, r1\nIADD.u32 r9, r0, r1\nIADD.u32 r10, r9, r1\n"
                           "IADD.u32 r4, r10, r1\nNOP.end\n";
using Words = std::vector<uint32_t>;

}  // namespace

TEST_CASE("a fact is one step, which has the flow of its last word") {
    CHECK(operations(kWords, {kMiddle}) == Words{1});
    CHECK(operations(kWords, {kMiddle}, false).empty());
    DoubleRange last = kMiddle;
    last.count = 4;
    CHECK(operations(kWords, {last}) == Words{1});
    DoubleRange second = kMiddle;
    second.first = 4;
    second.count = 1;
    CHECK(operations(kWords, {kMiddle, second}) == Words{1, 4});
}

TEST_CASE(
    "facts about words or registers that do not exist are ignored, as operations of no host") {
    const auto changed = [](auto change) {
        DoubleRange range = kMiddle;
        change(range);
        return operations(kWords, {range});
    };
    CHECK(changed([](DoubleRange& r) { r.count = 0; }).empty());
    CHECK(changed([](DoubleRange& r) { r.count = 5; }).empty());
    CHECK(changed([](DoubleRange& r) { r.count = 0xFFFFFFFF; }).empty());
    CHECK(changed([](DoubleRange& r) { r.first = 5; }).empty());
    CHECK(changed([](DoubleRange& r) { r.first = 0xFFFFFFFF; }).empty());
    CHECK(changed([](DoubleRange& r) { r.sources[3] = 64; }).empty());
    CHECK(changed([](DoubleRange& r) { r.result = 63; }).empty());
    CHECK(changed([](DoubleRange& r) { r.op = DoubleOp::ToS64; }).empty());
    CHECK(changed([](DoubleRange& r) { r.op = static_cast<DoubleOp>(200); }).empty());
    // An overlap: the first one counts.
    CHECK(operations(kWords, {kMiddle, kMiddle}) == Words{1});
}

TEST_CASE("facts that control enters or leaves elsewhere are ignored") {
    const std::string middle = "IADD.u32 r9, r0, r1\n";
    const std::string end = "NOP.reconverge\nNOP.end\n";
    // Into the middle, to the first word, over all words.
    CHECK(operations("BRANCHZ.eq r0.h0, offset:in\n" + middle + "in: " + middle + middle + end,
                     {kMiddle})
              .empty());
    CHECK(operations("BRANCHZ.eq r0.h0, offset:in\nin: " + middle + middle + middle + end,
                     {kMiddle}) == Words{1});
    CHECK(operations("BRANCHZ.eq r0.h0, offset:out\n" + middle + middle + middle + "out: " + end,
                     {kMiddle}) == Words{1});
    // A loop within the words, and ways out of them.
    CHECK(operations("NOP\nin: " + middle + "BRANCHZ.eq r0.h0, offset:in\n" + middle + end,
                     {kMiddle}) == Words{1});
    CHECK(operations("NOP\n" + middle + "BRANCHZ.eq r0.h0, offset:out\n" + middle + "out: " + end,
                     {kMiddle})
              .empty());
    CHECK(operations("NOP\n" + middle + middle + "BRANCHZ.eq r0.h0, offset:out\nNOP\nout: " + end,
                     {kMiddle})
              .empty());
    CHECK(
        operations("in: NOP\n" + middle + "BRANCHZ.eq r0.h0, offset:in\n" + middle + end, {kMiddle})
            .empty());
    // Lanes end within.
    CHECK(operations("NOP\n" + middle + "NOP.end\n" + middle + end, {kMiddle}).empty());
}
