// Warp call: the call struct of the code of compute kernels, which runs one warp of a work-group.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::jit {

/// Made for each warp by run_groups() (kernel/groups.hpp).
struct WarpCall {
    exec::ComputeCall call;  ///< with this warp's `tls`; `registers` only for a group's last warp
    const exec::Lanes* ids = nullptr;  ///< exec::WarpIds
    uint64_t local_pointer = 0;        ///< workgroup_local_pointer
    uint32_t lanes = 1;                ///< invocations: these many lanes from lane 0 on
    uint32_t reserved = 0;
};
static_assert(offsetof(WarpCall, call) == 0, "code that all stages share reads the call");

}  // namespace valkyr::jit
