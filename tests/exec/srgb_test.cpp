// Curve test: checks the steps of the sRGB curve against its thresholds.
// SPDX-License-Identifier: MIT
#include "exec/srgb_segments.hpp"
#include "exec/srgb_steps.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace valkyr::exec;

namespace {

uint32_t code_by_step(uint32_t bits) {
    const uint32_t step = kSrgbSteps[(bits >> 16) - kSrgbFirstStep];
    return (step >> kSrgbPlaceBits) + ((bits & 0xFFFF) >= (step & kSrgbPlaceMask) ? 1 : 0);
}
uint32_t code_by_thresholds(uint32_t bits) {
    return static_cast<uint32_t>(
        std::upper_bound(kSrgbThreshold.begin(), kSrgbThreshold.end(), bits) -
        kSrgbThreshold.begin());
}

}  // namespace

TEST_CASE("every step of the sRGB curve begins where its threshold says") {
    for (const uint32_t threshold : kSrgbThreshold)
        for (const uint32_t bits : {threshold - 1, threshold, threshold + 1})
            CHECK(code_by_step(bits) == code_by_thresholds(bits));
    for (uint32_t half = kSrgbFirstStep; half < kSrgbLastStep; ++half)
        for (const uint32_t low : {0U, 1U, 0x7FFFU, 0xFFFFU})
            CHECK(code_by_step(half << 16 | low) == code_by_thresholds(half << 16 | low));
    CHECK(code_by_step(kSrgbFirstStep << 16) == 0);
    CHECK(code_by_step(kSrgbLastStep << 16) == 255);
}

TEST_CASE("lines of the sRGB curve give the code of each number, or the code below it") {
    for (uint32_t half = kSrgbSegmentBase; half <= kSrgbLastStep; ++half) {
        const uint32_t last = half == kSrgbLastStep ? half << 16 : half << 16 | 0xFFFF;
        CHECK(srgb_line_code(half) <= code_by_thresholds(half << 16));
        CHECK(srgb_line_code(half) + 1 >= code_by_thresholds(last));
    }
}

TEST_CASE("the last number of each code of the sRGB curve lies below its threshold") {
    for (uint32_t code = 0; code < kSrgbThreshold.size(); ++code) {
        uint32_t last = 0;
        for (unsigned plane = 0; plane < 4; ++plane)
            last |= uint32_t{kSrgbSegmentTables.last[plane][code]} << (8 * plane);
        CHECK(last == kSrgbThreshold[code] - 1);
    }
}
