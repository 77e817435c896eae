// Float formats test: checks small floats, shared exponents and the sRGB curve exactly.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/formats/shared_exponent.hpp"
#include "raster/formats/small_float.hpp"
#include "raster/formats/srgb.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;

namespace {

/// The value of a code by the definition of binary floats with five exponent bits, bias 15.
double value_of(const SmallFloat& format, uint32_t code) {
    const uint32_t fraction = code & ((1U << format.fraction_bits) - 1);
    const uint32_t exponent = code >> format.fraction_bits & 31;
    const double sign = format.has_sign && code >> (format.fraction_bits + 5) ? -1 : 1;
    const double unit = std::ldexp(1.0, -static_cast<int>(format.fraction_bits));
    if (exponent == 31)
        return fraction ? std::nan("") : sign * INFINITY;
    if (exponent == 0)
        return sign * std::ldexp(fraction * unit, -14);
    return sign * std::ldexp(1 + fraction * unit, static_cast<int>(exponent) - 15);
}

uint32_t encode(const SmallFloat& format, float value) {
    return encode_small_float(format, as_bits(value));
}

}  // namespace

TEST_CASE("small floats: every code decodes exactly and encodes back") {
    for (const SmallFloat& format : {kFloat16, kFloat11, kFloat10}) {
        const uint32_t count = 1U << (format.fraction_bits + 5 + (format.has_sign ? 1 : 0));
        unsigned wrong = 0;
        for (uint32_t code = 0; code < count; ++code) {
            const double expected = value_of(format, code);
            const uint32_t bits = decode_small_float(format, code);
            if (std::isnan(expected)) {
                wrong += bits != 0x7FC00000;
                wrong += encode_small_float(format, bits) != format.nan();
                continue;
            }
            wrong += as_float(bits) != expected || (bits >> 31) != std::signbit(expected);
            wrong += encode_small_float(format, bits) != code;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("small floats round to nearest even between every two neighbours") {
    for (const SmallFloat& format : {kFloat16, kFloat11, kFloat10}) {
        unsigned wrong = 0;
        for (uint32_t code = 0; code < format.infinity(); ++code) {
            const double low = value_of(format, code);
            // The number after the largest one is computed as if exponents continued.
            const double high =
                code + 1 == format.infinity() ? 65536.0 : value_of(format, code + 1);
            const auto middle = static_cast<float>((low + high) / 2);
            const uint32_t even = code & 1 ? code + 1 : code;
            wrong += encode(format, middle) != even;
            wrong += encode(format, std::nextafter(middle, 0.0F)) != code;
            wrong += encode(format, std::nextafter(middle, INFINITY)) != code + 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("small floats: overflow, NaN, and the sign of unsigned ones") {
    CHECK(encode(kFloat16, 65504.0F) == 0x7BFF);
    CHECK(encode(kFloat16, 65520.0F) == 0x7C00);
    CHECK(encode(kFloat16, 1e30F) == 0x7C00);
    CHECK(encode(kFloat16, -1e30F) == 0xFC00);
    CHECK(encode(kFloat16, -0.0F) == 0x8000);
    CHECK(encode(kFloat16, std::nanf("")) == 0x7E00);
    CHECK(encode_small_float(kFloat16, 0xFF800001) == 0x7E00);
    CHECK(encode(kFloat11, -1.0F) == 0);
    CHECK(encode(kFloat11, -INFINITY) == 0);
    CHECK(encode_small_float(kFloat11, 0xFFC00000) == 0x7E0);
    CHECK(encode(kFloat10, INFINITY) == 0x3E0);
    CHECK(encode(kFloat10, 1.0F) == 0x1E0);
}

TEST_CASE("shared exponents decode as fraction * 2^(exponent - 24)") {
    for (uint32_t exponent = 0; exponent < 32; ++exponent)
        for (uint32_t fraction = 0; fraction < 512; ++fraction) {
            const Values values = decode_shared_exponent({fraction, 511 - fraction, 1, exponent});
            const double scale = std::ldexp(1.0, static_cast<int>(exponent) - 24);
            REQUIRE(as_float(values[0]) == fraction * scale);
            REQUIRE(as_float(values[1]) == (511 - fraction) * scale);
            REQUIRE(as_float(values[2]) == scale);
        }
}

TEST_CASE("shared exponents encode to the smallest exponent, half a step off at most") {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> exponents(-26, 17);
    for (unsigned i = 0; i < 50000; ++i) {
        Values values{};
        double most = 0;
        for (unsigned c = 0; c < 3; ++c) {
            const float value = std::exp2(exponents(random));
            values[c] = as_bits(value);
            most = std::max<double>(most, std::min(value, 65408.0F));
        }
        const Codes codes = encode_shared_exponent(values);
        const double step = std::ldexp(1.0, static_cast<int>(codes[3]) - 24);
        for (unsigned c = 0; c < 3; ++c) {
            REQUIRE(codes[c] <= 511);
            const double limited = std::min(as_float(values[c]), 65408.0F);
            REQUIRE(std::fabs(codes[c] * step - limited) <= step / 2);
        }
        // With the next smaller exponent the largest value would not fit 9 bits.
        if (codes[3] > 0)
            REQUIRE(std::floor(most / (step / 2) + 0.5) > 511);
    }
    CHECK(encode_shared_exponent({as_bits(-1.0F), as_bits(std::nanf("")), 0, 0}) ==
          Codes{0, 0, 0, 0});
    CHECK(encode_shared_exponent({as_bits(INFINITY), 0, 0, 0}) == Codes{511, 0, 0, 31});
}

TEST_CASE("sRGB decodes to the exact curve rounded once") {
    for (unsigned code = 0; code < 256; ++code) {
        const long double c = code / 255.0L;
        const long double exact =
            c <= 0.04045L ? c / 12.92L : std::pow((c + 0.055L) / 1.055L, 2.4L);
        const float got = as_float(srgb_to_linear(static_cast<uint8_t>(code)));
        const float below = std::nextafter(got, -1.0F);
        const float above = std::nextafter(got, 2.0F);
        CHECK(std::fabs(got - exact) <= std::fabs(below - exact));
        CHECK(std::fabs(got - exact) <= std::fabs(above - exact));
    }
}

TEST_CASE("sRGB encodes to the nearest code on both sides of every threshold") {
    const auto curve = [](long double l) {
        return l < 0.0031308L ? 12.92L * l : 1.055L * std::pow(l, 1.0L / 2.4L) - 0.055L;
    };
    for (unsigned code = 0; code < 256; ++code)
        CHECK(linear_to_srgb(srgb_to_linear(static_cast<uint8_t>(code))) == code);
    for (unsigned code = 0; code < 255; ++code) {
        // Finds the last number with this code, by bisection over the bits of binary32.
        uint32_t low = 0;
        uint32_t high = 0x3F800000;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            (linear_to_srgb(middle) <= code ? low : high) = middle;
        }
        CHECK(255 * curve(as_float(low)) < code + 0.5L);
        CHECK(255 * curve(as_float(high)) > code + 0.5L);
    }
    CHECK(linear_to_srgb(as_bits(std::nanf(""))) == 0);
    CHECK(linear_to_srgb(as_bits(-1.0F)) == 0);
    CHECK(linear_to_srgb(as_bits(INFINITY)) == 255);
}
