// Wide arithmetic: computes binary64 and 64-bit integer operations, one obvious function each.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_wide.hpp"

#include "tgsi/arith/arith_float.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace valkyr::tgsi::arith {

namespace {

double d(uint64_t bits) {
    return std::bit_cast<double>(bits);
}

uint64_t result(double value) {
    return std::isnan(value) ? kNan64 : std::bit_cast<uint64_t>(value);
}

/// Order with -0 < +0, for numbers.
bool below(uint64_t a, uint64_t b) {
    return d(a) < d(b) || (d(a) == 0 && d(b) == 0 && std::signbit(d(a)) && !std::signbit(d(b)));
}

template <typename Int>
Int to_integer(uint64_t a) {
    const double value = std::trunc(d(a));
    constexpr auto kLow = static_cast<double>(std::numeric_limits<Int>::min());
    // 2^(bits of the magnitude): exact, while the largest Int need not be a double.
    const double high = std::ldexp(1.0, std::numeric_limits<Int>::digits);
    if (std::isnan(value))
        return 0;
    if (value <= kLow)
        return std::numeric_limits<Int>::min();
    return value >= high ? std::numeric_limits<Int>::max() : static_cast<Int>(value);
}

}  // namespace

uint64_t dadd(uint64_t a, uint64_t b) {
    return result(d(a) + d(b));
}
uint64_t dmul(uint64_t a, uint64_t b) {
    return result(d(a) * d(b));
}
uint64_t ddiv(uint64_t a, uint64_t b) {
    return result(d(a) / d(b));
}
uint64_t dfma(uint64_t a, uint64_t b, uint64_t c) {
    return result(std::fma(d(a), d(b), d(c)));
}
uint64_t dmin(uint64_t a, uint64_t b) {
    if (std::isnan(d(a)))
        return std::isnan(d(b)) ? kNan64 : b;
    return std::isnan(d(b)) || below(a, b) ? a : b;
}
uint64_t dmax(uint64_t a, uint64_t b) {
    if (std::isnan(d(a)))
        return std::isnan(d(b)) ? kNan64 : b;
    return std::isnan(d(b)) || below(b, a) ? a : b;
}
uint64_t dsqrt(uint64_t a) {
    return result(std::sqrt(d(a)));
}
uint64_t drsq(uint64_t a) {
    return result(1.0 / std::sqrt(d(a)));
}
uint64_t dtrunc(uint64_t a) {
    return result(std::trunc(d(a)));
}
uint64_t dceil(uint64_t a) {
    return result(std::ceil(d(a)));
}
uint64_t dfloor(uint64_t a) {
    return result(std::floor(d(a)));
}

uint64_t dround(uint64_t a) {
    const double value = d(a);
    const double down = std::floor(value);
    const double rest = value - down;
    if (std::isnan(value) || rest == 0 || std::isinf(value))
        return result(value);
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0);
    return result(std::copysign(up ? down + 1 : down, value));
}

uint64_t dfrac(uint64_t a) {
    return result(d(a) - std::floor(d(a)));
}
uint64_t dsign(uint64_t a) {
    return result(d(a) > 0 ? 1.0 : d(a) < 0 ? -1.0 : 0.0);
}
uint64_t dldexp(uint64_t a, int32_t n) {
    return result(std::ldexp(d(a), n));
}
uint64_t dfrexp(uint64_t a, int32_t& exponent) {
    exponent = 0;
    if (!std::isfinite(d(a)))
        return result(d(a));
    int e = 0;
    const uint64_t mantissa = result(std::frexp(d(a), &e));
    exponent = e;
    return mantissa;
}
bool dless(uint64_t a, uint64_t b) {
    return d(a) < d(b);
}
bool dgreater_equal(uint64_t a, uint64_t b) {
    return d(a) >= d(b);
}
bool dequal(uint64_t a, uint64_t b) {
    return d(a) == d(b);
}

uint64_t double_from_float(uint32_t a) {
    return result(static_cast<double>(std::bit_cast<float>(a)));
}
uint64_t double_from_int(int32_t a) {
    return result(static_cast<double>(a));
}
uint64_t double_from_uint(uint32_t a) {
    return result(static_cast<double>(a));
}
uint64_t double_from_int64(int64_t a) {
    return result(static_cast<double>(a));
}
uint64_t double_from_uint64(uint64_t a) {
    return result(static_cast<double>(a));
}
uint32_t double_to_float(uint64_t a) {
    const auto value = static_cast<float>(d(a));
    return std::isnan(value) ? kNan : std::bit_cast<uint32_t>(value);
}
int32_t double_to_int(uint64_t a) {
    return to_integer<int32_t>(a);
}
uint32_t double_to_uint(uint64_t a) {
    return to_integer<uint32_t>(a);
}
int64_t double_to_int64(uint64_t a) {
    return to_integer<int64_t>(a);
}
uint64_t double_to_uint64(uint64_t a) {
    return to_integer<uint64_t>(a);
}
uint32_t float_from_uint64(uint64_t a) {
    return std::bit_cast<uint32_t>(static_cast<float>(a));
}
uint32_t float_from_int64(int64_t a) {
    return std::bit_cast<uint32_t>(static_cast<float>(a));
}

uint64_t float_to_uint64(uint32_t a) {
    constexpr uint32_t kTwoToMinus32 = 0x2F800000;
    constexpr uint32_t kMinusTwoTo32 = 0xCF800000;
    const uint32_t high = to_uint(mul(a, kTwoToMinus32), Round::Zero);
    const uint32_t low = to_uint(fma(from_uint(high), kMinusTwoTo32, a), Round::Zero);
    return uint64_t{high} << 32 | low;
}
uint64_t float_to_int64(uint32_t a) {
    const uint64_t magnitude = float_to_uint64(a & 0x7FFFFFFF);
    return (a & kNegZero) != 0 ? 0 - magnitude : magnitude;
}

uint64_t udiv64(uint64_t a, uint64_t b) {
    return b == 0 ? kAllOnes64 : a / b;
}
uint64_t umod64(uint64_t a, uint64_t b) {
    return b == 0 ? kAllOnes64 : a % b;
}
uint64_t idiv64(uint64_t a, uint64_t b) {
    if (b == 0)
        return kAllOnes64;
    // INT64_MIN / -1 wraps; the hardware division would trap.
    if (b == kAllOnes64)
        return 0 - a;
    return static_cast<uint64_t>(static_cast<int64_t>(a) / static_cast<int64_t>(b));
}
uint64_t imod64(uint64_t a, uint64_t b) {
    if (b == 0)
        return kAllOnes64;
    if (b == kAllOnes64)
        return 0;
    return static_cast<uint64_t>(static_cast<int64_t>(a) % static_cast<int64_t>(b));
}

}  // namespace valkyr::tgsi::arith
