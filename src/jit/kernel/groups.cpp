// Groups: run the work-groups of a compute call by code that runs one warp.
// SPDX-License-Identifier: MIT
#include "jit/kernel/groups.hpp"

#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "exec/work_groups.hpp"
#include "jit/context/warp_call.hpp"

#include <algorithm>
#include <array>

namespace valkyr::jit {

namespace {

/// Without shared memory the pointer is that of the draw, as in the interpreter.
uint64_t local_pointer(const exec::ComputeCall& call) {
    return call.shared != nullptr ? reinterpret_cast<uintptr_t>(call.shared)
                                  : call.draw->special[exec::kWorkgroupLocalPointer];
}

/// Whether the call is like that of a uniform prologue: one invocation, and all its IDs are 0.
bool is_single(const exec::ComputeCall& call) {
    return call.group_count == 1 && call.first_group == 0 && call.shared_bytes == 0 &&
           call.block[0] == 1 && call.block[1] == 1 && call.block[2] == 1;
}

/// The code takes the call as it is.
void run_single(const GroupKernel& kernel, exec::ComputeCall& call) {
    if (call.registers != nullptr)
        kernel.idle_ids.each([&](Reg r) { call.registers[r].v[0] = 0; });
    kernel.code(nullptr, &call);
}

/// Local IDs of a warp: x and y packed, and z.
using LocalIds = std::array<exec::Lanes, 2>;

/// Fills the rows of a group's warps; lanes without an invocation get 0.
void fill_local_ids(const uint32_t (&block)[3], uint32_t invocations, LocalIds* warps) {
    warps[(invocations - 1) / exec::kLanes] = {};
    uint32_t x = 0;
    uint32_t y = 0;
    uint32_t z = 0;
    for (uint32_t n = 0; n < invocations; ++n) {
        LocalIds& ids = warps[n / exec::kLanes];
        ids[0].v[n % exec::kLanes] = x | y << 16;
        ids[1].v[n % exec::kLanes] = z;
        if (++x < block[0])
            continue;
        x = 0;
        if (++y < block[1])
            continue;
        y = 0;
        ++z;
    }
}

/// The groups of a call.
class GroupRun {
public:
    GroupRun(const GroupKernel& kernel, const exec::ComputeCall& call, uint32_t invocations)
        : kernel_(kernel)
        , call_(call)
        , invocations_(invocations)
        , warps_(exec::warps_of(invocations))
        , warp_{call} {
        fill_local_ids(call.block, invocations, local_ids_.data());
        warp_.local_pointer = local_pointer(call);
    }

    void run() {
        exec::each_group(call_, [&](uint64_t group) {
            const auto place = exec::place_of(group, call_.grid);
            for (unsigned axis = 0; axis < 3; ++axis) {
                warp_.group[axis] = place[axis];
                warp_.first_global[axis] = place[axis] * call_.block[axis];
            }
            waiting_ = 0;
            exec::run_rounds(warps_, [&](uint32_t number) { return run_warp(group, number); });
        });
    }

private:
    /// Starts a warp or goes on with it.
    exec::WarpStop run_warp(uint64_t group, uint32_t number) {
        const uint64_t bit = uint64_t{1} << number;
        const auto lanes = std::min(exec::kLanes, invocations_ - number * exec::kLanes);
        warp_.call.block[0] = lanes;
        warp_.call.tls = call_.tls + uint64_t{number} * exec::kLanes * kernel_.tls_bytes;
        warp_.call.registers = number + 1 == warps_ ? call_.registers : nullptr;
        warp_.local_ids = local_ids_[number].data();
        if (kernel_.waits) {
            exec::WarpContext& memory = call_.contexts != nullptr ? call_.contexts[number] : own_;
            warp_.waiting = reinterpret_cast<WaitingWarp*>(&memory);
            warp_.resumes = (waiting_ & bit) != 0 ? 1 : 0;
            warp_.waits = 0;
        }
        kernel_.code(nullptr, &warp_);
        if (warp_.waits != 0) {
            waiting_ |= bit;
            return exec::WarpStop::AtBarrier;
        }
        return_idle_ids(group, number, lanes);
        return exec::WarpStop::Ended;
    }

    /// Returns the IDs that the code leaves alone.
    void return_idle_ids(uint64_t group, uint32_t number, uint32_t lanes) {
        if (warp_.call.registers == nullptr || kernel_.idle_ids.empty())
            return;
        const exec::WarpIds ids = exec::warp_ids(call_, group, number);
        kernel_.idle_ids.each([&](Reg r) {
            std::copy_n(ids[r - exec::kLocalIdRegister].v, lanes, warp_.call.registers[r].v);
        });
    }

    const GroupKernel& kernel_;
    const exec::ComputeCall& call_;
    const uint32_t invocations_;
    const uint32_t warps_;
    WarpCall warp_;
    uint64_t waiting_ = 0;   ///< warps of the group that have come to a BARRIER, one bit each
    exec::WarpContext own_;  ///< of the only warp, if the call has none
    std::array<LocalIds, exec::kMaxGroupWarps> local_ids_;
};

}  // namespace

void run_groups(const void* kernel, void* call) noexcept {
    const auto& self = *static_cast<const GroupKernel*>(kernel);
    auto& compute = *static_cast<exec::ComputeCall*>(call);
    if (self.is_plain && is_single(compute))
        return run_single(self, compute);
    if (const uint32_t invocations = exec::group_invocations(compute.block); invocations != 0)
        GroupRun(self, compute, invocations).run();
}

}  // namespace valkyr::jit
