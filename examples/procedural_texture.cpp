// RGBA8 pictures made by integer arithmetic, with box-filtered mip levels.
// SPDX-License-Identifier: MIT
#include "procedural_texture.hpp"

#include <bit>
#include <vector>

namespace valkyr::examples {

namespace {

using Texels = std::vector<uint32_t>;

uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint32_t out = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const uint32_t sum =
            (a >> shift & 255) + (b >> shift & 255) + (c >> shift & 255) + (d >> shift & 255);
        out |= (sum + 2) / 4 << shift;
    }
    return out;
}

Texels half_size(const Texels& from, uint32_t size) {
    Texels to(size_t{size} / 2 * (size / 2));
    for (uint32_t y = 0; y < size / 2; ++y)
        for (uint32_t x = 0; x < size / 2; ++x) {
            const uint32_t* row0 = &from[size_t{2} * y * size + 2 * x];
            const uint32_t* row1 = row0 + size;
            to[size_t{y} * (size / 2) + x] = mean(row0[0], row0[1], row1[0], row1[1]);
        }
    return to;
}

}  // namespace

Result<raster::TextureRef>
create_mipmapped_texture(raster::Device& device, uint32_t size, const TexelFunction& texel) {
    raster::TextureDesc desc;
    desc.format = raster::Format::R8G8B8A8_UNORM;
    desc.width = desc.height = size;
    desc.levels = static_cast<uint32_t>(std::bit_width(size));
    VALKYR_TRY(texture, device.create_texture(desc));

    Texels texels(size_t{size} * size);
    for (uint32_t y = 0; y < size; ++y)
        for (uint32_t x = 0; x < size; ++x)
            texels[size_t{y} * size + x] = texel(x, y);
    for (uint32_t level = 0; level < desc.levels; ++level) {
        raster::Box box;
        box.width = box.height = size >> level;
        VALKYR_TRY_VOID(device.write_texture(texture, level, box, std::as_bytes(std::span(texels)),
                                             box.width * size_t{4}));
        if (level + 1 < desc.levels)
            texels = half_size(texels, box.width);
    }
    return texture;
}

}  // namespace valkyr::examples
