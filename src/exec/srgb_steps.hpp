// Curve steps: find the code of a linear value by its upper half.
// SPDX-License-Identifier: MIT
//
// No two thresholds of the curve share the upper 16 bits, so that one entry and one comparison give
// a value's code.
#pragma once

#include "exec/srgb.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::exec {

/// Upper halves of the first value with a code above 0, and of 1, whose code is 255.
inline constexpr uint32_t kSrgbFirstStep = kSrgbThreshold.front() >> 16;
inline constexpr uint32_t kSrgbLastStep = 0x3F80;
/// Bits of the lower half in an entry; the code is above them. No lower half reaches 2^16.
inline constexpr uint32_t kSrgbPlaceBits = 17;
inline constexpr uint32_t kSrgbPlaceMask = (1U << kSrgbPlaceBits) - 1;

/// Entry h - kSrgbFirstStep for values with the upper half h: the code of the smallest of them, and
/// the lower half from which on the code is one more (2^16: none).
inline constexpr auto kSrgbSteps = [] {
    std::array<uint32_t, kSrgbLastStep - kSrgbFirstStep + 1> steps{};
    uint32_t code = 0;
    for (uint32_t i = 0; i < steps.size(); ++i) {
        const uint32_t first = (kSrgbFirstStep + i) << 16;
        while (code < kSrgbThreshold.size() && kSrgbThreshold[code] <= first)
            ++code;
        const bool has_place =
            code < kSrgbThreshold.size() && kSrgbThreshold[code] >> 16 == kSrgbFirstStep + i;
        const uint32_t place = has_place ? kSrgbThreshold[code] & 0xFFFF : 1U << 16;
        steps[i] = code << kSrgbPlaceBits | place;
    }
    return steps;
}();

static_assert(
    [] {
        for (size_t k = 1; k < kSrgbThreshold.size(); ++k)
            if (kSrgbThreshold[k] >> 16 == kSrgbThreshold[k - 1] >> 16)
                return false;
        return true;
    }(),
    "thresholds share an entry");

}  // namespace valkyr::exec
