// Warp call: the call struct of the code of compute kernels, which runs one warp of a work-group.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::jit {

/// Most BARRIERs of a program at which lanes of one warp may wait apart from each other.
inline constexpr unsigned kMaxApart = 256;

/// A warp that waits at a BARRIER, in the memory of its exec::WarpContext.
struct WaitingWarp {
    exec::Lanes registers[exec::kRegisters];  ///< those that are read later
    uint32_t state;                           ///< where it waits (kernel/resume.hpp)
    uint32_t running;                         ///< lanes, if all wait at one BARRIER
    uint32_t loops_left;                      ///< FixedFrame::loops_left
    uint32_t loop_rounds;
    uint32_t parked[kMaxApart];  ///< lanes, by BARRIER, if they may wait at several
};
static_assert(sizeof(WaitingWarp) <= sizeof(exec::WarpContext));

/// Made for each warp by run_groups() (kernel/groups.hpp). Code that reads only `call` also takes
/// the ComputeCall of one warp.
struct WarpCall {
    /// With this warp's `tls` and `registers`. Its first block[0] lanes have an invocation; code
    /// reads no other member about groups.
    exec::ComputeCall call;
    /// Rows of the two registers from kLocalIdRegister on.
    const exec::Lanes* local_ids = nullptr;
    uint32_t group[3] = {};         ///< workgroup ID
    uint32_t first_global[3] = {};  ///< global ID of the group's first invocation
    uint64_t local_pointer = 0;     ///< workgroup_local_pointer
    WaitingWarp* waiting = nullptr;
    uint32_t resumes = 0;  ///< 1: the warp in `waiting` goes on
    uint32_t waits = 0;    ///< code sets it to 1 when the warp waits at a BARRIER
};
static_assert(offsetof(WarpCall, call) == 0, "a WarpCall begins with a ComputeCall");

}  // namespace valkyr::jit
