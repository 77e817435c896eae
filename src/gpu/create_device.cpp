// Devices: puts the compiler, the recompiler and the rasterizer together.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"

#include "base/caught_error.hpp"
#include "gpu/shader_cache.hpp"
#include "raster/device/device_impl.hpp"

#include <utility>

namespace valkyr::gpu {

Result<std::unique_ptr<raster::Device>> create_device(const raster::DeviceOptions& options,
                                                      std::shared_ptr<KernelCache> shared) try {
    VALKYR_TRY(shaders, make_shader_cache(options, std::move(shared)));
    VALKYR_TRY(device, raster::DeviceImpl::create(options, std::move(shaders)));
    return std::unique_ptr<raster::Device>(std::move(device));
} catch (...) {
    return caught_error();
}

}  // namespace valkyr::gpu
