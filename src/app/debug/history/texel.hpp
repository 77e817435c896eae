// Texel: keeps the bytes of one texel of a texture, with all its samples.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace valkyr::debug {

/// The place of a texel. Textures are numbered from 0 in the order in which the devices of a
/// playback create them.
struct Spot {
    uint32_t texture = 0;
    uint32_t level = 0;
    uint32_t x = 0, y = 0, z = 0;
    friend bool operator==(const Spot&, const Spot&) = default;
};

/// Texels of a level along one direction.
uint32_t level_size(uint32_t size, uint32_t level);
/// Layers of a level, or slices.
uint32_t slices_of(const raster::TextureDesc& desc, uint32_t level);
/// Whether the texture has the level and the texel in it.
bool is_inside(const raster::TextureDesc& desc, const Spot& spot);

/// A texel as it lies in memory. A compressed texture has decoded texels.
struct Texel {
    exec::Format format = exec::Format::None;
    uint32_t samples = 1;
    std::vector<uint8_t> bytes;  ///< of the samples, one after another
    friend bool operator==(const Texel&, const Texel&) = default;

    [[nodiscard]] std::span<const uint8_t> sample(uint32_t number) const {
        const size_t one = bytes.size() / samples;
        return std::span(bytes).subspan(number * one, one);
    }
    [[nodiscard]] bool is_depth_stencil() const {
        return exec::format_info(format).layout == exec::FormatLayout::DepthStencil;
    }
    /// Components r, g, b, a of a sample; of a colour format.
    [[nodiscard]] raster::Values color(uint32_t number) const {
        return raster::decode_texel(exec::format_info(format), sample(number).data());
    }
    /// Depth and stencil of a sample; of a depth/stencil format.
    [[nodiscard]] raster::DepthStencil depth_stencil(uint32_t number) const {
        return raster::load_depth_stencil(format, sample(number).data());
    }
};

/// Reads a texel of the rasterizer's own texture, after all calls of `device`. The place is inside.
/// errors   those of raster::Device::finish
Result<Texel> read_texel(raster::Device& device, const raster::TextureRef& texture, const Spot& at);

/// A texel of a block of a tile: `lane` of each sample. `block` has the samples' planes of 16
/// texels.
Texel texel_of_block(exec::Format format,
                     uint32_t samples,
                     unsigned lane,
                     std::span<const uint8_t> block);

/// The same of a block of depth codes and stencil values; an empty span stands for zeros.
Texel texel_of_block(exec::Format format,
                     uint32_t samples,
                     unsigned lane,
                     std::span<const uint32_t> depth,
                     std::span<const uint8_t> stencil);

}  // namespace valkyr::debug
