// Compute test: compares the picture of examples/compute.cpp with a plain C++ filter.
// SPDX-License-Identifier: MIT
#include "examples/image_io.hpp"

#include <array>
#include <doctest/doctest.h>

using namespace valkyr;

namespace {

constexpr int kSize = 256;
using Pixel = std::array<int, 3>;

/// The picture that is blurred; black outside.
Pixel source_pixel(int x, int y) {
    if (x < 0 || y < 0 || x >= kSize || y >= kSize)
        return {0, 0, 0};
    const bool light = (x / 32 + y / 32) % 2 != 0;
    return light ? Pixel{255, 200, 0} : Pixel{0, 64, 128};
}

/// The mean of the 9 x 9 pixels around a pixel, rounded down.
Pixel blurred_pixel(int x, int y) {
    Pixel sum{};
    for (int dy = -4; dy <= 4; ++dy)
        for (int dx = -4; dx <= 4; ++dx)
            for (size_t c = 0; c < 3; ++c)
                sum[c] += source_pixel(x + dx, y + dy)[c];
    return {sum[0] / 81, sum[1] / 81, sum[2] / 81};
}

}  // namespace

TEST_CASE("compute writes the means of 9 x 9 pixels") {
    const auto image = examples::read_image(VALKYR_COMPUTE_PICTURE);
    REQUIRE_MESSAGE(image.has_value(), image.error().format(VALKYR_COMPUTE_PICTURE));
    REQUIRE(image->width == kSize);
    REQUIRE(image->height == kSize);
    size_t at = 0;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x, at += 4) {
            const uint8_t* const is = &image->rgba[at];
            CAPTURE(x);
            CAPTURE(y);
            REQUIRE(Pixel{is[0], is[1], is[2]} == blurred_pixel(x, y));
            REQUIRE(is[3] == 255);
        }
}
