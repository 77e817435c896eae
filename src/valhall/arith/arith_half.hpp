// Half arithmetic: converts between binary16 and binary32, and computes v2f16 instructions.
// SPDX-License-Identifier: MIT
//
// A half is its 16 bits. Every operation is defined through binary32 (docs/rules/isa-notes.md
// "Half precision"); a NaN result is 0x7E00.
#pragma once

#include "valhall/arith/arith_float.hpp"

namespace valkyr::valhall::arith {

/// The exact binary32 value of a half; a NaN keeps sign and payload.
constexpr float half_to_float(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t magnitude = half & 0x7FFF;
    if (magnitude >= kBinary16.infinity())
        return as_float(sign | kBinary32.infinity() | (magnitude & 0x3FF) << 13);
    if (magnitude >= 0x400)
        return as_float(sign | ((magnitude << 13) + ((127 - 15) << 23)));
    const float value = static_cast<float>(magnitude) * 0x1p-24F;  // exact
    return as_float(sign | as_bits(value));
}

/// The half nearest to `x` in the given mode; NaN gives 0x7E00.
constexpr uint16_t float_to_half(float x, RoundMode mode = RoundMode::rte) {
    const uint32_t bits = as_bits(x);
    const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    if (is_nan(x))
        return static_cast<uint16_t>(kNan16);
    if (!kBinary32.is_finite(bits))
        return static_cast<uint16_t>(sign | kBinary16.infinity());
    if (kBinary32.is_zero(bits))
        return sign;
    return static_cast<uint16_t>(round_exact(kBinary16, unpack(kBinary32, bits), mode));
}

/// FADD.v2f16, one lane: correctly rounded (a binary32 sum of halves rounds twice harmlessly).
inline uint16_t hadd(uint16_t a, uint16_t b) {
    return float_to_half(half_to_float(a) + half_to_float(b));
}

/// FMA.v2f16, one lane: fused in binary32, then rounded to binary16.
inline uint16_t hfma(uint16_t a, uint16_t b, uint16_t c) {
    return float_to_half(fma(half_to_float(a), half_to_float(b), half_to_float(c)));
}

constexpr uint16_t hmin(uint16_t a, uint16_t b) {
    return float_to_half(fmin(half_to_float(a), half_to_float(b)));
}

constexpr uint16_t hmax(uint16_t a, uint16_t b) {
    return float_to_half(fmax(half_to_float(a), half_to_float(b)));
}

constexpr uint16_t hclamp(Clamp mode, uint16_t x) {
    return mode == Clamp::none ? x : float_to_half(clamp(mode, half_to_float(x)));
}

/// FROUND.v2f16, one lane.
constexpr uint16_t hround(uint16_t x, RoundMode mode) {
    return static_cast<uint16_t>(round_integral(kBinary16, x, mode));
}

}  // namespace valkyr::valhall::arith
