// Fingerprint: hashes a picture.
// SPDX-License-Identifier: MIT
#include "app/image/fingerprint.hpp"

#include <fmt/core.h>

namespace valkyr::app {

std::string fingerprint(const examples::Image& image) {
    uint64_t hash = 0xCBF29CE484222325;
    const auto add = [&](uint8_t byte) { hash = (hash ^ byte) * 0x100000001B3; };
    for (const uint32_t size : {image.width, image.height})
        for (unsigned i = 0; i < 4; i++)
            add(static_cast<uint8_t>(size >> 8 * i));
    for (const uint8_t byte : image.rgba)
        add(byte);
    return fmt::format("{:016x}", hash);
}

}  // namespace valkyr::app
