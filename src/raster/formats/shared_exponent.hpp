// Shared exponent: packs three 9-bit fractions with one 5-bit exponent (GL 4.6 section 8.5.2).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/formats/format_convert.hpp"

namespace valkyr::raster {

/// Returns three exact binary32 values: fraction * 2^(exponent - 24).
Values decode_shared_exponent(const Codes& codes) noexcept;

/// Returns the codes of three binary32 values: negative values and NaN count as 0, large values as
/// 65408; the exponent is the smallest that holds the largest value; fractions round half up.
Codes encode_shared_exponent(const Values& values) noexcept;

}  // namespace valkyr::raster
