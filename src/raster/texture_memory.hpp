// Texture memory: shows the bytes that a device keeps of a texture, to save and restore them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace valkyr::raster {

/// The bytes of a texture after all recorded calls: those of the stored texels of all levels, tile
/// by tile with all samples (docs/architecture.md, "Lanes, blocks and tiles"); then, for compressed
/// formats, the blocks of each level as they were written. Textures with equal descriptions have
/// equally many. They may be read and written until the next call of the device.
/// errors  InvalidState: no texture of the rasterizer; those of Device::finish()
Result<std::vector<std::span<std::byte>>> texture_memory(Device& device, const TextureRef& texture);

}  // namespace valkyr::raster
