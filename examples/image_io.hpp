// Image I/O: reads and writes RGBA8 pictures as PNG files.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::examples {

/// A picture: rows from the top, four bytes (r, g, b, a) per pixel.
struct Image {
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<uint8_t> rgba;  ///< width * height * 4 bytes
    friend bool operator==(const Image&, const Image&) = default;
};

/// Writes a PNG.
/// errors  System: the file cannot be written
Result<void> write_png(const std::string& path, const Image& image);

/// Reads a PNG (or another format that stb_image knows) as RGBA.
/// errors  System: unreadable; Syntax: not a picture; OutOfRange: a side exceeds `largest` texels
Result<Image> read_image(const std::string& path, uint32_t largest = 32768);

}  // namespace valkyr::examples
