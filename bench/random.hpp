// Random numbers: generates xorshift32 numbers, as the compared OpenGL programs do.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::bench {

class Random {
public:
    explicit Random(uint32_t seed)
        : state_(seed) {}
    uint32_t bits() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }
    /// In [0, 1), a multiple of 2^-24.
    float unit() { return static_cast<float>(bits() >> 8) * 0x1p-24F; }

private:
    uint32_t state_;
};

}  // namespace valkyr::bench
