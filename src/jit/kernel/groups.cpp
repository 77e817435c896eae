// Groups: run the work-groups of a compute call by code that runs one warp.
// SPDX-License-Identifier: MIT
#include "jit/kernel/groups.hpp"

#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "exec/work_groups.hpp"
#include "jit/context/warp_call.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::jit {

namespace {

/// Without shared memory the pointer is that of the draw, as in the interpreter.
uint64_t local_pointer(const exec::ComputeCall& call) {
    constexpr unsigned special = exec::kWorkgroupLocalPointer;
    return call.shared != nullptr ? reinterpret_cast<uintptr_t>(call.shared)
                                  : call.draw->special[special / 16][special % 16];
}

/// Whether the call is like that of a uniform prologue: one invocation, and all its IDs are 0.
bool is_single(const exec::ComputeCall& call) {
    return call.group_count == 1 && call.first_group == 0 && call.shared_bytes == 0 &&
           call.block[0] == 1 && call.block[1] == 1 && call.block[2] == 1;
}

/// Returns the IDs that the code leaves alone.
void return_idle_ids(const GroupKernel& kernel, const WarpCall& warp) {
    if (warp.call.registers == nullptr)
        return;
    kernel.idle_ids.each([&](Reg r) {
        const exec::Lanes& row = warp.ids[r - exec::kLocalIdRegister];
        std::copy_n(row.v, warp.call.block[0], warp.call.registers[r].v);
    });
}

/// The code takes the call as it is.
void run_single(const GroupKernel& kernel, exec::ComputeCall& call) {
    if (call.registers != nullptr)
        kernel.idle_ids.each([&](Reg r) { call.registers[r].v[0] = 0; });
    kernel.code(nullptr, &call);
}

/// No warp waits: each runs to its end at once.
exec::WarpStop run_warp(const GroupKernel& kernel,
                        const exec::ComputeCall& call,
                        uint64_t group,
                        uint32_t number) {
    const uint32_t invocations = exec::group_invocations(call.block);
    const exec::WarpIds ids = exec::warp_ids(call, group, number);
    WarpCall warp{call, ids.data(), local_pointer(call)};
    warp.call.block[0] =
        static_cast<uint32_t>(std::popcount(exec::group_lanes(invocations, number)));
    warp.call.tls += uint64_t{number} * exec::kLanes * kernel.tls_bytes;
    if (number + 1 != exec::warps_of(invocations))
        warp.call.registers = nullptr;
    kernel.code(nullptr, &warp);
    return_idle_ids(kernel, warp);
    return exec::WarpStop::Ended;
}

}  // namespace

void run_groups(const void* kernel, void* call) noexcept {
    const auto& self = *static_cast<const GroupKernel*>(kernel);
    auto& compute = *static_cast<exec::ComputeCall*>(call);
    if (self.is_plain && is_single(compute))
        return run_single(self, compute);
    const uint32_t invocations = exec::group_invocations(compute.block);
    if (invocations == 0)
        return;
    exec::each_group(compute, [&](uint64_t group) {
        exec::run_rounds(exec::warps_of(invocations),
                         [&](uint32_t warp) { return run_warp(self, compute, group, warp); });
    });
}

}  // namespace valkyr::jit
