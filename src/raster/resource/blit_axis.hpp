// Blit axis: maps destination texels to source texels (docs/rules/formats.md "Blits").
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/resource.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace valkyr::raster {

/// One direction: texels [low, low + size) of the destination and the source texels that they read.
struct BlitAxis {
    int64_t destination = 0;  ///< lowest texel
    int64_t size = 0;
    int64_t source = 0;
    int64_t source_size = 0;
    bool mirrored = false;
    int64_t limit = 1;  ///< size of the source level

    BlitAxis(int32_t to, int32_t to_size, int32_t from, int32_t from_size, uint32_t level_size)
        : destination(to_size < 0 ? int64_t{to} + to_size : to)
        , size(std::abs(int64_t{to_size}))
        , source(from_size < 0 ? int64_t{from} + from_size : from)
        , source_size(std::abs(int64_t{from_size}))
        , mirrored((to_size < 0) != (from_size < 0))
        , limit(level_size) {}

    [[nodiscard]] bool scaled() const { return mirrored || size != source_size; }
    /// Returns twice the distance of destination texel i from the start, in source texels times
    /// `size`.
    [[nodiscard]] int64_t twice(int64_t i) const {
        return (2 * (mirrored ? size - 1 - i : i) + 1) * source_size;
    }
    [[nodiscard]] uint32_t clamped(int64_t texel) const {
        return static_cast<uint32_t>(std::clamp<int64_t>(texel, 0, limit - 1));
    }
    [[nodiscard]] uint32_t nearest(int64_t i) const {
        return clamped(source + twice(i) / (2 * size));
    }
};

/// Two texels and the weight of the second one, in 1/256.
struct TexelPair {
    uint32_t first;
    uint32_t second;
    uint32_t weight;
};
inline TexelPair texel_pair(const BlitAxis& axis, int64_t i) {
    const int64_t steps = axis.twice(i) * 128 / axis.size - 128;  // from the first texel's centre
    const int64_t texel = axis.source + (steps >> 8);
    return {axis.clamped(texel), axis.clamped(texel + 1), static_cast<uint32_t>(steps & 255)};
}

/// Texels of one level, read or written as some format.
struct BlitTexels {
    TextureImpl& texture;
    uint32_t level;
    Format format;
    const exec::FormatInfo& info;

    [[nodiscard]] uint8_t* at(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) const {
        return texture.slice(level, z) +
               texel_offset({x, y, 0, sample}, texture.level(level).tiles_per_row, 0,
                            texture.desc().samples, texture.texel_bytes());
    }
};

}  // namespace valkyr::raster
