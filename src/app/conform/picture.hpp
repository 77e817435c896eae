// Picture: turns the targets of a case into one picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/image_io.hpp"
#include "raster/state.hpp"

#include <cstdint>
#include <span>

namespace valkyr::conform {

/// Whether a format is an array of 8-bit unorm or sRGB channels: a texel's codes are the pixel's.
bool is_shown_directly(exec::Format format);

/// Tightly packed rows of a surface as a picture. Formats that are not shown directly appear twice:
/// by value, clamped to 0..1, and to the right by their bytes, three per pixel, so that no bit is
/// lost.
examples::Image
show_surface(exec::Format format, uint32_t width, uint32_t height, std::span<const uint8_t> bytes);

/// Puts `right` beside `left`; the shorter one is filled up with transparent pixels.
examples::Image beside(const examples::Image& left, const examples::Image& right);

}  // namespace valkyr::conform
