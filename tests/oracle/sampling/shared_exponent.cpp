// Shared exponent: packs and unpacks R9G9B9E5 by the formulas of EXT_texture_shared_exponent.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/shared_exponent.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::tgsi {

namespace {

constexpr int kMantissaBits = 9;
constexpr int kBias = 15;
/// (2^9 - 1) / 2^9 * 2^(31 - 15)
constexpr double kLargest = 65408.0;

}  // namespace

std::array<uint32_t, 3> decode_shared_exponent(const std::array<uint32_t, 3>& mantissas,
                                               uint32_t exponent) {
    std::array<uint32_t, 3> out{};
    for (unsigned c = 0; c < 3; ++c)
        out[c] = std::bit_cast<uint32_t>(
            static_cast<float>(std::ldexp(static_cast<double>(mantissas[c]),
                                          static_cast<int>(exponent) - kBias - kMantissaBits)));
    return out;
}

std::array<uint32_t, 4> encode_shared_exponent(const std::array<uint32_t, 3>& value) {
    std::array<double, 3> c{};
    double largest = 0;
    for (unsigned i = 0; i < 3; ++i) {
        const auto v = static_cast<double>(std::bit_cast<float>(value[i]));
        c[i] = v > 0 ? std::min(v, kLargest) : 0;  // also NaN
        largest = std::max(largest, c[i]);
    }
    int power = 0;
    std::frexp(largest, &power);
    int exponent = largest == 0 ? 0 : std::max(-kBias - 1, power - 1) + 1 + kBias;
    const auto mantissa = [&](double v) {
        return std::floor(std::ldexp(v, kBias + kMantissaBits - exponent) + 0.5);
    };
    if (mantissa(largest) >= 512.0)
        ++exponent;
    return {static_cast<uint32_t>(mantissa(c[0])), static_cast<uint32_t>(mantissa(c[1])),
            static_cast<uint32_t>(mantissa(c[2])), static_cast<uint32_t>(exponent)};
}

}  // namespace valkyr::tgsi
