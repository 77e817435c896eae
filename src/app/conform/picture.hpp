// Picture: turns the targets of a case into one picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/image_io.hpp"
#include "raster/state.hpp"

#include <cstdint>
#include <span>

namespace valkyr::conform {

/// Arrays of 8-bit unorm channels (sRGB too): a texel is a pixel, code by code.
bool is_shown_directly(exec::Format format);

/// Tightly packed rows of a surface as a picture. Other formats are shown twice: by value, limited
/// to 0..1, and to the right of that by their bytes, three a pixel, so that nothing is lost.
examples::Image
show_surface(exec::Format format, uint32_t width, uint32_t height, std::span<const uint8_t> bytes);

/// Puts `right` beside `left`; the shorter one is filled up with transparent pixels.
examples::Image beside(const examples::Image& left, const examples::Image& right);

}  // namespace valkyr::conform
