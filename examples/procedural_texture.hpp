// Procedural texture: computes mipmapped RGBA8 textures, bit for bit equal on every host.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <cstdint>
#include <functional>

namespace valkyr::examples {

/// Colour of a texel as bytes r, g, b, a (r lowest).
using TexelFunction = std::function<uint32_t(uint32_t x, uint32_t y)>;

/// Colour in a direction (of any length) as bytes r, g, b, a (r lowest).
using DirectionFunction = std::function<uint32_t(double x, double y, double z)>;

/// Smooth noise between 0 and 1: `octaves` layers, each twice as fine and half as strong as the one
/// before. The coarsest has a random value at each point of the integer lattice.
double fractal_noise(double x, double y, unsigned octaves);

/// Packs four bytes, r lowest.
constexpr uint32_t rgba(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    return r | g << 8 | b << 16 | a << 24;
}

/// Packs four channels, clamped to 0..1.
uint32_t rgba_of(double r, double g, double b, double a = 1);

/// A square RGBA8 texture of `size` texels (a power of two) with all its mip levels; level n + 1 is
/// the rounded mean of 2x2 texels of level n.
Result<raster::TextureRef>
create_mipmapped_texture(raster::Device& device, uint32_t size, const TexelFunction& texel);
/// A cube map with faces of `size` texels: +x, -x, +y, -y, +z, -z (OpenGL 4.6 table 8.19).
Result<raster::TextureRef>
create_mipmapped_cube(raster::Device& device, uint32_t size, const DirectionFunction& color);

}  // namespace valkyr::examples
