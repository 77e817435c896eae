// Small floats: convert between binary32 and binary16, and the unsigned 11- and 10-bit floats.
// SPDX-License-Identifier: MIT
//
// All have five exponent bits with bias 15. Integer arithmetic makes results independent of the
// host.
#pragma once

#include "base/float_bits.hpp"

#include <cstdint>

namespace valkyr::raster {

/// A float with five exponent bits; unsigned ones have no sign bit.
struct SmallFloat {
    unsigned fraction_bits;
    bool has_sign;

    [[nodiscard]] constexpr uint32_t infinity() const { return 31U << fraction_bits; }
    [[nodiscard]] constexpr uint32_t nan() const { return infinity() | 1U << (fraction_bits - 1); }
};

inline constexpr SmallFloat kFloat16{10, true};
inline constexpr SmallFloat kFloat11{6, false};
inline constexpr SmallFloat kFloat10{5, false};

/// Returns the bits of the nearest number (ties to even; gradual underflow, overflow to infinity).
/// NaN gives the quiet NaN; unsigned floats store negative numbers as 0 (GL 4.6 section 2.3.4.3).
constexpr uint32_t encode_small_float(const SmallFloat& format, uint32_t bits) {
    const uint32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude > 0x7F800000)
        return format.nan();
    if (bits >> 31 && !format.has_sign)
        return 0;
    const uint32_t sign = (bits >> 31) << (format.fraction_bits + 5);
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    if (exponent < -14 - static_cast<int>(format.fraction_bits) - 1)
        return sign;  // below half of the smallest subnormal
    const uint32_t mantissa = (magnitude & 0x7FFFFF) | 0x800000;
    const int normal = exponent < -14 ? -14 : exponent;
    const unsigned shift = 23 - format.fraction_bits + static_cast<unsigned>(normal - exponent);
    const uint32_t half = 1U << (shift - 1);
    const uint32_t rounded = (mantissa + half - 1 + (mantissa >> shift & 1)) >> shift;
    // `rounded` still holds the leading one, which counts as the first step of the exponent; a
    // carry out of the fraction increments the exponent.
    const uint32_t result = (static_cast<uint32_t>(normal + 14) << format.fraction_bits) + rounded;
    return sign | (result < format.infinity() ? result : format.infinity());
}

/// Converts a code to binary32 exactly; NaN gives 0x7FC00000.
constexpr uint32_t decode_small_float(const SmallFloat& format, uint32_t code) {
    const uint32_t sign = format.has_sign ? (code >> (format.fraction_bits + 5) & 1) << 31 : 0;
    const uint32_t magnitude = code & ((32U << format.fraction_bits) - 1);
    if (magnitude > format.infinity())
        return float_bits::kQuietNan;
    if (magnitude == format.infinity())
        return sign | 0x7F800000;
    uint32_t exponent = magnitude >> format.fraction_bits;
    uint32_t fraction = (magnitude & ((1U << format.fraction_bits) - 1))
                        << (23 - format.fraction_bits);
    if (exponent == 0) {
        if (fraction == 0)
            return sign;
        // Subnormal numbers: shift the leading one up to the hidden bit.
        exponent = 1;
        for (; !(fraction & 0x800000); --exponent)
            fraction <<= 1;
        fraction &= 0x7FFFFF;
    }
    return sign | (exponent + 112) << 23 | fraction;
}

}  // namespace valkyr::raster
