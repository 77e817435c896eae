// Groups test: checks which work-groups are recompiled, and compares them with the interpreter.
// SPDX-License-Identifier: MIT
#include "exec/work_groups.hpp"
#include "tests/jit/harness.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

using Sizes = std::array<uint32_t, 3>;

valhall::Program program_of(std::string_view text, const exec::ComputeInfo& compute) {
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.info.compute = compute;
    program.info.tls_bytes = 32;
    program.words = words_of(std::string(text));
    program.fau.resize(2);
    return program;
}

/// Empty if recompilers take the program, else the text of the error.
std::string refusal(std::string_view text, const exec::ComputeInfo& compute) {
    const valhall::Program program = program_of(text, compute);
    for (const auto& recompiler : recompilers()) {
        const auto kernel = recompiler->recompile(program, {});
        if (!kernel) {
            CHECK(kernel.error().code == Errc::Unsupported);
            return kernel.error().text;
        }
    }
    return {};
}

/// The groups of a call.
struct Shape {
    Sizes block{1, 1, 1};
    Sizes grid{1, 1, 1};
    uint64_t first = 0;
    uint64_t count = 1;
    uint32_t shared_bytes = 0;
};

/// Memory after a call.
struct Memory {
    std::vector<exec::Lanes> tls;
    std::vector<uint32_t> shared;
    Registers registers{};
};

Memory run(const exec::Kernel& kernel, const Shape& shape, exec::LoopWatch* watch = nullptr) {
    const uint32_t warps = exec::warps_of(shape.block[0] * shape.block[1] * shape.block[2]);
    Memory memory;
    memory.tls.resize(size_t{warps} * 8);
    for (exec::Lanes& row : memory.registers)
        std::ranges::fill(row.v, 0xA5A5A5A5);
    memory.shared.assign(shape.shared_bytes / 4 + 64, 0xA5A5A5A5);
    std::vector<exec::WarpContext> contexts(warps);
    const std::array<uint32_t, 2> fau{3, 0};
    exec::DrawContext draw;
    draw.fau = fau.data();
    draw.watch = watch;
    exec::ComputeCall call;
    call.draw = &draw;
    call.registers = memory.registers.data();
    std::ranges::copy(shape.block, call.block);
    std::ranges::copy(shape.grid, call.grid);
    call.tls = reinterpret_cast<uintptr_t>(memory.tls.data());
    call.first_group = shape.first;
    call.group_count = shape.count;
    call.shared_bytes = shape.shared_bytes;
    call.shared = reinterpret_cast<uint8_t*>(memory.shared.data());
    call.contexts = contexts.data();
    kernel(call);
    return memory;
}

bool same_words(const exec::Lanes& a, const exec::Lanes& b, uint32_t lanes) {
    return std::equal(a.v, a.v + lanes, b.v);
}

/// Runs the groups on the interpreter and on each level; returns the interpreter's memory. The
/// registers at the end must not depend on addresses of shared memory.
Memory agreed(std::string_view text, const Shape& shape, bool fixed = true) {
    exec::ComputeInfo info;
    if (fixed)
        std::ranges::copy(shape.block, info.block);
    info.shared_bytes = shape.shared_bytes;
    const valhall::Program program = program_of(text, info);
    const auto interpreter = valhall::Interpreter::create(program);
    REQUIRE(interpreter.has_value());
    Memory expected = run(interpreter->kernel(), shape);
    const uint32_t invocations = shape.block[0] * shape.block[1] * shape.block[2];
    const auto lanes = (invocations - 1) % exec::kLanes + 1;
    CHECK(emission_failure(program, {}) == "");
    for (const auto& recompiler : recompilers()) {
        CAPTURE(jit::host_level_name(recompiler->level()));
        const auto kernel = recompiler->recompile(program, {});
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        const Memory got = run((*kernel)->entry(), shape);
        CHECK(got.shared == expected.shared);
        for (size_t k = 0; k < expected.tls.size(); ++k)
            CHECK(same_words(got.tls[k], expected.tls[k], exec::kLanes));
        for (unsigned r = 0; r < exec::kRegisters; ++r)
            CHECK_MESSAGE(same_words(got.registers[r], expected.registers[r], lanes), "r", r);
    }
    return expected;
}

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

