// Setup test: checks coverage and interpolation of known triangles.
// SPDX-License-Identifier: MIT
#include "tests/oracle/setup.hpp"

#include <doctest/doctest.h>
#include <random>
#include <string>

namespace valkyr::reference {
namespace {

WindowVertex at(double x, double y, float z = 0, float q = 1) {
    return {static_cast<int32_t>(x * 256), static_cast<int32_t>(y * 256), z, q, {}};
}

Triangle
triangle(const WindowVertex& a, const WindowVertex& b, const WindowVertex& c, bool bottom = false) {
    const std::array<WindowVertex, 3> corners{a, b, c};
    return Triangle(corners, bottom);
}

/// Rows of '#' and '.' for the pixel centres of a square.
std::string picture(const Triangle& t, int32_t size) {
    std::string text;
    for (int32_t y = 0; y < size; y++) {
        for (int32_t x = 0; x < size; x++)
            text += t.covers(sample_point(x, y, 0, 1)) ? '#' : '.';
        text += '\n';
    }
    return text;
}

TEST_CASE("a right triangle on pixel corners owns the centres on its top and left edges") {
    // The hypotenuse x + y = 4 passes through centres. As a right or bottom edge, it does not cover
    // them.
    CHECK(picture(triangle(at(0, 0), at(4, 0), at(0, 4)), 4) == "###.\n"
                                                                "##..\n"
                                                                "#...\n"
                                                                "....\n");
}

TEST_CASE("edges through centres: top and left in, bottom and right out; bottom rule the reverse") {
    // A square of two triangles from centre to centre.
    const WindowVertex a = at(0.5, 0.5), b = at(2.5, 0.5), c = at(2.5, 2.5), d = at(0.5, 2.5);
    CHECK(picture(triangle(a, b, d), 3) == "##.\n#..\n...\n");
    CHECK(picture(triangle(b, c, d), 3) == "...\n.#.\n...\n");
    CHECK(picture(triangle(a, b, d, true), 3) == "...\n#..\n...\n");
    CHECK(picture(triangle(b, c, d, true), 3) == "...\n.#.\n##.\n");
}

TEST_CASE("orientation does not change coverage") {
    const WindowVertex a = at(0.3, 0.2), b = at(6.7, 1.1), c = at(2.4, 7.9);
    CHECK(picture(triangle(a, b, c), 8) == picture(triangle(a, c, b), 8));
}

TEST_CASE("a random mesh covers every centre exactly once") {
    std::mt19937 random(7);
    for (int round = 0; round < 20; round++) {
        // A fan around a random middle point covers the square [0, 16)^2.
        std::uniform_int_distribution<int32_t> place(1, 16 * 256 - 1);
        const WindowVertex middle{place(random), place(random), 0, 1, {}};
        const WindowVertex edge[] = {at(0, 0),   at(7.5, 0),   at(16, 0),
                                     at(16, 16), at(3.25, 16), at(0, 16)};
        for (int32_t y = 0; y < 16; y++)
            for (int32_t x = 0; x < 16; x++) {
                int hits = 0;
                for (size_t i = 0; i < std::size(edge); i++)
                    hits += triangle(middle, edge[i], edge[(i + 1) % std::size(edge)])
                                .covers(sample_point(x, y, 0, 1));
                REQUIRE(hits == 1);
            }
    }
}

TEST_CASE("coordinates at the guard band do not overflow") {
    const Triangle t = triangle(at(-16384, -16384), at(16384, -16384), at(-16384, 16384));
    CHECK(t.covers(sample_point(-16384, -16384, 0, 1)));
    CHECK(t.covers(sample_point(-1, 0, 0, 1)) == false);  // x + y = 0 passes through this centre
    CHECK(t.covers(sample_point(-2, 0, 0, 1)));
    CHECK_FALSE(t.covers(sample_point(16383, 16383, 0, 1)));
}

TEST_CASE("linear interpolation of exactly representable planes is exact") {
    const Triangle t = triangle(at(0, 0, 1), at(8, 0, 9), at(0, 8, 17));
    // z = 1 + x + 2y
    CHECK(t.z(sample_point(0, 0, 0, 1)) == 2.5F);
    CHECK(t.z(sample_point(3, 2, 0, 1)) == 1 + 3.5F + 5.0F);
    CHECK(t.depth_slope() == 2.0F);
    CHECK(t.linear({0, 8, 0}, sample_point(5, 1, 0, 1)) == 5.5F);
}

TEST_CASE("the anchor is the corner with the smallest 1/w, the first on a tie") {
    CHECK(triangle(at(0, 0), at(4, 0), at(0, 4)).corner(0) == 0);
    const Triangle t = triangle(at(0, 0, 0, 2), at(4, 0, 0, 1), at(0, 4, 0, 1));
    CHECK(t.corner(0) == 1);
    CHECK(t.corner(1) == 2);
    CHECK(t.corner(2) == 0);
}

TEST_CASE("perspective: halfway on the screen is nearer to the near corner's value") {
    // w is 1 and 3 at the ends of the top edge. At the middle, the weight of the far end is (1/3) /
    // (1 + 1/3) = 1/4.
    const Triangle t = triangle(at(0.5, 0.5, 0, 1), at(8.5, 0.5, 0, 1.0F / 3), at(0.5, 8.5, 0, 1));
    CHECK(t.perspective({0, 1, 0}, sample_point(4, 0, 0, 1)) ==
          doctest::Approx(0.25).epsilon(1e-6));
    CHECK(t.q(sample_point(4, 0, 0, 1)) == doctest::Approx(2.0 / 3).epsilon(1e-6));
}

TEST_CASE("a varying that is equal at the corners is reproduced exactly") {
    const Triangle t =
        triangle(at(0.3, 0.2, 0, 0.7F), at(6.7, 1.1, 0, 0.1F), at(2.4, 7.9, 0, 1.3F));
    for (int32_t i = 0; i < 8; i++)
        CHECK(t.perspective({0.1F, 0.1F, 0.1F}, sample_point(i, 7 - i, 0, 1)) == 0.1F);
}

TEST_CASE("equal 1/w makes perspective linear to the bit") {
    const Triangle t =
        triangle(at(0.3, 0.2, 0, 0.7F), at(6.7, 1.1, 0, 0.7F), at(2.4, 7.9, 0, 0.7F));
    const std::array<float, 3> values{0.1F, 0.9F, -3};
    for (int32_t i = 0; i < 8; i++)
        CHECK(t.perspective(values, sample_point(i, 3, 0, 1)) ==
              t.linear(values, sample_point(i, 3, 0, 1)));
}

TEST_CASE("standard sample positions: four samples of pixel (1, 2)") {
    CHECK(sample_point(1, 2, 0, 4).x == 256 + 6 * 16);
    CHECK(sample_point(1, 2, 0, 4).y == 512 + 2 * 16);
    CHECK(sample_point(1, 2, 3, 4).x == 256 + 10 * 16);
    CHECK(sample_point(1, 2, 3, 4).y == 512 + 14 * 16);
}

}  // namespace
}  // namespace valkyr::reference
