// Random numbers: generates a fixed pseudo-random sequence for the demo scenes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::examples {

/// Pseudo-random numbers between 0 and 1.
class Dice {
public:
    explicit Dice(uint32_t seed = 1)
        : state_(seed) {}
    float next() {
        state_ = state_ * 1664525 + 1013904223;
        return static_cast<float>(state_ >> 8) / 16777216.0F;
    }
    float between(float low, float high) { return low + (high - low) * next(); }

private:
    uint32_t state_;
};

}  // namespace valkyr::examples
