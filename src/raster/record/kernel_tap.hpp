// Kernel tap: shows a debugger the kernels of a device, and lets it replace them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/record/pipeline.hpp"

namespace valkyr::valhall {
struct Program;
}

namespace valkyr::raster {

/// Interface of DeviceOptions::kernel_tap. It is called on the thread that uses the device; workers
/// call the kernels that it returns.
class KernelTap {
public:
    virtual ~KernelTap() = default;
    /// Called when a kernel was made from `program`, which lives until the call returns. The key of
    /// the program's stage is set (compute programs: `vertex`); both keys are null for uniform
    /// prologues.
    /// returns  the kernel to call from now on: `kernel`, or one that computes equal results
    virtual KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           KernelRef kernel) = 0;
};

}  // namespace valkyr::raster
