// PNG file: writes a picture as a PNG file.
// SPDX-License-Identifier: MIT
//
// It needs only stb, so that it can be copied together with the first program (hello.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::examples {

/// Writes rows from the top, four bytes (r, g, b, a) per pixel. Returns the error as text, or an
/// empty text.
/// throws  std::bad_alloc
std::string write_png_file(const std::string& path,
                           uint32_t width,
                           uint32_t height,
                           const std::vector<uint8_t>& rgba);

}  // namespace valkyr::examples
