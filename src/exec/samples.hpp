// Sample positions: place the samples of a pixel for set-up, routines and recompiled code alike.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace valkyr::exec {

/// Sample position in 1/16 pixel from the pixel's top-left corner, y with the rows of memory.
struct SamplePosition {
    uint8_t x;
    uint8_t y;
    friend bool operator==(const SamplePosition&, const SamplePosition&) = default;
};

inline constexpr std::array<SamplePosition, 1> kSamplePositions1{{{8, 8}}};
inline constexpr std::array<SamplePosition, 2> kSamplePositions2{{{12, 12}, {4, 4}}};
inline constexpr std::array<SamplePosition, 4> kSamplePositions4{
    {{6, 2}, {14, 6}, {2, 10}, {10, 14}}};
inline constexpr std::array<SamplePosition, 8> kSamplePositions8{
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}};
inline constexpr std::array<SamplePosition, 16> kSamplePositions16{{{9, 9},
                                                                    {7, 5},
                                                                    {5, 10},
                                                                    {12, 7},
                                                                    {3, 6},
                                                                    {10, 13},
                                                                    {13, 11},
                                                                    {11, 3},
                                                                    {6, 14},
                                                                    {8, 1},
                                                                    {4, 2},
                                                                    {2, 12},
                                                                    {0, 8},
                                                                    {15, 4},
                                                                    {14, 15},
                                                                    {1, 0}}};

/// The positions of `samples` samples, in sample order: the patterns that D3D 11 calls standard.
/// Any number but 2, 4, 8 and 16 has one sample, in the centre.
constexpr std::span<const SamplePosition> sample_positions(unsigned samples) {
    switch (samples) {
    case 2: return kSamplePositions2;
    case 4: return kSamplePositions4;
    case 8: return kSamplePositions8;
    case 16: return kSamplePositions16;
    default: return kSamplePositions1;
    }
}

}  // namespace valkyr::exec
