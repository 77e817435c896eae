// Groups test: compares the work-groups of recompiled programs with those of the interpreter.
// SPDX-License-Identifier: MIT
#include "tests/jit/kernel/groups_case.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// Each lane keeps its entry registers in thread-local storage.
constexpr char kKeepIds[] = R"(
    STORE.i32.slot0.wait0 @r55, thread_local_pointer.w0, offset:0
    STORE.i32.slot0.wait0 @r56, thread_local_pointer.w0, offset:4
    STORE.i32.slot0.wait0 @r57, thread_local_pointer.w0, offset:8
    STORE.i32.slot0.wait0 @r58, thread_local_pointer.w0, offset:12
    STORE.i32.slot0.wait0 @r59, thread_local_pointer.w0, offset:16
    STORE.i32.slot0.wait0 @r60, thread_local_pointer.w0, offset:20
    STORE.i32.slot0.wait0 @r61, thread_local_pointer.w0, offset:24
    STORE.i32.slot0.wait0 @r62, thread_local_pointer.w0, offset:28
    NOP.end
)";

}  // namespace

TEST_CASE("warps get the IDs of their invocations and their own thread-local storage") {
    for (const Sizes& block : {Sizes{1, 1, 1}, {16, 1, 1}, {5, 3, 1}, {40, 1, 1}, {4, 5, 6}})
        for (const bool fixed : {true, false}) {
            agreed_groups(kKeepIds, {block, {3, 2, 2}, 0, 1}, fixed);
            agreed_groups(kKeepIds, {block, {3, 2, 2}, 0, 12}, fixed);
            agreed_groups(kKeepIds, {block, {3, 2, 2}, 4, 3}, fixed);
        }
    const GroupMemory memory = agreed_groups(kKeepIds, {{1, 20, 1}, {2, 3, 4}, 2 + 3 * 2 + 1, 1});
    CHECK(memory.tls[8].v[3] == 19 << 16);  // warp 1, lane 3: invocation (0, 19, 0) ...
    CHECK(memory.tls[10].v[3] == 1);        // ... of group (1, 1, 1)
    CHECK(memory.tls[14].v[3] == 20 + 19);
    CHECK(memory.tls[14].v[4] == 0);
}

TEST_CASE("IDs take part in calculations, and values of the last warp are the result") {
    const char* const text = R"(
        IADD_IMM.i32 r0, r55, #5
        SHADDX.u64 r2, thread_local_pointer.w0, r57.w0, shift:0x2
        STORE.i32.slot0.wait0 @r60, r2, offset:0
        IADD.u32 r4, r61, u0
        BRANCHZ.reconverge r4.h0, offset:behind
        IADD.u32 r55, r60, r62
        behind: NOP.end
    )";
    for (const Sizes& block : {Sizes{1, 1, 1}, {7, 1, 1}, {33, 1, 1}, {2, 3, 11}})
        agreed_groups(text, {block, {8, 2, 2}, 5, 20});
    agreed_groups(text, {});
}

TEST_CASE("IDs that a program leaves alone are among its registers at the end") {
    const char* const pointer = "MOV.i32 r9, workgroup_local_pointer.w1\nMOV.i32 r9, 0x0\n";
    for (const std::string text : {"", "IADD_IMM.i32 r57, r0, #5\n", pointer})
        for (const bool fixed : {true, false}) {
            agreed_groups(text + "NOP.end\n", {}, fixed);
            agreed_groups(text + "NOP.end\n", {{1, 1, 1}, {4, 1, 1}, 2, 1}, fixed);
            agreed_groups(text + "NOP.end\n", {{20, 2, 1}, {2, 3, 2}, 4, 4}, fixed);
        }
}

TEST_CASE("groups share memory that is zero when each of them starts") {
    // Lanes write their word, then read the word of the next lane, which earlier warps have not
    // written.
    const char* const text = R"(
        SHADDX.u64 r2, workgroup_local_pointer.w0, r55.w0, shift:0x2
        LOAD.i32.unsigned.slot0.wait0 @r6, r2, offset:0
        IADD.u32 r4, r60, u0
        STORE.i32.slot0.wait0 @r4, r2, offset:0
        LOAD.i32.unsigned.slot0.wait0 @r7, r2, offset:4
        STORE.i32.slot0.wait0 @r7, thread_local_pointer.w0, offset:0
        STORE.i32.slot0.wait0 @r6, thread_local_pointer.w0, offset:4
        MOV.i32 r2, 0x0
        MOV.i32 r3, 0x0
        NOP.end
    )";
    for (const uint32_t width : {1U, 16U, 40U, 64U}) {
        const GroupShape shape{{width, 1, 1}, {4, 1, 1}, 1, 3, width * 4 + 4};
        const GroupMemory memory = agreed_groups(text, shape);
        CHECK(memory.shared[width - 1] == 3 * width + width - 1 + 3);
        CHECK(memory.shared[width] == 0);
        CHECK(memory.tls[1].v[0] == 0);
    }
}

TEST_CASE("lanes see behind a BARRIER what the others of their warp stored in front of it") {
    const char* const text = R"(
        SHADDX.u64 r2, workgroup_local_pointer.w0, r55.w0, shift:0x2
        IADD_IMM.i32 r4, 0x0, #15
        ISUB.u32 r4, r4, r55
        STORE.i32.slot0.wait0 @r60, r2, offset:0
        BARRIER.slot7.wait
        SHADDX.u64 r6, workgroup_local_pointer.w0, r4.w0, shift:0x2
        LOAD.i32.unsigned.slot0.wait0 @r8, r6, offset:0
        BARRIER.slot7.wait
        STORE.i32.slot0.wait0 @r8, r2, offset:0
        MOV.i32 r2, 0x0
        MOV.i32 r3, 0x0
        MOV.i32 r6, 0x0
        MOV.i32 r7, 0x0
        NOP.end
    )";
    const GroupMemory memory = agreed_groups(text, {{16, 1, 1}, {3, 1, 1}, 0, 3, 64});
    for (uint32_t n = 0; n < 16; ++n)
        CHECK(memory.shared[n] == 32 + 15 - n);
    agreed_groups(text, {{5, 1, 1}, {3, 1, 1}, 1, 2, 64});
}

TEST_CASE("cancelled calls start no group, and groups of no invocations do not run") {
    const GroupShape shape{{16, 1, 1}, {4, 1, 1}, 0, 4, 64};
    const valhall::Program program = group_program(kKeepIds, {});
    for (const auto& recompiler : recompilers()) {
        const auto kernel = recompiler->recompile(program, {});
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        exec::LoopWatch watch;
        watch.cancelled = exec::kCancelledFromOutside;
        CHECK(run_groups((*kernel)->entry(), shape, &watch).shared[0] == 0xA5A5A5A5);
        GroupShape none = shape;
        none.block[1] = 0;
        CHECK(run_groups((*kernel)->entry(), none).shared[0] == 0xA5A5A5A5);
    }
}
