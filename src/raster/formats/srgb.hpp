// Curve lookup: converts 8-bit channels by the sRGB curve, rounded once in both directions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::raster {

/// binary32 bits of the linear value of an sRGB code.
uint32_t srgb_to_linear(uint8_t code) noexcept;

/// The code nearest to 255 times the curve of a linear value, given as binary32 bits; clamped to
/// [0, 1], NaN gives 0.
uint8_t linear_to_srgb(uint32_t bits) noexcept;

}  // namespace valkyr::raster
