// Groups: run the work-groups of a compute call by code that runs one warp.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"
#include "jit/guest/reg_set.hpp"

#include <cstdint>

namespace valkyr::jit {

/// A compute kernel.
struct GroupKernel {
    exec::KernelEntry code = nullptr;  ///< takes a WarpCall and no object
    uint32_t tls_bytes = 0;            ///< ProgramInfo::tls_bytes
    RegSet idle_ids;        ///< GuestProgram::idle_ids: the entry returns them, not the code
    bool is_plain = false;  ///< never waits, and reads neither IDs nor workgroup_local_pointer
    bool waits = false;     ///< warps may wait at BARRIERs
};

/// The entry of compute kernels: `kernel` is a GroupKernel, `call` a ComputeCall.
void run_groups(const void* kernel, void* call) noexcept;

}  // namespace valkyr::jit
