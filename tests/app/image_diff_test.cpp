// Image diff test: compares differences of pictures with hand-computed numbers.
// SPDX-License-Identifier: MIT
#include "app/image/image_diff.hpp"

#include <cmath>
#include <doctest/doctest.h>

namespace valkyr::app {
namespace {

using examples::Image;

/// A picture of 2x2 pixels.
Image four(std::vector<uint8_t> bytes) {
    return {2, 2, std::move(bytes)};
}
const Image kBlack = four(std::vector<uint8_t>(16));
/// Differs from black by 3 in pixel (1, 0), by 255 and 2 in pixel (0, 1).
const Image kOther = four({0, 0, 0, 0, 0, 3, 0, 0, 255, 0, 2, 0, 0, 0, 0, 0});

TEST_CASE("equal pictures differ in nothing") {
    const auto d = compare_images(kOther, kOther);
    REQUIRE(d.has_value());
    CHECK(d->max == 0);
    CHECK(d->mean == 0);
    CHECK(d->differing == 0);
    CHECK(std::isinf(d->psnr));
    CHECK(!d->first);
}

TEST_CASE("programs read the numbers, and null for what is not there") {
    CHECK(difference_json(*compare_images(kOther, kOther)) ==
          R"({"max": 0, "mean": 0, "differing": 0, "first": null, "psnr": null})");
    CHECK(difference_json(*compare_images(kBlack, kOther, 3)) ==
          R"({"max": 255, "mean": 16.25, "differing": 1, "first": [0, 1], "psnr": 12.0403})");
}

TEST_CASE("max, mean, count, first pixel and PSNR are those counted by hand") {
    const auto d = compare_images(kBlack, kOther);
    REQUIRE(d.has_value());
    CHECK(d->max == 255);
    CHECK(d->mean == 260.0 / 16);
    CHECK(d->differing == 2);
    CHECK(*d->first == ImageDifference::Pixel{1, 0});
    const double mean_square = (9.0 + 255.0 * 255.0 + 4.0) / 16;
    CHECK(d->psnr == doctest::Approx(10 * std::log10(65025 / mean_square)));
}

TEST_CASE("a tolerance takes pixels out of the count but not out of max and mean") {
    const auto d = compare_images(kOther, kBlack, 3);
    REQUIRE(d.has_value());
    CHECK(d->differing == 1);
    CHECK(*d->first == ImageDifference::Pixel{0, 1});
    CHECK(d->max == 255);
    CHECK(compare_images(kOther, kBlack, 255)->differing == 0);
}

TEST_CASE("alpha counts like the other channels") {
    Image opaque = kBlack;
    opaque.rgba[15] = 1;
    const auto d = compare_images(kBlack, opaque);
    CHECK(d->differing == 1);
    CHECK(*d->first == ImageDifference::Pixel{1, 1});
    CHECK(amplified_difference(kBlack, opaque, 20).rgba[12] == 20);
}

TEST_CASE("pictures of different sizes cannot be compared, and the error names the sizes") {
    const auto d = compare_images(kBlack, Image{4, 1, std::vector<uint8_t>(16)});
    REQUIRE(!d.has_value());
    CHECK(d.error().text.find("2x2 and 4x1") != std::string::npos);
}

TEST_CASE("empty pictures are equal") {
    const auto d = compare_images(Image{}, Image{});
    REQUIRE(d.has_value());
    CHECK(d->differing == 0);
}

TEST_CASE("a heat map is black where nothing differs, white for 255, and shows a difference of 1") {
    const Image map = heat_map(kBlack, kOther);
    CHECK(std::vector(map.rgba.begin(), map.rgba.begin() + 4) ==
          std::vector<uint8_t>{0, 0, 0, 255});
    CHECK(std::vector(map.rgba.begin() + 8, map.rgba.begin() + 12) ==
          std::vector<uint8_t>{255, 255, 255, 255});
    Image one = kBlack;
    one.rgba[0] = 1;
    CHECK(heat_map(kBlack, one).rgba[2] >= 40);
}

TEST_CASE("an amplified difference is limited to 255") {
    const Image amplified = amplified_difference(kBlack, kOther, 10);
    CHECK(amplified.rgba[5] == 30);
    CHECK(amplified.rgba[8] == 255);
    CHECK(amplified.rgba[3] == 255);
}

}  // namespace
}  // namespace valkyr::app
