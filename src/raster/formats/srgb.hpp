// Curve lookup: converts 8-bit channels by the sRGB curve, rounded once in both directions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::raster {

/// Returns the linear value of an sRGB code as binary32 bits.
uint32_t srgb_to_linear(uint8_t code) noexcept;

/// Returns the sRGB code nearest to a linear value, given as binary32 bits and clamped to [0, 1];
/// NaN gives 0.
uint8_t linear_to_srgb(uint32_t bits) noexcept;

}  // namespace valkyr::raster
