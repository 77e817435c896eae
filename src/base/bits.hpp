// Bit arithmetic: fields, sign extension, alignment and bit casts.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace valkyr {

/// Bits [start, start + size) of `word`; size 0..64.
constexpr uint64_t extract_bits(uint64_t word, unsigned start, unsigned size) {
    const uint64_t mask = size >= 64 ? ~uint64_t{0} : (uint64_t{1} << size) - 1;
    return start >= 64 ? 0 : (word >> start) & mask;
}

/// A mask of `size` ones from bit `start`; size 0..64.
constexpr uint64_t bit_mask(unsigned start, unsigned size) {
    return (size >= 64 ? ~uint64_t{0} : (uint64_t{1} << size) - 1) << start;
}

/// `value` (its low `size` bits) moved to bit `start`.
constexpr uint64_t place_bits(uint64_t value, unsigned start, unsigned size) {
    return (value << start) & bit_mask(start, size);
}

/// The low `size` bits of `value` as a two's complement number; size 1..64.
constexpr int64_t sign_extend(uint64_t value, unsigned size) {
    const unsigned shift = 64 - size;
    return static_cast<int64_t>(value << shift) >> shift;
}

/// `value` rounded up to a multiple of `alignment`, a power of two.
template <typename T>
constexpr T align_up(T value, T alignment) {
    return (value + (alignment - 1)) & ~(alignment - 1);
}

/// The binary32 value with these bits, and back.
constexpr float as_float(uint32_t bits) {
    return std::bit_cast<float>(bits);
}
constexpr uint32_t as_bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

}  // namespace valkyr
