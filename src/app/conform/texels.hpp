// Generated texture content: numbers to texels of any plain format, and pictures made of numbers.
// SPDX-License-Identifier: MIT
//
// This code shares nothing with the rasterizer. Its rounding does not matter: both sides of a
// comparison get these bytes.
#pragma once

#include "raster/state.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace valkyr::conform {

using Rgba = std::array<float, 4>;

/// Whether encode() knows the format: all but compressed ones and R9G9B9E5.
bool is_encodable(exec::Format format);

/// Appends one texel. Integer and scaled formats take the nearest integer; sRGB channels take
/// value * 255 as the code (no curve); depth comes from r, stencil from g.
void encode(exec::Format format, const Rgba& color, std::vector<uint8_t>& out);

/// Size of a level: texels, and slices (layers, faces or depth).
struct LevelSize {
    uint32_t width = 1, height = 1, slices = 1;
};
LevelSize level_size(const raster::TextureDesc& desc, uint32_t level);
/// Bytes of a whole level, all slices, blocks counted.
uint64_t level_bytes(const raster::TextureDesc& desc, uint32_t level);

struct TexelAt {
    uint32_t x = 0, y = 0, z = 0;
};
using Pattern = std::function<Rgba(const TexelAt&, const LevelSize&)>;

/// Every texel has this colour.
Pattern solid(Rgba color);
/// Squares of `cell` texels in two colours; odd slices swap the colours.
Pattern checker(uint32_t cell, Rgba first, Rgba second);
/// r grows with x, g with y, b with the slice, from 0 to 1; a falls from 1 to 1/2 along x + y.
Pattern gradient();
/// Components between 0 and 1 that look random and depend on seed and place alone.
Pattern noise(uint32_t seed);

/// A level of texels, encoded; every component c becomes low + c * (high - low) first.
std::vector<uint8_t> fill_level(
    const raster::TextureDesc& desc, uint32_t level, const Pattern& pattern, float low, float high);
/// Bytes that look random.
std::vector<uint8_t> random_bytes(uint64_t count, uint32_t seed);

}  // namespace valkyr::conform
