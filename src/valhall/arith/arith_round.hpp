// Rounding: turns an exact value into a binary floating-point format, in any round mode.
// SPDX-License-Identifier: MIT
//
// Integer arithmetic only, so that nothing depends on the host's rounding state. Conversions,
// LDEXP, FMA_RSCALE and FROUND of binary32 and binary16 are all built on it.
#pragma once

#include "valhall/isa/isa.hpp"

#include <bit>
#include <cstdint>

namespace valkyr::valhall::arith {

/// An IEEE 754 interchange format, by the widths of its two fields.
struct BinaryFormat {
    unsigned fraction_bits;
    unsigned exponent_bits;

    [[nodiscard]] constexpr unsigned sign_bit() const { return fraction_bits + exponent_bits; }
    [[nodiscard]] constexpr uint32_t sign_mask() const { return 1U << sign_bit(); }
    [[nodiscard]] constexpr uint32_t infinity() const {
        return ((1U << exponent_bits) - 1) << fraction_bits;
    }
    [[nodiscard]] constexpr uint32_t fraction_mask() const { return (1U << fraction_bits) - 1; }
    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    /// Exponent of the smallest normal number.
    [[nodiscard]] constexpr int min_exponent() const { return 1 - bias(); }
    /// The quiet NaN that float instructions produce.
    [[nodiscard]] constexpr uint32_t nan() const { return infinity() | 1U << (fraction_bits - 1); }
    [[nodiscard]] constexpr bool is_nan(uint32_t bits) const {
        return (bits & ~sign_mask()) > infinity();
    }
    [[nodiscard]] constexpr bool is_zero(uint32_t bits) const { return !(bits & ~sign_mask()); }
    [[nodiscard]] constexpr bool is_finite(uint32_t bits) const {
        return (bits & infinity()) != infinity();
    }
    [[nodiscard]] constexpr bool is_subnormal(uint32_t bits) const {
        return !(bits & infinity()) && (bits & fraction_mask());
    }
};

inline constexpr BinaryFormat kBinary32{23, 8};
inline constexpr BinaryFormat kBinary16{10, 5};
inline constexpr uint32_t kNan32 = kBinary32.nan();  ///< 0x7FC00000
inline constexpr uint32_t kNan16 = kBinary16.nan();  ///< 0x7E00

/// A finite nonzero value: (-1)^negative * mantissa * 2^exponent, exactly.
struct Exact {
    bool negative = false;
    uint64_t mantissa = 0;
    int exponent = 0;
    bool sticky = false;  ///< a further amount in (0, 1) * 2^exponent is left out
};

/// Splits a finite nonzero number; subnormals are not normalised (the mantissa is just smaller).
constexpr Exact unpack(const BinaryFormat& format, uint32_t bits) {
    const uint32_t field = (bits & format.infinity()) >> format.fraction_bits;
    const uint32_t fraction = bits & format.fraction_mask();
    const int exponent = (field ? static_cast<int>(field) : 1) - format.bias();
    return {(bits & format.sign_mask()) != 0,
            field ? fraction | 1U << format.fraction_bits : fraction,
            exponent - static_cast<int>(format.fraction_bits), false};
}

/// Whether a magnitude whose discarded part is described by `half` (the highest discarded bit) and
/// `rest` (any lower one) is rounded away from zero.
constexpr bool rounds_up(RoundMode mode, bool negative, bool odd, bool half, bool rest) {
    switch (mode) {
    case RoundMode::rte: return half && (rest || odd);
    case RoundMode::rtp: return !negative && (half || rest);
    case RoundMode::rtn: return negative && (half || rest);
    case RoundMode::rtz: return false;
    }
    return false;
}

/// Bits of the format's number nearest to `value` in the given mode: gradual underflow, overflow
/// to infinity or the largest finite number as IEEE 754 asks.
/// value   mantissa nonzero; if sticky, the mantissa has at least fraction_bits + 3 bits
constexpr uint32_t round_exact(const BinaryFormat& format, const Exact& value, RoundMode mode) {
    const int top = value.exponent + 63 - std::countl_zero(value.mantissa);
    const int min_exponent = format.min_exponent();
    const int scale = top < min_exponent ? min_exponent : top;
    const int fraction_bits = static_cast<int>(format.fraction_bits);
    const int shift = scale - fraction_bits - value.exponent;
    uint64_t kept = 0;
    bool half = false;
    bool rest = value.sticky;
    if (shift <= 0) {
        kept = value.mantissa << -shift;
    } else if (shift <= 64) {
        kept = shift == 64 ? 0 : value.mantissa >> shift;
        half = value.mantissa >> (shift - 1) & 1;
        rest = rest || (value.mantissa & ((uint64_t{1} << (shift - 1)) - 1)) != 0;
    } else {
        rest = true;
    }
    kept += rounds_up(mode, value.negative, kept & 1, half, rest) ? 1 : 0;
    const uint32_t sign = value.negative ? format.sign_mask() : 0;
    // The hidden bit of `kept` adds one to the exponent field; a carry out of the fraction too.
    const uint64_t field = static_cast<uint64_t>(static_cast<uint32_t>(scale - min_exponent));
    const uint64_t bits = kept + (field << fraction_bits);
    if (bits < format.infinity())
        return sign | static_cast<uint32_t>(bits);
    const bool to_infinity = rounds_up(mode, value.negative, true, true, true);
    return sign | (to_infinity ? format.infinity() : format.infinity() - 1);
}

/// A number rounded to an integral value, the sign of zero kept; infinities pass, a NaN becomes
/// the format's quiet NaN.
constexpr uint32_t round_integral(const BinaryFormat& format, uint32_t bits, RoundMode mode) {
    if (format.is_nan(bits))
        return format.nan();
    const uint32_t magnitude = bits & ~format.sign_mask();
    const int exponent = static_cast<int>(magnitude >> format.fraction_bits) - format.bias();
    const int fraction_bits = static_cast<int>(format.fraction_bits);
    if (exponent >= fraction_bits || magnitude == 0)
        return bits;
    const bool negative = bits & format.sign_mask();
    const uint32_t sign = bits & format.sign_mask();
    const uint32_t one = static_cast<uint32_t>(format.bias()) << format.fraction_bits;
    if (exponent < 0) {  // magnitude below 1
        const bool half = exponent == -1;
        const bool rest = exponent < -1 || (magnitude & format.fraction_mask()) != 0;
        return sign | (rounds_up(mode, negative, false, half, rest) ? one : 0);
    }
    const uint32_t unit = 1U << (fraction_bits - exponent);
    const uint32_t discarded = magnitude & (unit - 1);
    // Below 2, the unit is the hidden bit, which stands in the lowest bit of the exponent field.
    const bool odd = exponent == 0 || (magnitude & unit) != 0;
    const bool half = discarded & unit >> 1;
    const bool rest = (discarded & ((unit >> 1) - 1)) != 0;
    return sign |
           ((magnitude - discarded) + (rounds_up(mode, negative, odd, half, rest) ? unit : 0));
}

}  // namespace valkyr::valhall::arith
