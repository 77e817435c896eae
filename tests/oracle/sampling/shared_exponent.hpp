// R9G9B9E5: three 9-bit mantissas with one exponent (EXT_texture_shared_exponent).
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::tgsi {

/// Float bits of the three channels.
std::array<uint32_t, 3> decode_shared_exponent(const std::array<uint32_t, 3>& mantissas,
                                               uint32_t exponent);
/// Three mantissas and the exponent: the largest channel decides the exponent.
std::array<uint32_t, 4> encode_shared_exponent(const std::array<uint32_t, 3>& value);

}  // namespace valkyr::tgsi
