// Kernel tap: shows a debugger the kernels of a device, and lets it replace them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/record/pipeline.hpp"

namespace valkyr::valhall {
struct Program;
}

namespace valkyr::raster {

/// DeviceOptions::kernel_tap. Called on the thread that uses the device; the kernels it returns are
/// called by the workers.
class KernelTap {
public:
    virtual ~KernelTap() = default;
    /// A kernel was made from `program`, which lives as long as the call. The key of the program's
    /// stage is set; both are null for uniform prologues.
    /// returns  what is called from now on: `kernel` itself, or a kernel that computes the same
    virtual KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           KernelRef kernel) = 0;
};

}  // namespace valkyr::raster
