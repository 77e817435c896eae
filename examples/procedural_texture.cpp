// Procedural texture: computes mipmapped RGBA8 textures, bit for bit equal on every host.
// SPDX-License-Identifier: MIT
#include "examples/procedural_texture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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
            const uint32_t* row0 = &from[size_t{2} * y * size + size_t{2} * x];
            const uint32_t* row1 = row0 + size;
            to[size_t{y} * (size / 2) + x] = mean(row0[0], row0[1], row1[0], row1[1]);
        }
    return to;
}

/// Writes level 0 and all smaller levels of a layer.
Result<void> write_levels(raster::Device& device,
                          const raster::TextureRef& texture,
                          uint32_t layer,
                          Texels texels) {
    const raster::TextureDesc& desc = texture->desc();
    for (uint32_t level = 0; level < desc.levels; ++level) {
        raster::Box box;
        box.z = layer;
        box.width = box.height = desc.width >> level;
        VALKYR_TRY_VOID(device.write_texture(texture, level, box, std::as_bytes(std::span(texels)),
                                             box.width * size_t{4}));
        if (level + 1 < desc.levels)
            texels = half_size(texels, box.width);
    }
    return {};
}

/// A value between 0 and 1 at a point of the lattice (32-bit integer hash).
double lattice_value(int64_t x, int64_t y) {
    uint32_t h = static_cast<uint32_t>(x) * 0x27D4EB2DU ^ static_cast<uint32_t>(y) * 0x165667B1U;
    h = (h ^ h >> 15) * 0x85EBCA6BU;
    h = (h ^ h >> 13) * 0xC2B2AE35U;
    return (h >> 8) / 16777216.0;
}

double smooth_noise(double x, double y) {
    const double x0 = std::floor(x);
    const double y0 = std::floor(y);
    const auto i = static_cast<int64_t>(x0);
    const auto j = static_cast<int64_t>(y0);
    const auto fade = [](double t) { return t * t * (3 - 2 * t); };
    const auto mix = [](double t, double a, double b) { return a + t * (b - a); };
    const double u = fade(x - x0);
    return mix(fade(y - y0), mix(u, lattice_value(i, j), lattice_value(i + 1, j)),
               mix(u, lattice_value(i, j + 1), lattice_value(i + 1, j + 1)));
}

}  // namespace

double fractal_noise(double x, double y, unsigned octaves) {
    double sum = 0;
    double weights = 0;
    double weight = 1;
    for (unsigned octave = 0; octave < octaves; ++octave) {
        sum += weight * smooth_noise(x, y);
        weights += weight;
        weight /= 2;
        x = 2 * x + 17.5;
        y = 2 * y + 31.25;
    }
    return sum / weights;
}

uint32_t rgba_of(double r, double g, double b, double a) {
    const auto byte = [](double v) {
        return static_cast<uint32_t>(std::floor(std::clamp(v, 0.0, 1.0) * 255 + 0.5));
    };
    return rgba(byte(r), byte(g), byte(b), byte(a));
}

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
    VALKYR_TRY_VOID(write_levels(device, texture, 0, std::move(texels)));
    return texture;
}

Result<raster::TextureRef>
create_mipmapped_cube(raster::Device& device, uint32_t size, const DirectionFunction& color) {
    // For each face, the directions of its centre, of increasing s and of increasing t.
    struct Face {
        std::array<int, 3> centre, s, t;
    };
    constexpr Face kFaces[6] = {
        {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
        {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
    };
    raster::TextureDesc desc;
    desc.kind = raster::TextureKind::Cube;
    desc.format = raster::Format::R8G8B8A8_UNORM;
    desc.width = desc.height = size;
    desc.layers = 6;
    desc.levels = static_cast<uint32_t>(std::bit_width(size));
    VALKYR_TRY(texture, device.create_texture(desc));
    for (uint32_t layer = 0; layer < 6; ++layer) {
        const Face& face = kFaces[layer];
        Texels texels(size_t{size} * size);
        for (uint32_t y = 0; y < size; ++y)
            for (uint32_t x = 0; x < size; ++x) {
                const double s = (2 * x + 1.0) / size - 1;
                const double t = (2 * y + 1.0) / size - 1;
                const auto at = [&](size_t i) {
                    return face.centre[i] + s * face.s[i] + t * face.t[i];
                };
                texels[size_t{y} * size + x] = color(at(0), at(1), at(2));
            }
        VALKYR_TRY_VOID(write_levels(device, texture, layer, std::move(texels)));
    }
    return texture;
}

}  // namespace valkyr::examples
