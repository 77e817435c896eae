// Devices: puts the compiler, the recompiler and the rasterizer together.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "raster/device.hpp"

#include <memory>

namespace valkyr::gpu {

/// Room for what the devices of many threads compile from equal shaders. Thread-safe; what was not
/// used for longest is forgotten.
class KernelCache;

/// errors  Unsupported: the engine or host level is not available here; OutOfMemory
VALKYR_API Result<std::shared_ptr<KernelCache>>
make_kernel_cache(const raster::DeviceOptions& options);

/// A rasterizer that compiles TGSI shaders.
/// shared  what devices with the same engine, host and NaN compile together. Null, or of other
///         options: the device keeps its kernels to itself, as it does with a kernel_tap
/// errors  Unsupported: the engine or host level is not available here; OutOfRange: threads;
///         System: a thread cannot be started; OutOfMemory
VALKYR_API Result<std::unique_ptr<raster::Device>>
create_device(const raster::DeviceOptions& options = {}, std::shared_ptr<KernelCache> shared = {});

}  // namespace valkyr::gpu
