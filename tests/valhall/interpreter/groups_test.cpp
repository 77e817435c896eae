// Groups test: checks barriers of machine programs: who waits, who goes on, and where it ends.
// SPDX-License-Identifier: MIT
#include "exec/work_groups.hpp"
#include "tests/valhall/interpreter/bench.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// A group of `width` invocations with room for a word each.
struct GroupBench {
    GroupBench(std::string_view text, uint32_t width)
        : shared(width)
        , contexts(exec::kMaxGroupWarps)
        , registers(exec::kRegisters) {
        program.info.stage = exec::Stage::Compute;
        program.words = words_of(text);
        call.draw = &draw;
        call.block[0] = width;
        call.shared = reinterpret_cast<uint8_t*>(shared.data());
        call.shared_bytes = width * 4;
        call.contexts = contexts.data();
        call.registers = registers.data();
    }
    void run() {
        const auto interpreter = Interpreter::create(program, options);
        REQUIRE(interpreter.has_value());
        interpreter->run(call, &faults);
    }

    Program program;
    InterpreterOptions options;
    exec::DrawContext draw;
    std::vector<uint32_t> shared;
    std::vector<exec::WarpContext> contexts;
    std::vector<exec::Lanes> registers;
    exec::ComputeCall call;
    std::vector<RunFault> faults;
};

}  // namespace

TEST_CASE("place and warps of invocations") {
    CHECK(exec::group_invocations({4, 5, 6}) == 120);
    CHECK(exec::group_invocations({1024, 1, 1}) == 1024);
    CHECK(exec::group_invocations({1025, 1, 1}) == 0);
    CHECK(exec::group_invocations({64, 64, 1}) == 0);
    CHECK(exec::group_invocations({0, 1, 1}) == 0);
    CHECK(exec::group_invocations({0xFFFFFFFF, 0xFFFFFFFF, 2}) == 0);
    CHECK(exec::group_lanes(120, 6) == 0xFFFF);
    CHECK(exec::group_lanes(120, 7) == 0x00FF);

    exec::ComputeCall call;
    std::ranges::copy(std::array{4U, 5U, 6U}, call.block);
    std::ranges::copy(std::array{3U, 7U, 2U}, call.grid);
    const exec::WarpIds ids = exec::warp_ids(call, 3 * 7 + 3 * 4 + 2, 7);  // group (2, 4, 1)
    // Invocation 112 + 5 is (1, 4, 5).
    const std::array<uint32_t, 8> expected{1 | 4 << 16, 5, 2, 4, 1, 9, 24, 11};
    for (unsigned row = 0; row < expected.size(); ++row) {
        CHECK(ids[row].v[5] == expected[row]);
        CHECK(ids[row].v[8] == 0);
    }
}

TEST_CASE("rounds run every warp that has not ended") {
    std::vector<uint32_t> order;
    std::array<unsigned, 3> barriers{1, 0, 2};
    exec::run_rounds(3, [&](uint32_t warp) {
        order.push_back(warp);
        return barriers[warp]-- == 0 ? exec::WarpStop::Ended : exec::WarpStop::AtBarrier;
    });
    CHECK(order == std::vector<uint32_t>{0, 1, 2, 0, 2, 2});
    unsigned runs = 0;
    exec::run_rounds(64, [&](uint32_t) {
        ++runs;
        return exec::WarpStop::Ended;
    });
    CHECK(runs == 64);
}

TEST_CASE("lanes see behind a barrier what other warps stored in front of it") {
    GroupBench bench(R"(
        SHADDX.u64 r2, workgroup_local_pointer.w0, r55.w0, shift:0x2
        IADD_IMM.i32 r4, 0x0, #39
        ISUB.u32 r4, r4, r55
        STORE.i32.slot0.wait0 @r55, r2, offset:0
        BARRIER.slot7.wait
        SHADDX.u64 r6, workgroup_local_pointer.w0, r4.w0, shift:0x2
        LOAD.i32.unsigned.slot0.wait0 @r8, r6, offset:0
        BARRIER.slot7.wait
        STORE.i32.slot0.wait0 @r8, r2, offset:0
        NOP.end
    )",
                     40);
    bench.options.hazards = true;
    bench.run();
    CHECK(bench.faults.empty());
    for (uint32_t n = 0; n < 40; ++n)
        CHECK(bench.shared[n] == 39 - n);
    CHECK(bench.registers[55].v[7] == 39);  // of the last warp, which has eight lanes
    CHECK(bench.registers[55].v[8] == 0);
}

TEST_CASE("a lane that waits lets the others of its warp go on") {
    // Even lanes come to the barrier first; odd lanes run to their end in the meantime.
    GroupBench bench(R"(
        IADD_IMM.i32 r5, 0x0, #1
        LSHIFT_AND.i32 r1, r55, 0x0.b00, r5
        BRANCHZ.reconverge r1.h0, offset:odd
        BARRIER.slot7.wait
        WMASK r4, 0xFFFFFFFF
        NOP.end
        odd: WMASK r4, 0xFFFFFFFF
        NOP.end
    )",
                     16);
    bench.run();
    CHECK(bench.faults.empty());
    for (unsigned l = 0; l < 16; ++l)
        CHECK(bench.registers[4].v[l] == (l % 2 != 0 ? 0xAAAA : 0x5555));
}

TEST_CASE("the watch and the step limit end groups that wait for ever") {
    constexpr char text[] = R"(
        loop: BARRIER.slot7.wait
        BRANCHZ.eq.reconverge 0x0, offset:loop
        NOP.end
    )";
    exec::LoopWatch watch;
    watch.most_rounds = 2;
    GroupBench bench(text, 40);
    bench.draw.watch = &watch;
    bench.run();
    CHECK(watch.runaway.load() == 1);
    CHECK(bench.faults.size() == 3);

    exec::LoopWatch cancelled;
    cancelled.cancelled = exec::kCancelledFromOutside;
    GroupBench none(text, 40);
    none.draw.watch = &cancelled;
    none.shared[0] = 1;
    none.run();
    CHECK(none.shared[0] == 1);

    GroupBench limited(text, 40);
    limited.options.step_limit = 100;
    limited.run();
    CHECK(limited.faults.size() == 3);
}
