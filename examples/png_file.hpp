// PNG file: writes a picture as a PNG file.
// SPDX-License-Identifier: MIT
//
// The first program has this file beside it, wherever it was copied to: it needs nothing but stb.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::examples {

/// Writes rows from the top, four bytes r, g, b, a a pixel. Returns what went wrong, or nothing.
/// throws  std::bad_alloc
std::string write_png_file(const std::string& path,
                           uint32_t width,
                           uint32_t height,
                           const std::vector<uint8_t>& rgba);

}  // namespace valkyr::examples
