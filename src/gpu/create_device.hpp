// Devices: puts the compiler, the recompiler and the rasterizer together.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "raster/device.hpp"

#include <memory>

namespace valkyr::gpu {

/// Keeps what several devices, which may run on different threads, compile from equal shaders.
/// Thread-safe; it drops the entries that were not used for longest.
class KernelCache;

/// errors  Unsupported: the engine or host level is not available here; OutOfMemory
VALKYR_API Result<std::shared_ptr<KernelCache>>
make_kernel_cache(const raster::DeviceOptions& options);

/// A rasterizer that compiles TGSI shaders.
/// shared  cache of devices with equal engine, host and NaN options. If it is null or has other
///         options, or if there is a kernel_tap, the device has a cache of its own
/// errors  Unsupported: the engine or host level is not available here; OutOfRange: threads;
///         System: a thread cannot be started; OutOfMemory
VALKYR_API Result<std::unique_ptr<raster::Device>>
create_device(const raster::DeviceOptions& options = {}, std::shared_ptr<KernelCache> shared = {});

}  // namespace valkyr::gpu
