// Shared exponent: packs and unpacks R9G9B9E5.
// SPDX-License-Identifier: MIT
#include "raster/formats/shared_exponent.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

constexpr int kFractionBits = 9;
constexpr int kBias = 15;
constexpr double kLargest = 511.0 * 128;  // fraction 511, exponent 31

/// Clamps a value to the range of the format; NaN fails the first comparison and gives 0.
double limited(uint32_t bits) {
    const double value = as_float(bits);
    return value > 0 ? std::min(value, kLargest) : 0;
}

/// Returns value * 2^-(exponent - bias - fraction bits), rounded half up. Binary64 is exact up to
/// the floor.
uint32_t fraction_code(double value, int exponent) {
    return static_cast<uint32_t>(
        std::floor(std::ldexp(value, kBias + kFractionBits - exponent) + 0.5));
}

}  // namespace

Values decode_shared_exponent(const Codes& codes) noexcept {
    const int scale = static_cast<int>(codes[3]) - kBias - kFractionBits;
    Values values{};
    for (unsigned i = 0; i < 3; ++i)
        values[i] = as_bits(std::ldexp(static_cast<float>(codes[i]), scale));
    return values;
}

Codes encode_shared_exponent(const Values& values) noexcept {
    const double red = limited(values[0]);
    const double green = limited(values[1]);
    const double blue = limited(values[2]);
    const double most = std::max({red, green, blue});
    int exponent = 0;
    if (most > 0)
        exponent = std::max(-kBias - 1, std::ilogb(most)) + 1 + kBias;
    if (fraction_code(most, exponent) == 1U << kFractionBits)
        ++exponent;
    return {fraction_code(red, exponent), fraction_code(green, exponent),
            fraction_code(blue, exponent), static_cast<uint32_t>(exponent)};
}

}  // namespace valkyr::raster
