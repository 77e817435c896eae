// Float arithmetic: computes binary32 and binary16 operations, one obvious function each.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace valkyr::tgsi::arith {

namespace {

float f(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// Bits of a result; NaN in its one form.
uint32_t result(float value) {
    return std::isnan(value) ? kNan : std::bit_cast<uint32_t>(value);
}

uint32_t rounded(double value) {
    return result(static_cast<float>(value));
}

bool is_zero(uint32_t a) {
    return (a & 0x7FFFFFFF) == 0;
}

/// Order with -0 < +0, for numbers.
bool below(uint32_t a, uint32_t b) {
    return f(a) < f(b) || (is_zero(a) && is_zero(b) && a == kNegZero && b != kNegZero);
}

float rounded_to_integral(uint32_t a, Round mode) {
    switch (mode) {
    case Round::Zero: return std::trunc(f(a));
    case Round::Even: return f(round_even(a));
    case Round::Down: return std::floor(f(a));
    }
    return 0;
}

}  // namespace

bool is_subnormal(uint32_t a) {
    return (a & 0x7F800000) == 0 && (a & 0x007FFFFF) != 0;
}

uint32_t add(uint32_t a, uint32_t b) {
    return result(f(a) + f(b));
}
uint32_t mul(uint32_t a, uint32_t b) {
    return result(f(a) * f(b));
}
uint32_t fma(uint32_t a, uint32_t b, uint32_t c) {
    return result(std::fma(f(a), f(b), f(c)));
}
uint32_t fma_zero_wins(uint32_t a, uint32_t b, uint32_t c) {
    return is_zero(a) || is_zero(b) ? add(0, c) : fma(a, b, c);
}

uint32_t min(uint32_t a, uint32_t b) {
    if (is_nan(a))
        return is_nan(b) ? kNan : b;
    return is_nan(b) || below(a, b) ? a : b;
}
uint32_t max(uint32_t a, uint32_t b) {
    if (is_nan(a))
        return is_nan(b) ? kNan : b;
    return is_nan(b) || below(b, a) ? a : b;
}
uint32_t clamp(uint32_t a, uint32_t lo, uint32_t hi) {
    return min(max(a, lo), hi);
}
uint32_t saturate(uint32_t a) {
    return clamp(a, 0, kOne);
}

uint32_t floor(uint32_t a) {
    return result(std::floor(f(a)));
}
uint32_t ceil(uint32_t a) {
    return result(std::ceil(f(a)));
}
uint32_t trunc(uint32_t a) {
    return result(std::trunc(f(a)));
}

uint32_t round_even(uint32_t a) {
    const float value = f(a);
    const float down = std::floor(value);
    const float rest = value - down;  // exact wherever value has a fraction
    if (std::isnan(value) || rest == 0)
        return result(value);
    const bool up = rest > 0.5F || (rest == 0.5F && std::fmod(down, 2.0F) != 0);
    return result(std::copysign(up ? down + 1 : down, value));
}

uint32_t ldexp(uint32_t a, int32_t n) {
    // Exact in double: beyond +-400 the result is 0 or infinity whatever `a` is.
    const int bounded = n > 400 ? 400 : n < -400 ? -400 : n;
    return rounded(std::ldexp(static_cast<double>(f(a)), bounded));
}

bool less(uint32_t a, uint32_t b) {
    return f(a) < f(b);
}
bool greater_equal(uint32_t a, uint32_t b) {
    return f(a) >= f(b);
}
bool equal(uint32_t a, uint32_t b) {
    return f(a) == f(b);
}

uint32_t rcp(uint32_t a) {
    return result(1.0F / f(a));
}
uint32_t rsq(uint32_t a) {
    return rounded(1.0 / std::sqrt(static_cast<double>(f(a))));
}
uint32_t sqrt(uint32_t a) {
    return rounded(std::sqrt(static_cast<double>(f(a))));
}
uint32_t div(uint32_t a, uint32_t b) {
    return rounded(static_cast<double>(f(a)) / static_cast<double>(f(b)));
}
uint32_t exp2(uint32_t a) {
    const uint32_t value = rounded(std::exp2(static_cast<double>(f(a))));
    return is_subnormal(value) ? 0 : value;
}
uint32_t log2(uint32_t a) {
    return rounded(std::log2(static_cast<double>(f(a))));
}
uint32_t pow(uint32_t a, uint32_t b) {
    if (is_zero(b) || a == kOne)
        return kOne;
    if (is_nan(a) || is_nan(b) || (a > kNegZero))
        return kNan;
    // |a|: -0 has the logarithm of +0.
    const double base = static_cast<double>(f(a & 0x7FFFFFFF));
    const uint32_t value = rounded(std::pow(base, static_cast<double>(f(b))));
    return is_subnormal(value) ? 0 : value;
}
uint32_t sin(uint32_t a) {
    return rounded(std::sin(static_cast<double>(f(a))));
}
uint32_t cos(uint32_t a) {
    return rounded(std::cos(static_cast<double>(f(a))));
}

int32_t to_int(uint32_t a, Round mode) {
    const float value = rounded_to_integral(a, mode);
    if (std::isnan(value))
        return 0;
    if (value >= 2147483648.0F)
        return std::numeric_limits<int32_t>::max();
    if (value <= -2147483648.0F)
        return std::numeric_limits<int32_t>::min();
    return static_cast<int32_t>(value);
}
uint32_t to_uint(uint32_t a, Round mode) {
    const float value = rounded_to_integral(a, mode);
    if (std::isnan(value) || value <= 0)
        return 0;
    if (value >= 4294967296.0F)
        return kAllOnes;
    return static_cast<uint32_t>(value);
}
uint32_t from_int(int32_t a) {
    return std::bit_cast<uint32_t>(static_cast<float>(a));
}
uint32_t from_uint(uint32_t a) {
    return std::bit_cast<uint32_t>(static_cast<float>(a));
}

uint16_t to_half(uint32_t a) {
    if (is_nan(a))
        return 0x7E00;
    const auto sign = static_cast<uint16_t>(a >> 16 & 0x8000);
    const double value = std::fabs(static_cast<double>(f(a)));
    if (value >= 65520.0)  // halfway between 65504 and 65536: ties to even, which is infinity
        return static_cast<uint16_t>(sign | 0x7C00);
    int exponent = 0;
    std::frexp(value, &exponent);
    // Spacing of halves at this size: 2^(exponent - 11), at least 2^-24.
    const int step = value == 0 || exponent - 11 < -24 ? -24 : exponent - 11;
    const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(value, -step)));
    // A carry out of the mantissa moves into the exponent field by itself.
    const uint32_t biased = step == -24 ? units : (static_cast<uint32_t>(step + 24) << 10) + units;
    return static_cast<uint16_t>(sign | biased);
}

uint32_t from_half(uint16_t a) {
    const uint32_t sign = static_cast<uint32_t>(a & 0x8000) << 16;
    const uint32_t exponent = a >> 10 & 31;
    const uint32_t mantissa = a & 0x3FF;
    if (exponent == 31)
        return mantissa != 0 ? kNan : sign | 0x7F800000;
    const double unit = std::ldexp(1.0, exponent == 0 ? -24 : static_cast<int>(exponent) - 25);
    const double value = unit * (exponent == 0 ? mantissa : mantissa + 1024);
    return sign | std::bit_cast<uint32_t>(static_cast<float>(value));
}

}  // namespace valkyr::tgsi::arith
