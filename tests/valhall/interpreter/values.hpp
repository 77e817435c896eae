// Values: names special values of the execution tests.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace valkyr::valhall::test {

inline constexpr uint32_t kMinusZero = 0x80000000;
inline constexpr uint32_t kInf = 0x7F800000;
inline constexpr uint32_t kMinusInf = 0xFF800000;
inline constexpr uint32_t kNan = 0x7FC00000;
inline constexpr uint32_t kSignallingNan = 0x7F800001;
inline constexpr uint32_t kIntMin = 0x80000000;
inline constexpr uint32_t kIntMax = 0x7FFFFFFF;

/// The bits of a binary32 number.
constexpr uint32_t f(float value) {
    return std::bit_cast<uint32_t>(value);
}

}  // namespace valkyr::valhall::test
