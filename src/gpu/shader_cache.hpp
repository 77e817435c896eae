// Shader cache: makes programs and kernels from TGSI text and state keys.
// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/create_device.hpp"
#include "raster/record/shader_cache.hpp"

#include <memory>

namespace valkyr::gpu {

/// shared  as for create_device()
/// errors  Unsupported: the engine or host level is not available here
Result<std::unique_ptr<raster::ShaderCache>>
make_shader_cache(const raster::DeviceOptions& options, std::shared_ptr<KernelCache> shared = {});

}  // namespace valkyr::gpu
