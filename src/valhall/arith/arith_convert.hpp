// Conversions: turn integers into floats and back.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/arith/arith_half.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace valkyr::valhall::arith {

/// An integer (32 bits at most, either signedness) to a binary format, one rounding.
constexpr uint32_t integer_to(const BinaryFormat& format, int64_t value, RoundMode mode) {
    if (value == 0)
        return 0;
    const bool negative = value < 0;
    const auto magnitude = static_cast<uint64_t>(negative ? -value : value);
    return round_exact(format, {negative, magnitude, 0, false}, mode);
}

constexpr float integer_to_float(int64_t value, RoundMode mode) {
    return as_float(integer_to(kBinary32, value, mode));
}

constexpr uint16_t integer_to_half(int64_t value, RoundMode mode) {
    return static_cast<uint16_t>(integer_to(kBinary16, value, mode));
}

/// A float rounded to an integer in the given mode, saturated to [low, high]; NaN gives 0.
constexpr int64_t float_to_integer(float x, RoundMode mode, int64_t low, int64_t high) {
    if (is_nan(x))
        return 0;
    const float integral = fround(x, mode);
    if (integral >= 0x1p62F)
        return high;
    if (integral <= -0x1p62F)
        return low;
    return std::clamp(static_cast<int64_t>(integral), low, high);
}

/// F32_TO_S32 and its kin: the bits of T nearest to x.
template <typename T>
constexpr T saturating(float x, RoundMode mode) {
    return static_cast<T>(
        float_to_integer(x, mode, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

}  // namespace valkyr::valhall::arith
