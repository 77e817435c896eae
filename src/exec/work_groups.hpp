// Work-groups: places the invocations of compute calls in warps, and runs warps between barriers.
// SPDX-License-Identifier: MIT
//
// A lane at a BARRIER is parked and the other lanes of its warp go on. A warp stops when each of
// its lanes has ended or is parked. When all warps of the group have stopped, the next round
// releases the parked lanes. So a lane that has ended counts as arrived, and a BARRIER that only
// some lanes reach never hangs.
#pragma once

#include "exec/calls.hpp"
#include "exec/entry_registers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace valkyr::exec {

/// Invocations of a group with this block size; 0 if a size is 0 or all together are more than
/// kMaxGroupInvocations.
constexpr uint32_t group_invocations(const uint32_t (&block)[3]) {
    uint64_t count = 1;
    for (const uint32_t size : block)
        count = size > kMaxGroupInvocations ? 0 : count * size;
    return count > kMaxGroupInvocations ? 0 : static_cast<uint32_t>(count);
}
constexpr uint32_t warps_of(uint32_t invocations) {
    return (invocations + kLanes - 1) / kLanes;
}
/// Lanes of warp `warp` that have an invocation.
constexpr uint16_t group_lanes(uint32_t invocations, uint32_t warp) {
    const uint32_t left = invocations - warp * kLanes;
    return left >= kLanes ? uint16_t{0xFFFF} : static_cast<uint16_t>((1U << left) - 1);
}

/// The place of element `index` in an array of these sizes: x, y, z; x counts first.
constexpr std::array<uint32_t, 3> place_of(uint64_t index, const uint32_t (&sizes)[3]) {
    return {static_cast<uint32_t>(index % sizes[0]),
            static_cast<uint32_t>(index / sizes[0] % sizes[1]),
            static_cast<uint32_t>(index / sizes[0] / sizes[1])};
}

/// The entry registers of a compute program: rows of the registers from kLocalIdRegister on.
inline constexpr unsigned kIdRegisters = kGlobalIdRegister + 3 - kLocalIdRegister;
using WarpIds = std::array<Lanes, kIdRegisters>;

/// IDs of the lanes of a warp that have an invocation; rows of other lanes are 0.
inline WarpIds warp_ids(const ComputeCall& call, uint64_t group, uint32_t warp) {
    constexpr unsigned group_row = kWorkgroupIdRegister - kLocalIdRegister;
    constexpr unsigned global_row = kGlobalIdRegister - kLocalIdRegister;
    WarpIds ids{};
    const std::array<uint32_t, 3> block = place_of(group, call.grid);
    const uint32_t first = warp * kLanes;
    const uint32_t lanes = std::min(kLanes, group_invocations(call.block) - first);
    for (unsigned l = 0; l < lanes; ++l) {
        const std::array<uint32_t, 3> local = place_of(first + l, call.block);
        ids[0].v[l] = local[0] | local[1] << 16;
        ids[1].v[l] = local[2];
        for (unsigned k = 0; k < 3; ++k) {
            ids[group_row + k].v[l] = block[k];
            ids[global_row + k].v[l] = block[k] * call.block[k] + local[k];
        }
    }
    return ids;
}

/// Calls run_group(group) for each group of the call, with its shared memory filled with zeros. No
/// further group starts once the work has been cancelled.
template <typename RunGroup>
void each_group(const ComputeCall& call, RunGroup run_group) {
    for (uint64_t n = 0; n < call.group_count && !is_cancelled(call.draw->watch); ++n) {
        if (call.shared_bytes != 0)
            std::memset(call.shared, 0, call.shared_bytes);
        run_group(call.first_group + n);
    }
}

/// Why a warp has stopped: all its lanes have ended, or some of them wait at a BARRIER.
enum class WarpStop : uint8_t { Ended, AtBarrier };

/// Runs the warps of a group in rounds until all have ended. run_warp(warp) starts or goes on with
/// a warp, releases its parked lanes, and returns a WarpStop.
/// warps  1 to kMaxGroupWarps
template <typename RunWarp>
void run_rounds(uint32_t warps, RunWarp run_warp) {
    uint64_t waiting = ~uint64_t{0} >> (kMaxGroupWarps - warps);
    while (waiting != 0) {
        for (uint64_t left = waiting; left != 0; left &= left - 1) {
            const auto warp = static_cast<uint32_t>(std::countr_zero(left));
            if (run_warp(warp) == WarpStop::Ended)
                waiting &= ~(uint64_t{1} << warp);
        }
    }
}

static_assert(kMaxGroupWarps == 64, "a word has a bit for each warp of a group");

}  // namespace valkyr::exec
