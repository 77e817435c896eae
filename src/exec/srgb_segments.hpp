// Curve segments: find the code of a linear value by tables of bytes, for hosts that permute them.
// SPDX-License-Identifier: MIT
//
// A segment is an eighth of an octave, sixteen upper halves of binary32 numbers. A line over it
// gives the code of a value, or the code below; the threshold above that code tells which.
#pragma once

#include "exec/srgb.hpp"
#include "exec/srgb_steps.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace valkyr::exec {

/// Upper halves of the first value of the first segment, and of the values of a segment.
inline constexpr uint32_t kSrgbSegmentBase = 0x3900;
inline constexpr uint32_t kSrgbSegmentHalves = 16;
/// Entries of a table of segments; the value 1 lies in the last one that is used.
inline constexpr uint32_t kSrgbSegments = 128;

/// Tables of encode_bytes() in jit/host/host_assembler.hpp. Values are the upper halves of numbers
/// from 2^-13 to 1; a place is a code in units of 1/256.
struct alignas(64) SrgbSegments {
    /// Planes: the place of the first half.
    std::array<std::array<uint8_t, kSrgbSegments>, 2> first;
    std::array<uint8_t, kSrgbSegments> slope;  ///< what each further half adds to it
    /// Planes: the largest number whose code is not above k.
    std::array<std::array<uint8_t, 256>, 4> last;
};

namespace srgb_segments {

/// A code and the part of the way to the next threshold, between thresholds along a line.
constexpr double place(uint32_t half) {
    const auto number = [](size_t k) {
        return static_cast<double>(std::bit_cast<float>(kSrgbThreshold[k]));
    };
    const double value = static_cast<double>(std::bit_cast<float>(half << 16));
    size_t code = 0;
    while (code < kSrgbThreshold.size() && number(code) <= value)
        ++code;
    const size_t above = code == 0 ? 1 : code == kSrgbThreshold.size() ? code - 1 : code;
    return static_cast<double>(above) +
           (value - number(above - 1)) / (number(above) - number(above - 1));
}

/// Lines begin this much below the places, so that none reaches the next code early.
constexpr double kMargin = 0.03;

constexpr uint32_t first_place(uint32_t segment) {
    return static_cast<uint32_t>(
        256 * (place(kSrgbSegmentBase + segment * kSrgbSegmentHalves) - kMargin));
}

constexpr SrgbSegments make() {
    SrgbSegments tables{};
    constexpr uint32_t used = (kSrgbLastStep - kSrgbSegmentBase) / kSrgbSegmentHalves + 1;
    for (uint32_t k = 0; k < used; ++k) {
        const uint32_t here = first_place(k);
        const uint32_t slope = k + 1 == used ? 0 : (first_place(k + 1) - here) / kSrgbSegmentHalves;
        tables.first[0][k] = static_cast<uint8_t>(here);
        tables.first[1][k] = static_cast<uint8_t>(here >> 8);
        tables.slope[k] = static_cast<uint8_t>(slope);
    }
    for (uint32_t k = 0; k < 256; ++k) {
        const uint32_t last = k < 255 ? kSrgbThreshold[k] - 1 : 0x7FFFFFFF;
        for (unsigned plane = 0; plane < 4; ++plane)
            tables.last[plane][k] = static_cast<uint8_t>(last >> 8 * plane);
    }
    return tables;
}

}  // namespace srgb_segments

inline constexpr SrgbSegments kSrgbSegmentTables = srgb_segments::make();

/// The code that the line of a segment gives for numbers with an upper half: that of the number, or
/// one less.
constexpr uint32_t srgb_line_code(uint32_t half) {
    const uint32_t from_base = half - kSrgbSegmentBase;
    const uint32_t k = from_base / kSrgbSegmentHalves;
    const uint32_t first = kSrgbSegmentTables.first[0][k] | kSrgbSegmentTables.first[1][k] << 8;
    return (first + kSrgbSegmentTables.slope[k] * (from_base % kSrgbSegmentHalves)) >> 8;
}

}  // namespace valkyr::exec