TEST_CASE("groups in which a warp would have to wait are refused") {
    const std::string text = "BARRIER.slot7.wait\nNOP.end\n";
    const std::string several = "compute: a BARRIER in a work-group of several warps";
    CHECK(refusal(text, {{1, 1, 1}, 0}).empty());
    CHECK(refusal(text, {{16, 1, 1}, 64}).empty());
    CHECK(refusal(text, {{4, 2, 2}, 0}).empty());
    CHECK(refusal(text, {{17, 1, 1}, 0}) == several);
    CHECK(refusal(text, {{4, 4, 2}, 0}) == several);
    CHECK(refusal(text, {}) == "compute: a BARRIER in work-groups of no fixed size");
    CHECK(refusal("NOP.end\n", {{4, 4, 2}, 32768}).empty());
    CHECK(refusal("NOP.end\n", {}).empty());
}

TEST_CASE("a BARRIER is recompiled where all lanes that have not ended come to it") {
    const exec::ComputeInfo warp{{16, 1, 1}, 0};
    const std::string head = "BRANCHZ.reconverge r55.h0, offset:behind\n";
    CHECK(refusal(head + "BARRIER.slot7.wait\nbehind: NOP.end\n", warp) ==
          "compute: a BARRIER in code that some lanes may not reach");
    CHECK(refusal(head + "IADD_IMM.i32 r0, r0, #1\nbehind: BARRIER.slot7.wait\nNOP.end\n", warp)
              .empty());
    CHECK(refusal("BRANCHZ.reconverge u0.h0, offset:behind\nBARRIER.slot7.wait\nbehind: NOP.end\n",
                  warp)
              .empty());
}

TEST_CASE("warps get the IDs of their invocations and their own thread-local storage") {
    for (const Sizes& block : {Sizes{1, 1, 1}, {16, 1, 1}, {5, 3, 1}, {40, 1, 1}, {4, 5, 6}})
        for (const bool fixed : {true, false}) {
            agreed(kKeepIds, {block, {3, 2, 2}, 0, 1}, fixed);
            agreed(kKeepIds, {block, {3, 2, 2}, 0, 12}, fixed);
            agreed(kKeepIds, {block, {3, 2, 2}, 4, 3}, fixed);
        }
    const Memory memory = agreed(kKeepIds, {{1, 20, 1}, {2, 3, 4}, 2 + 3 * 2 + 1, 1});
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
        agreed(text, {block, {8, 2, 2}, 5, 20});
    agreed(text, {});
}

TEST_CASE("IDs that a program leaves alone are among its registers at the end") {
    const char* const pointer = "MOV.i32 r9, workgroup_local_pointer.w1\nMOV.i32 r9, 0x0\n";
    for (const std::string text : {"", "IADD_IMM.i32 r57, r0, #5\n", pointer})
        for (const bool fixed : {true, false}) {
            agreed(text + "NOP.end\n", {}, fixed);
            agreed(text + "NOP.end\n", {{1, 1, 1}, {4, 1, 1}, 2, 1}, fixed);
            agreed(text + "NOP.end\n", {{20, 2, 1}, {2, 3, 2}, 4, 4}, fixed);
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
        const Shape shape{{width, 1, 1}, {4, 1, 1}, 1, 3, width * 4 + 4};
        const Memory memory = agreed(text, shape);
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
    const Memory memory = agreed(text, {{16, 1, 1}, {3, 1, 1}, 0, 3, 64});
    for (uint32_t n = 0; n < 16; ++n)
        CHECK(memory.shared[n] == 32 + 15 - n);
    agreed(text, {{5, 1, 1}, {3, 1, 1}, 1, 2, 64});
}

TEST_CASE("cancelled calls start no group, and groups of no invocations do not run") {
    const Shape shape{{16, 1, 1}, {4, 1, 1}, 0, 4, 64};
    const valhall::Program program = program_of(kKeepIds, {});
    for (const auto& recompiler : recompilers()) {
        const auto kernel = recompiler->recompile(program, {});
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        exec::LoopWatch watch;
        watch.cancelled = exec::kCancelledFromOutside;
        CHECK(run((*kernel)->entry(), shape, &watch).shared[0] == 0xA5A5A5A5);
        Shape none = shape;
        none.block[1] = 0;
        CHECK(run((*kernel)->entry(), none).shared[0] == 0xA5A5A5A5);
    }
}
