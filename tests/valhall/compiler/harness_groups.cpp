// Harness groups: runs work-groups on the TGSI interpreter, and on engines that take compute calls.
// SPDX-License-Identifier: MIT
#include "exec/work_groups.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tests/valhall/compiler/harness_p.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

constexpr uint64_t kGuard = 0xA5A5A5A5A5A5A5A5;
constexpr size_t kGuardWords = 8;

using Triple = std::array<uint32_t, 3>;

uint32_t product(const Triple& sizes) {
    return sizes[0] * sizes[1] * sizes[2];
}

Triple place(uint32_t index, const Triple& sizes) {
    return {index % sizes[0], index / sizes[0] % sizes[1], index / (sizes[0] * sizes[1])};
}

Word4 word4(const Triple& triple) {
    return {triple[0], triple[1], triple[2], 0};
}

Word4 system_value(tgsi::Semantic semantic,
                   const Groups& groups,
                   uint32_t group,
                   uint32_t invocation) {
    switch (semantic) {
    case tgsi::Semantic::ThreadId: return word4(place(invocation, groups.block));
    case tgsi::Semantic::BlockId: return word4(place(group, groups.grid));
    case tgsi::Semantic::BlockSize: return word4(groups.block);
    case tgsi::Semantic::GridSize: return word4(groups.grid);
    default: return {};
    }
}

void fill_invocations(const tgsi::Shader& shader,
                      const Groups& groups,
                      uint32_t number,
                      uint32_t system_values,
                      tgsi::Group& group) {
    group.invocations.resize(product(groups.block));
    for (uint32_t n = 0; n < group.invocations.size(); ++n) {
        group.invocations[n].system_values.resize(system_values);
        valhall::for_each_register(shader, tgsi::File::SystemValue,
                                   [&](const auto& declaration, uint32_t i, uint32_t) {
                                       group.invocations[n].system_values[i] =
                                           system_value(declaration.semantic, groups, number, n);
                                   });
    }
}

}  // namespace

uint32_t warps_of(const Groups& groups) {
    return exec::warps_of(product(groups.block));
}

ShaderOutputs run_tgsi_groups(const tgsi::Shader& shader, const ShaderInputs& in) {
    ShaderOutputs out;
    out.memory = in.memory;
    const uint64_t steps = product(in.groups.block) * kStepLimit;
    auto interpreter = tgsi::Interpreter::create(shader, {.steps = steps});
    if (!interpreter) {
        out.failure = interpreter.error().format("tgsi");
        return out;
    }
    TgsiResources resources(out.memory, uses_gradients(shader));
    for (uint32_t number = 0; number < product(in.groups.grid); ++number) {
        tgsi::Group group;
        fill_invocations(shader, in.groups, number, interpreter->system_value_count(), group);
        for (const std::vector<uint32_t>& buffer : in.constants)
            group.constants.emplace_back(buffer);
        resources.attach(group);
        out.shared.assign(in.groups.shared_bytes, 0);
        group.shared = out.shared;
        if (auto result = interpreter->run(group); !result) {
            out.failure = result.error().format("tgsi");
            return out;
        }
    }
    return out;
}

GroupMemory::GroupMemory(const Groups& groups)
    : groups_(groups)
    , contexts_(warps_of(groups))
    , shared_((groups.shared_bytes + 15) / 16 * 2 + kGuardWords, kGuard) {}

void GroupMemory::run(exec::ComputeCall& call, const GroupEngine& engine) {
    std::ranges::copy(groups_.block, call.block);
    std::ranges::copy(groups_.grid, call.grid);
    call.shared_bytes = groups_.shared_bytes;
    call.shared = reinterpret_cast<uint8_t*>(shared_.data());
    call.contexts = contexts_.data();
    const uint32_t count = product(groups_.grid);
    for (const auto& [first, end] : {std::pair{0U, count / 2}, std::pair{count / 2, count}}) {
        call.first_group = first;
        call.group_count = end - first;
        engine(call);
    }
    const auto guard = std::span(shared_).last(kGuardWords);
    CHECK(std::ranges::count(guard, kGuard) == kGuardWords);
}

std::vector<uint8_t> GroupMemory::shared() const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(shared_.data());
    return {bytes, bytes + groups_.shared_bytes};
}

}  // namespace valkyr::test
