// Dispatch builder: turns the API state of a dispatch into a kernel and its call.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "exec/abi.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/support/memory.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Everything that a dispatch is built with, besides its state.
struct DispatchContext {
    const DeviceTag* owner = nullptr;
    uint64_t tls = 0;                  ///< thread-local storage for uniform prologues
    exec::LoopWatch* watch = nullptr;  ///< watch of the device
};

/// A dispatch that can run.
struct DispatchRecord {
    KernelRef kernel;
    /// The call for all groups together; members that belong to a worker are not set.
    exec::ComputeCall call;
};

/// Builds a dispatch with validated state. Its context, tables and uniforms lie in the arena, and
/// the texels of all bound textures are settled.
/// groups  none is 0
/// errors  Unsupported, OutOfRange, System: a kernel, a view or a sampler cannot be made
Result<DispatchRecord> build_dispatch(const DispatchContext& context,
                                      const ComputePipelineImpl& pipeline,
                                      const StageResources& resources,
                                      const std::array<uint32_t, 3>& groups,
                                      Arena& arena);

}  // namespace valkyr::raster
