// Warp call: the call struct of the code of compute kernels, which runs one warp of a work-group.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::jit {

/// Made for each warp by run_groups() (kernel/groups.hpp). Code that reads only `call` also takes
/// the ComputeCall of one warp.
struct WarpCall {
    /// With this warp's `tls` and `registers`. Its first block[0] lanes have an invocation; code
    /// reads no other member about groups.
    exec::ComputeCall call;
    const exec::Lanes* ids = nullptr;  ///< exec::WarpIds
    uint64_t local_pointer = 0;        ///< workgroup_local_pointer
};
static_assert(offsetof(WarpCall, call) == 0, "a WarpCall begins with a ComputeCall");

}  // namespace valkyr::jit
