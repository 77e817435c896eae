// Hello test: compares the picture of examples/hello.cpp with exact arithmetic.
// SPDX-License-Identifier: MIT
//
// The corners are pixel corners of a 256 x 256 picture: (32, 224), (224, 224), (128, 32). At the
// centre of pixel (x, y) the barycentric coordinates are odd multiples of 1/768, so that no centre
// lies on the left or right edge and no colour (255 n / 768) lies halfway between two bytes. Each
// pixel is therefore an integer formula, independent of a renderer's order of operations.
#include "examples/image_io.hpp"

#include <array>
#include <doctest/doctest.h>

using namespace valkyr;

namespace {

using Pixel = std::array<int, 4>;

/// The byte nearest to 255 n / 768.
int unorm8(int n) {
    return (255 * n + 384) / 768;
}

/// The expected pixel: red, green and blue weighted by barycentric coordinates, or the black
/// background.
Pixel expected_pixel(int x, int y) {
    const int top = 4 * (224 - y) - 2;  // of 768, as all three
    const int right = 4 * (x - 32) + 2 - top / 2;
    const int left = 768 - top - right;
    if (top < 0 || right < 0 || left < 0)
        return {0, 0, 0, 255};
    return {unorm8(left), unorm8(right), unorm8(top), 255};
}

}  // namespace

TEST_CASE("hello draws the triangle that its corners say") {
    const auto image = examples::read_image(VALKYR_HELLO_PICTURE);
    REQUIRE_MESSAGE(image.has_value(), image.error().format(VALKYR_HELLO_PICTURE));
    REQUIRE(image->width == 256);
    REQUIRE(image->height == 256);
    size_t at = 0;
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x, at += 4) {
            const uint8_t* const is = &image->rgba[at];
            CAPTURE(x);
            CAPTURE(y);
            REQUIRE(Pixel{is[0], is[1], is[2], is[3]} == expected_pixel(x, y));
        }
}
