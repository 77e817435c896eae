// Float bits: names the bits of binary32 and binary16 numbers that several rooms need.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::float_bits {

// binary32.
inline constexpr uint32_t kHalf = 0x3F000000;
inline constexpr uint32_t kOne = 0x3F800000;
inline constexpr uint32_t kMinusOne = 0xBF800000;
inline constexpr uint32_t kInfinity = 0x7F800000;
inline constexpr uint32_t kSign = 0x80000000;
/// The NaN that operations make.
inline constexpr uint32_t kQuietNan = 0x7FC00000;

/// Whether the bits are a binary32 NaN.
constexpr bool is_nan(uint32_t bits) {
    return (bits & ~kSign) > kInfinity;
}

// binary16.
inline constexpr uint32_t kQuietHalf = 0x7E00;

}  // namespace valkyr::float_bits
