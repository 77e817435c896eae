// Texels: make the textures of the benchmark scenes.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <cstdint>

namespace valkyr::bench {

struct TextureShape {
    uint32_t size = 512;
    bool mipmapped = false;
    bool holes = false;  ///< alpha is 255 inside discs of 26 texels radius and 0 outside
};
/// Creates an RGBA8 checkerboard with noise.
Result<raster::TextureRef> create_texture(raster::Device& device, const TextureShape& shape);

}  // namespace valkyr::bench
