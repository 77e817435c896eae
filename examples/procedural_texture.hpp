// RGBA8 pictures made by integer arithmetic, with box-filtered mip levels.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <cstdint>
#include <functional>

namespace valkyr::examples {

/// Colour of a texel as bytes r, g, b, a (r lowest).
using TexelFunction = std::function<uint32_t(uint32_t x, uint32_t y)>;

/// Packs four bytes, r lowest.
constexpr uint32_t rgba(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    return r | g << 8 | b << 16 | a << 24;
}

/// A square RGBA8 texture of `size` texels (a power of two) with all its mip levels; level n + 1 is
/// the rounded mean of 2x2 texels of level n.
Result<raster::TextureRef>
create_mipmapped_texture(raster::Device& device, uint32_t size, const TexelFunction& texel);

}  // namespace valkyr::examples
