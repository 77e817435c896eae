// Float arithmetic: computes in binary32: add, fused multiply-add, min, max, clamp, compare.
// SPDX-License-Identifier: MIT
//
// All functions are pure, round to nearest even and keep subnormals; a NaN result is 0x7FC00000.
// They need a host whose float operations are IEEE 754 in its default mode (exec/abi.hpp).
#pragma once

#include "base/bits.hpp"
#include "valhall/arith/arith_round.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace valkyr::valhall::arith {

constexpr bool is_nan(float x) {
    return x != x;
}

/// `x`, or the quiet NaN of the interpreter and of strict NaN mode if x is a NaN.
constexpr float canonical(float x) {
    return is_nan(x) ? as_float(kNan32) : x;
}

inline float fadd(float a, float b) {
    return canonical(a + b);
}

/// a * b + c with one rounding.
inline float fma(float a, float b, float c) {
    return canonical(std::fma(a, b, c));
}

/// IEEE minNum with -0 < +0; a NaN operand, signalling ones too, gives the other operand.
constexpr float fmin(float a, float b) {
    if (is_nan(a))
        return canonical(b);
    if (is_nan(b))
        return a;
    if (a == b)  // equal numbers differ at most in the sign of zero
        return as_float(as_bits(a) | as_bits(b));
    return a < b ? a : b;
}

/// IEEE maxNum with -0 < +0.
constexpr float fmax(float a, float b) {
    if (is_nan(a))
        return canonical(b);
    if (is_nan(b))
        return a;
    if (a == b)
        return as_float(as_bits(a) & as_bits(b));
    return a > b ? a : b;
}

/// min(max(x, low), high): a NaN becomes the low bound (valhall.xml, enum Clamp).
constexpr float clamp(Clamp mode, float x) {
    switch (mode) {
    case Clamp::none: return x;
    case Clamp::clamp_0_inf: return fmax(x, 0.0F);
    case Clamp::clamp_m1_1: return fmin(fmax(x, -1.0F), 1.0F);
    case Clamp::clamp_0_1: return fmin(fmax(x, 0.0F), 1.0F);
    }
    return x;
}

/// A key whose signed order is IEEE totalOrder: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
constexpr int32_t total_order_key(float x) {
    const auto bits = std::bit_cast<int32_t>(x);
    return bits ^ static_cast<int32_t>(static_cast<uint32_t>(bits >> 31) >> 1);
}

/// Float conditions: false on NaN except ne; total is totalOrder(a, b), less or equal.
constexpr bool compare(Condition condition, float a, float b) {
    switch (condition) {
    case Condition::eq: return a == b;
    case Condition::gt: return a > b;
    case Condition::ge: return a >= b;
    case Condition::ne: return a != b;
    case Condition::lt: return a < b;
    case Condition::le: return a <= b;
    case Condition::gtlt: return a < b || a > b;
    case Condition::total: return total_order_key(a) <= total_order_key(b);
    }
    return false;
}

/// FROUND.f32.
constexpr float fround(float x, RoundMode mode) {
    return as_float(round_integral(kBinary32, as_bits(x), mode));
}

/// FPCLASS: 0 +0, 1 -0, 2 subnormal, 3 -subnormal, 4 normal, 5 -normal, 6 inf, 7 -inf, 8 quiet
/// NaN, 9 signalling NaN.
constexpr uint32_t classify(const BinaryFormat& format, uint32_t bits) {
    const uint32_t sign = (bits & format.sign_mask()) ? 1 : 0;
    if (format.is_nan(bits))
        return bits >> (format.fraction_bits - 1) & 1 ? 8 : 9;
    if (!format.is_finite(bits))
        return 6 + sign;
    if (format.is_zero(bits))
        return sign;
    return (format.is_subnormal(bits) ? 2 : 4) + sign;
}

}  // namespace valkyr::valhall::arith
