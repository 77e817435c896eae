// Exponent tools: FREXPM, FREXPE, LDEXP, FMA_RSCALE*, FADD_LSCALE.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_exponent.hpp"

#include <algorithm>

namespace valkyr::valhall::arith {

namespace {

/// A finite nonzero number with its exponent e and the fraction bits of m (1 <= m < 2).
struct Normalized {
    int exponent;
    uint32_t fraction;
};

Normalized normalize(const BinaryFormat& format, uint32_t bits) {
    const Exact value = unpack(format, bits);
    const int top = 63 - std::countl_zero(value.mantissa);
    const int up = static_cast<int>(format.fraction_bits) - top;
    const auto mantissa = static_cast<uint32_t>(value.mantissa << up);
    return {value.exponent + top, mantissa & format.fraction_mask()};
}

bool has_exponent(const BinaryFormat& format, uint32_t bits) {
    return format.is_finite(bits) && !format.is_zero(bits);
}

/// Whether m >= 1.5.
bool upper_half(const BinaryFormat& format, const Normalized& n) {
    return n.fraction >> (format.fraction_bits - 1);
}

/// Exponent of the mantissa that FREXPM returns, relative to m: 0, -1 or -2.
int mantissa_exponent(const BinaryFormat& format, const Normalized& n, FrexpMode mode) {
    switch (mode) {
    case FrexpMode::Plain: return -1;
    case FrexpMode::Sqrt: return n.exponent & 1 ? -1 : -2;
    case FrexpMode::Log: return upper_half(format, n) ? -1 : 0;
    }
    return 0;
}

/// a * b + c as an unrounded value; all finite, the sum not zero.
///
/// The product has at most 48 bits and a double holds it exactly. The sum of two doubles is a
/// rounded double and an exact error term; the error only decides which way the last bit leans, so
/// it is folded into the sticky flag. 53 bits are enough room above the 24 of the result.
Exact exact_fma(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double addend = c;
    const double sum = product + addend;
    const double addend_part = sum - product;
    const double error = (product - (sum - addend_part)) + (addend - addend_part);
    const auto bits = std::bit_cast<uint64_t>(sum);
    Exact value;
    value.negative = bits >> 63;
    value.mantissa = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
    value.exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1075;
    if (error != 0) {
        value.sticky = true;
        if ((error < 0) != value.negative)  // the sum was rounded away from zero
            --value.mantissa;
    }
    return value;
}

}  // namespace

uint32_t frexp_mantissa(const BinaryFormat& format, uint32_t bits, FrexpMode mode) {
    if (format.is_nan(bits))
        return format.nan();
    if (!has_exponent(format, bits))
        return bits;
    const Normalized n = normalize(format, bits);
    const int exponent = mantissa_exponent(format, n, mode);
    const auto field = static_cast<uint32_t>(exponent + format.bias());
    return (bits & format.sign_mask()) | field << format.fraction_bits | n.fraction;
}

int32_t frexp_exponent(const BinaryFormat& format, uint32_t bits, FrexpMode mode) {
    if (!has_exponent(format, bits))
        return 0;
    const Normalized n = normalize(format, bits);
    const int exponent = n.exponent - mantissa_exponent(format, n, mode);
    return mode == FrexpMode::Sqrt ? exponent / 2 : exponent;  // even by construction
}

uint32_t ldexp(const BinaryFormat& format, uint32_t bits, int32_t exponent, RoundMode mode) {
    if (format.is_nan(bits))
        return format.nan();
    if (!has_exponent(format, bits))
        return bits;
    Exact value = unpack(format, bits);
    value.exponent += std::clamp(exponent, -1000, 1000);  // beyond that everything is 0 or infinity
    return round_exact(format, value, mode);
}

float fma_rscale(float a, float b, float c, int32_t scale, ZeroProduct zero_product) {
    if (zero_product != ZeroProduct::Multiply && (a == 0 || b == 0)) {
        a = zero_product == ZeroProduct::Left ? a : 0.0F;
        b = 1.0F;
    }
    const float unscaled = fma(a, b, c);
    const bool finite = kBinary32.is_finite(as_bits(a)) && kBinary32.is_finite(as_bits(b)) &&
                        kBinary32.is_finite(as_bits(c));
    if (!finite)
        return unscaled;
    const double sum = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
    if (sum == 0)  // exactly zero: a double has room for every nonzero sum
        return unscaled;
    Exact value = exact_fma(a, b, c);
    value.exponent += std::clamp(scale, -1000, 1000);
    return as_float(round_exact(kBinary32, value, RoundMode::rte));
}

float fadd_lscale(float a, float b) {
    const uint32_t bits = as_bits(b);
    const bool scaled = has_exponent(kBinary32, bits) && !kBinary32.is_subnormal(bits);
    return fadd(a, scaled ? as_float(frexp_mantissa(kBinary32, bits, FrexpMode::Log)) : b);
}

}  // namespace valkyr::valhall::arith
