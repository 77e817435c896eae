// Picture texture: makes a mipmapped texture of a picture.
// SPDX-License-Identifier: MIT
#include "examples/picture_texture.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::examples {

using namespace raster;

Result<TextureRef> create_picture_texture(Device& device, const Image& image, Format format) {
    TextureDesc desc;
    desc.format = format;
    desc.width = image.width;
    desc.height = image.height;
    desc.levels = static_cast<uint32_t>(std::bit_width(std::max(image.width, image.height)));
    VALKYR_TRY(texture, device.create_texture(desc));
    Image level = image;
    for (uint32_t number = 0;; number++) {
        Box box;
        box.width = level.width;
        box.height = level.height;
        VALKYR_TRY_VOID(device.write_texture(
            texture, number, box, std::as_bytes(std::span(level.rgba)), level.width * size_t{4}));
        if (number + 1 == desc.levels)
            return texture;
        Image half{std::max(1U, level.width / 2), std::max(1U, level.height / 2), {}};
        for (uint32_t y = 0; y < half.height; y++)
            for (uint32_t x = 0; x < half.width * 4; x++) {
                const auto texel = [&](uint32_t dx, uint32_t dy) -> unsigned {
                    const uint32_t column = std::min(2 * (x / 4) + dx, level.width - 1);
                    const uint32_t row = std::min(2 * y + dy, level.height - 1);
                    return level.rgba[(size_t{row} * level.width + column) * 4 + x % 4];
                };
                half.rgba.push_back(static_cast<uint8_t>(
                    (texel(0, 0) + texel(1, 0) + texel(0, 1) + texel(1, 1) + 2) / 4));
            }
        level = std::move(half);
    }
}

}  // namespace valkyr::examples
