// Special functions: reciprocals, exponential, logarithm, table look-ups, cube-map helpers.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_special.hpp"

#include "base/float_bits.hpp"
#include "valhall/arith/arith_exponent.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::valhall::arith {

namespace {

/// x rounded to nearest even with `bits` significant bits; zeros, infinities and NaN pass.
float round_significand(float x, unsigned bits) {
    const BinaryFormat narrow{bits - 1, 8};
    const uint32_t source = as_bits(x);
    if (!kBinary32.is_finite(source) || kBinary32.is_zero(source))
        return x;
    const uint32_t rounded = round_exact(narrow, unpack(kBinary32, source), RoundMode::rte);
    return as_float(rounded << (kBinary32.fraction_bits - narrow.fraction_bits));
}

/// Makes an infinite value +-1 and a finite one +-0.
float collapse_infinite(float x) {
    const uint32_t sign = as_bits(x) & 0x80000000;
    return as_float(sign | (kBinary32.is_finite(as_bits(x)) ? 0 : float_bits::kOne));
}

float cube_select(float value, uint32_t face_word) {
    if (is_nan(value))
        return canonical(value);
    return face_word >> 16 & 1 ? collapse_infinite(value) : value;
}

}  // namespace

float frcp(float x) {
    return canonical(1.0F / x);
}

float frsq(float x) {
    return canonical(1.0F / std::sqrt(x));
}

uint16_t hrcp(uint16_t x) {
    return float_to_half(1.0F / half_to_float(x));
}

uint16_t hrsq(uint16_t x) {
    return float_to_half(1.0F / std::sqrt(half_to_float(x)));
}

float frcp_approx(float x) {
    const uint32_t mantissa = frexp_mantissa(kBinary32, as_bits(x), FrexpMode::Plain);
    return canonical(round_significand(1.0F / as_float(mantissa), 17));
}

float frsq_approx(float x) {
    const uint32_t mantissa = frexp_mantissa(kBinary32, as_bits(x), FrexpMode::Sqrt);
    return canonical(round_significand(frsq(as_float(mantissa)), 17));
}

float fexp(uint32_t fixed, float scaled) {
    if (is_nan(scaled))
        return canonical(scaled);
    if (scaled >= 0x1p31F)
        return as_float(kBinary32.infinity());
    if (scaled <= -0x1p31F)
        return 0.0F;
    int32_t exponent = static_cast<int32_t>(fixed) >> 24;
    const auto fraction = static_cast<int32_t>(fixed & 0xFFFFFF);
    int32_t k = (fraction + (1 << 19)) >> 20;
    const float t = static_cast<float>(fraction - (k << 20)) * 0x1p-24F;  // exact
    if (k == 16) {
        k = 0;
        ++exponent;
    }
    float p = as_float(kExp2Polynomial[0]);
    p = std::fma(p, t, as_float(kExp2Polynomial[1]));
    p = std::fma(p, t, as_float(kExp2Polynomial[2]));
    const float y = p * t;
    const float table = as_float(kExp2Table[static_cast<unsigned>(k)]);
    const uint32_t r = as_bits(std::fma(table, y, table));
    const int32_t field = static_cast<int32_t>(r >> 23) + exponent;
    if (field > 254)
        return as_float(kBinary32.infinity());
    return field < 1 ? 0.0F : as_float(static_cast<uint32_t>(field) << 23 | (r & 0x7FFFFF));
}

float flogd(float x) {
    if (is_nan(x) || x < 0)
        return as_float(kNan32);
    if (x == 0 || !kBinary32.is_finite(as_bits(x)))
        return as_float(kBinary32.infinity());
    const float u = as_float(frexp_mantissa(kBinary32, as_bits(x), FrexpMode::Log)) - 1.0F;
    float p = as_float(kLogdPolynomial[0]);
    for (size_t i = 1; i < kLogdPolynomial.size(); ++i)
        p = std::fma(p, u, as_float(kLogdPolynomial[i]));
    return p;
}

float flog_table(float x) {
    const uint32_t bits = as_bits(x);
    if (!kBinary32.is_finite(bits) || kBinary32.is_zero(bits))
        return 1.0F;
    const uint32_t mantissa = frexp_mantissa(kBinary32, bits, FrexpMode::Plain);
    const uint32_t interval = mantissa >> 19 & 15;
    const float midpoint = 1.0F + static_cast<float>(2 * interval + 1) / 32.0F;
    return round_significand(1.0F / midpoint, 5);
}

float cube_face1(float x, float y, float z) {
    if (is_nan(x) || is_nan(y) || is_nan(z))
        return as_float(kNan32);
    const float largest = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    if (!kBinary32.is_finite(as_bits(largest)))
        return 1.0F;
    return largest < 0x1p-126F ? 2.0F : largest;
}

uint32_t cube_face2(float x, float y, float z) {
    if (is_nan(x) || is_nan(y) || is_nan(z))
        return 4U << 29;
    const float largest = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    const uint32_t infinite = kBinary32.is_finite(as_bits(largest)) ? 0 : 1U << 16;
    uint32_t face = x < 0 ? 1 : 0;
    if (std::fabs(z) == largest)
        face = z < 0 ? 5 : 4;
    else if (std::fabs(y) == largest)
        face = y < 0 ? 3 : 2;
    return face << 29 | infinite;
}

float cube_s(float z, float x, uint32_t face_word) {
    const uint32_t face = face_word >> 29;
    if (face < 2)
        return cube_select(face == 0 ? -z : z, face_word);
    return cube_select(face >= 4 && (face & 1) ? -x : x, face_word);
}

float cube_t(float y, float z, uint32_t face_word) {
    const uint32_t face = face_word >> 29;
    if (face == 2 || face == 3)
        return cube_select(face == 2 ? z : -z, face_word);
    return cube_select(-y, face_word);
}

}  // namespace valkyr::valhall::arith
