// Texel channel: converts the codes of single channels.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/sampling/texel_format.hpp"

#include <cstdint>

namespace valkyr::tgsi {

/// M of a unorm (2^n - 1) or snorm (2^(n-1) - 1) channel.
uint32_t largest_code(const FormatChannel& channel);

/// The code of a snorm or sint channel as a number; snorm codes below -M count as -M.
int32_t signed_code(const FormatChannel& channel, uint32_t code);

/// Floats with 5 exponent bits and no sign: negative values give 0, NaN stays NaN.
uint32_t decode_unsigned_float(uint32_t code, unsigned mantissa_bits);
uint32_t encode_unsigned_float(uint32_t value, unsigned mantissa_bits);

}  // namespace valkyr::tgsi
