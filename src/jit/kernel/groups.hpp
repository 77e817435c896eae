// Groups: run the work-groups of a compute call by code that runs one warp.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"

#include <cstdint>

namespace valkyr::jit {

/// A compute kernel.
struct GroupKernel {
    exec::KernelEntry code = nullptr;  ///< takes a WarpCall and no object
    uint32_t tls_bytes = 0;            ///< ProgramInfo::tls_bytes
};

/// The entry of compute kernels: `kernel` is a GroupKernel, `call` a ComputeCall.
void run_groups(const void* kernel, void* call) noexcept;

}  // namespace valkyr::jit
