// Integer arithmetic of one lane: saturating add, subtract, multiply, half-add, shifts, compare.
// SPDX-License-Identifier: MIT
//
// Everything is a template over the lane type (u8 .. u64, s8 .. s64), which also says how
// saturation and comparison see the bits. Results wrap unless saturation is asked for.
#pragma once

#include "valhall/isa/isa.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace valkyr::valhall::arith {

/// A type in which sums and products of two T (at most 32 bits) cannot overflow.
template <typename T>
using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;

/// `value` limited to the range of T.
template <typename T, typename W>
constexpr T saturate_to(W value) {
    return static_cast<T>(
        std::clamp(value, W{std::numeric_limits<T>::min()}, W{std::numeric_limits<T>::max()}));
}

template <typename T>
constexpr T iadd(T a, T b, bool saturate) {
    using U = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) < 8) {
        if (saturate)
            return saturate_to<T>(static_cast<int64_t>(a) + static_cast<int64_t>(b));
    }
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}

template <typename T>
constexpr T isub(T a, T b, bool saturate) {
    using U = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) < 8) {
        if (saturate)
            return saturate_to<T>(static_cast<int64_t>(a) - static_cast<int64_t>(b));
    }
    return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}

/// IMUL: the low bits of the product, or the product saturated. T of 32 bits at most.
template <typename T>
constexpr T imul(T a, T b, bool saturate) {
    const Wide<T> product = static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
    return saturate ? saturate_to<T>(product) : static_cast<T>(product);
}

/// HADD: floor((a + b) / 2), or floor((a + b + 1) / 2) when rounding up.
template <typename T>
constexpr T hadd_integer(T a, T b, bool round_up) {
    const int64_t sum = static_cast<int64_t>(a) + static_cast<int64_t>(b) + (round_up ? 1 : 0);
    return static_cast<T>(sum >> 1);
}

/// IABS: two's complement, so the most negative number is its own result.
template <typename T>
constexpr T iabs(T a) {
    using U = std::make_unsigned_t<T>;
    return a < 0 ? static_cast<T>(static_cast<U>(0U - static_cast<U>(a))) : a;
}

/// CLZ: leading zeros, the lane width for 0.
template <typename T>
constexpr T clz(T a) {
    return static_cast<T>(std::countl_zero(a));
}

/// BITREV.i32.
constexpr uint32_t bit_reverse(uint32_t x) {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit)
        result |= (x >> bit & 1) << (31 - bit);
    return result;
}

enum class ShiftKind : uint8_t { Left, Right, RightSigned };

/// A shift of an unsigned lane; the count is taken modulo the lane width.
template <typename U>
constexpr U shift(U value, uint32_t count, ShiftKind kind) {
    const unsigned amount = count & (sizeof(U) * 8 - 1);
    switch (kind) {
    case ShiftKind::Left: return static_cast<U>(value << amount);
    case ShiftKind::Right: return static_cast<U>(value >> amount);
    case ShiftKind::RightSigned:
        return static_cast<U>(static_cast<std::make_signed_t<U>>(value) >> amount);
    }
    return value;
}

/// Integer conditions eq gt ge ne lt le; gtlt is ne, total is le (neither has an encoding that a
/// legal program may use).
template <typename T>
constexpr bool compare_integer(Condition condition, T a, T b) {
    switch (condition) {
    case Condition::eq: return a == b;
    case Condition::gt: return a > b;
    case Condition::ge: return a >= b;
    case Condition::ne:
    case Condition::gtlt: return a != b;
    case Condition::lt: return a < b;
    case Condition::le:
    case Condition::total: return a <= b;
    }
    return false;
}

/// SEG_ADD: base + offset or base - offset; a null base may stay null.
constexpr uint64_t seg_add(uint64_t base, uint64_t offset, bool negate, bool preserve_null) {
    if (preserve_null && base == 0)
        return 0;
    return negate ? base - offset : base + offset;
}

/// IDP.v4u8 / IDP.v4s8: four byte products of one sign each, added to an accumulator of the same
/// signedness, wrapping or saturating at the final addition. T is uint8_t or int8_t.
template <typename T>
constexpr uint32_t dot_product(uint32_t a, uint32_t b, uint32_t c, bool saturate) {
    using Sum = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
    int64_t sum = static_cast<Sum>(c);
    for (unsigned byte = 0; byte < 32; byte += 8)
        sum += static_cast<int64_t>(static_cast<T>(a >> byte)) *
               static_cast<int64_t>(static_cast<T>(b >> byte));
    return static_cast<uint32_t>(saturate ? saturate_to<Sum>(sum) : static_cast<Sum>(sum));
}

}  // namespace valkyr::valhall::arith
