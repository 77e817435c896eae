// Texels: make the textures of the benchmark scenes.
// SPDX-License-Identifier: MIT
#include "bench/texels.hpp"

#include "bench/random.hpp"

#include <bit>
#include <span>
#include <vector>

namespace valkyr::bench {
namespace {

struct Texel {
    uint8_t c[4];
};
using Texels = std::vector<Texel>;

uint8_t alpha_of(const TextureShape& shape, uint32_t x, uint32_t y, Random& random) {
    if (!shape.holes)
        return static_cast<uint8_t>(96 + (random.bits() & 63));
    const int dx = static_cast<int>(x & 63) - 32;
    const int dy = static_cast<int>(y & 63) - 32;
    return dx * dx + dy * dy < 26 * 26 ? 255 : 0;
}

Texels base_level(const TextureShape& shape) {
    Random random(4242);
    Texels texels;
    for (uint32_t y = 0; y < shape.size; ++y)
        for (uint32_t x = 0; x < shape.size; ++x) {
            const bool light = ((x >> 4 ^ y >> 4) & 1) != 0;
            Texel t;
            t.c[0] = static_cast<uint8_t>(light ? 230 : 40 + (random.bits() & 31));
            t.c[1] = static_cast<uint8_t>(x * 255 / shape.size);
            t.c[2] = static_cast<uint8_t>(y * 255 / shape.size);
            t.c[3] = alpha_of(shape, x, y, random);
            texels.push_back(t);
        }
    return texels;
}

/// The next level: means of 2x2 texels.
Texels half_size(const Texels& from, uint32_t size) {
    Texels to(from.size() / 4);
    for (uint32_t y = 0; y < size / 2; ++y)
        for (uint32_t x = 0; x < size / 2; ++x) {
            const Texel* a = &from[size_t{2} * y * size + size_t{2} * x];
            const Texel* b = a + size;
            for (unsigned k = 0; k < 4; ++k)
                to[size_t{y} * (size / 2) + x].c[k] =
                    static_cast<uint8_t>((a[0].c[k] + a[1].c[k] + b[0].c[k] + b[1].c[k] + 2) / 4);
        }
    return to;
}

}  // namespace

Result<raster::TextureRef> create_texture(raster::Device& device, const TextureShape& shape) {
    raster::TextureDesc desc;
    desc.format = raster::Format::R8G8B8A8_UNORM;
    desc.width = desc.height = shape.size;
    desc.levels = shape.mipmapped ? static_cast<uint32_t>(std::bit_width(shape.size)) : 1;
    VALKYR_TRY(texture, device.create_texture(desc));
    Texels texels = base_level(shape);
    for (uint32_t level = 0; level < desc.levels; ++level) {
        raster::Box box;
        box.width = box.height = shape.size >> level;
        VALKYR_TRY_VOID(device.write_texture(texture, level, box, std::as_bytes(std::span(texels)),
                                             box.width * sizeof(Texel)));
        if (level + 1 < desc.levels)
            texels = half_size(texels, box.width);
    }
    return texture;
}

}  // namespace valkyr::bench
