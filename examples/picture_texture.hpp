// Picture texture: makes a mipmapped texture of a picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/image_io.hpp"
#include "raster/device.hpp"

namespace valkyr::examples {

/// Creates a texture with all levels. Each texel is the mean of 2x2 texels of the level above,
/// fewer at odd sides.
/// format  R8G8B8A8_UNORM or R8G8B8A8_SRGB, whose levels are the same bytes
Result<raster::TextureRef>
create_picture_texture(raster::Device& device,
                       const Image& image,
                       raster::Format format = raster::Format::R8G8B8A8_UNORM);

}  // namespace valkyr::examples
