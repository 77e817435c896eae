// Groups case: runs work-groups of a compute program on the interpreter and on every host level.
// SPDX-License-Identifier: MIT
#include "tests/jit/kernel/groups_case.hpp"

#include "exec/work_groups.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>

namespace valkyr::test {

namespace {

constexpr uint32_t kTlsBytes = 32;  ///< of a lane
constexpr uint32_t kUntouched = 0xA5A5A5A5;

bool same_words(const exec::Lanes& a, const exec::Lanes& b, uint32_t lanes) {
    return std::equal(a.v, a.v + lanes, b.v);
}

uint32_t invocations_of(const GroupShape& shape) {
    return shape.block[0] * shape.block[1] * shape.block[2];
}

void check_same(const GroupMemory& got, const GroupMemory& expected, uint32_t lanes) {
    CHECK(got.shared == expected.shared);
    for (size_t k = 0; k < expected.tls.size(); ++k)
        CHECK_MESSAGE(same_words(got.tls[k], expected.tls[k], exec::kLanes), "row ", k);
    for (unsigned r = 0; r < exec::kRegisters; ++r)
        CHECK_MESSAGE(same_words(got.registers[r], expected.registers[r], lanes), "r", r);
}

}  // namespace

valhall::Program group_program(std::string_view text, const exec::ComputeInfo& compute) {
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.info.compute = compute;
    program.info.tls_bytes = kTlsBytes;
    program.words = words_of(std::string(text));
    program.fau.resize(kTestUniforms);
    for (valhall::FauWord& word : program.fau)
        word.kind = valhall::FauKind::Constant;
    return program;
}

GroupMemory
run_groups(const exec::Kernel& kernel, const GroupShape& shape, exec::LoopWatch* watch) {
    static std::vector<exec::Lanes> tls(size_t{exec::kMaxGroupWarps} * kTlsBytes / 4);
    static std::vector<exec::Lanes> shared(exec::kMaxSharedBytes / sizeof(exec::Lanes) + 4);
    const uint32_t warps = exec::warps_of(invocations_of(shape));
    const size_t rows = size_t{warps} * kTlsBytes / 4;
    GroupMemory memory;
    for (exec::Lanes& row : memory.registers)
        std::ranges::fill(row.v, kUntouched);
    std::fill_n(tls.begin(), rows, exec::Lanes{});
    for (exec::Lanes& row : shared)
        std::ranges::fill(row.v, kUntouched);
    std::vector<exec::WarpContext> contexts(warps);
    std::array<uint32_t, kTestUniforms> fau{3, 0};
    for (uint32_t k = 2; k < fau.size(); ++k)
        fau[k] = 5 * k;
    exec::DrawContext draw;
    draw.fau = fau.data();
    draw.watch = watch;
    exec::ComputeCall call;
    call.draw = &draw;
    call.registers = memory.registers.data();
    std::ranges::copy(shape.block, call.block);
    std::ranges::copy(shape.grid, call.grid);
    call.tls = reinterpret_cast<uintptr_t>(tls.data());
    call.first_group = shape.first;
    call.group_count = shape.count;
    call.shared_bytes = shape.shared_bytes;
    call.shared = reinterpret_cast<uint8_t*>(shared.data());
    call.contexts = shape.contexts ? contexts.data() : nullptr;
    kernel(call);
    memory.tls.assign(tls.begin(), tls.begin() + static_cast<std::ptrdiff_t>(rows));
    const auto* const words = reinterpret_cast<const uint32_t*>(shared.data());
    memory.shared.assign(words, words + shape.shared_bytes / 4 + 64);
    return memory;
}

GroupMemory agreed_groups(std::string_view text, const GroupShape& shape, bool fixed) {
    exec::ComputeInfo info;
    if (fixed)
        std::ranges::copy(shape.block, info.block);
    info.shared_bytes = shape.shared_bytes;
    const valhall::Program program = group_program(text, info);
    const auto interpreter = valhall::Interpreter::create(program);
    REQUIRE(interpreter.has_value());
    GroupMemory expected = run_groups(interpreter->kernel(), shape);
    const uint32_t lanes = (invocations_of(shape) - 1) % exec::kLanes + 1;
    const jit::KernelKey key;
    CHECK(emission_failure(program, key) == "");
    for (const auto& recompiler : recompilers()) {
        CAPTURE(jit::host_level_name(recompiler->level()));
        const auto kernel = recompiler->recompile(program, key);
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        check_same(run_groups((*kernel)->entry(), shape), expected, lanes);
        jit::KernelKey no_result = key;
        no_result.returns_registers = false;
        const auto other = recompiler->recompile(program, no_result);
        REQUIRE_MESSAGE(other.has_value(), other.error().text);
        GroupMemory got = run_groups((*other)->entry(), shape);
        CHECK(got.registers[0].v[0] == kUntouched);
        got.registers = expected.registers;
        check_same(got, expected, lanes);
    }
    return expected;
}

}  // namespace valkyr::test
