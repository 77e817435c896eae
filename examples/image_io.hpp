// Image I/O: reads and writes RGBA8 pictures as PNG, PPM and QOI files.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::examples {

/// A picture: rows from the top, four bytes (r, g, b, a) per pixel.
struct Image {
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<uint8_t> rgba;  ///< width * height * 4 bytes
    friend bool operator==(const Image&, const Image&) = default;
};

/// The endings of files that write_image() knows, for texts of help.
inline constexpr const char* kImageEndings = ".png, .ppm or .qoi";
/// True if the path ends with one of kImageEndings, or its name has no ending.
bool is_image_path(std::string_view path);

/// Writes a PNG, a binary PPM (without alpha) or a QOI, as the path's ending says; a PNG
/// without one.
/// errors  Unsupported: another ending; System: the file cannot be written
Result<void> write_image(const std::string& path, const Image& image);

/// Decodes the bytes of a picture file of one of the formats of read_image().
/// errors  Syntax, OutOfRange as there
Result<Image> decode_image(std::string_view bytes, uint32_t largest = 32768);

/// Reads a PNG, a QOI, a binary PPM, or another format that stb_image knows, as RGBA.
/// errors  System: unreadable; Syntax: not a picture, or one that ends early; OutOfRange: a side
///         exceeds `largest` texels, or the file a gigabyte
Result<Image> read_image(const std::string& path, uint32_t largest = 32768);

}  // namespace valkyr::examples
