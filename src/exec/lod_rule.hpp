// Level-of-detail rule: names the numbers that every engine computes with.
// SPDX-License-Identifier: MIT
//
// docs/rules/sampling.md has the rule.
#pragma once

#include <cstdint>

namespace valkyr::exec {

/// Bits of the smallest and the largest squared footprint, 2^-60 and 2^60 texels squared; a NaN
/// counts as the smallest.
inline constexpr uint32_t kSmallestFootprint = 0x21800000;
inline constexpr uint32_t kLargestFootprint = 0x5D800000;

/// Bits of k0 and k1 in log2(1 + u) = u + (u - u^2) * (k0 + k1 * u), which is exact at both ends of
/// [0, 1].
inline constexpr uint32_t kLog2Polynomial0 = 0x3ED881CF;
inline constexpr uint32_t kLog2Polynomial1 = 0xBE230A9E;

}  // namespace valkyr::exec
