// Random: generates numbers for tests; a seed gives one sequence on every host and library.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::test {

/// SplitMix64 (Steele, Lea, Flood 2014): a counter and a mixing function. Any seed is allowed.
class Random {
public:
    explicit Random(uint64_t seed)
        : state_(seed) {}

    /// 64 random bits.
    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    uint32_t next32() { return static_cast<uint32_t>(next() >> 32); }
    /// 0 .. limit - 1; limit at least 1. The bias is below 2^-32.
    uint32_t below(uint32_t limit) { return static_cast<uint32_t>((next() >> 32) * limit >> 32); }
    /// True with probability 1/n.
    bool one_in(uint32_t n) { return below(n) == 0; }

private:
    uint64_t state_;
};

}  // namespace valkyr::test
