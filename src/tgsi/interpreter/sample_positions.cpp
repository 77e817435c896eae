// Sample positions in 1/16 pixel: the patterns of D3D, which OpenGL drivers use, too.
// SPDX-License-Identifier: MIT
#include "tgsi/interpreter/sample_positions.hpp"

#include <bit>

namespace valkyr::tgsi {

namespace {

struct Sixteenths {
    uint8_t x;
    uint8_t y;
};

constexpr std::array<Sixteenths, 2> k2{{{12, 12}, {4, 4}}};
constexpr std::array<Sixteenths, 4> k4{{{6, 2}, {14, 6}, {2, 10}, {10, 14}}};
constexpr std::array<Sixteenths, 8> k8{
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}};
constexpr std::array<Sixteenths, 16> k16{{{9, 9},
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

}  // namespace

std::array<uint32_t, 2> sample_position_of(uint32_t samples, uint32_t sample) {
    Sixteenths at{8, 8};
    if (sample < samples) {
        switch (samples) {
        case 2: at = k2[sample]; break;
        case 4: at = k4[sample]; break;
        case 8: at = k8[sample]; break;
        case 16: at = k16[sample]; break;
        default: break;
        }
    }
    return {std::bit_cast<uint32_t>(static_cast<float>(at.x) / 16.0F),
            std::bit_cast<uint32_t>(static_cast<float>(at.y) / 16.0F)};
}

}  // namespace valkyr::tgsi
