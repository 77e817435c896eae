// Tessellator test: compares divided domains with hand computation, and measures their areas.
// SPDX-License-Identifier: MIT
#include "tests/oracle/tessellator.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <string>

namespace valkyr::reference {
namespace {

using Domain = exec::TessellationDomain;
using Spacing = exec::TessellationSpacing;

constexpr int64_t kOne = 65536;
constexpr Spacing kSpacings[] = {Spacing::Equal, Spacing::FractionalEven, Spacing::FractionalOdd};

Division equal(Domain domain, float outer, float inner) {
    return divide({domain, Spacing::Equal, false, false}, {outer, outer, outer, outer},
                  {inner, inner});
}

/// Points in 1/4 ("1,0 0,2"), then primitives ("012 230").
std::string listing(const Division& division) {
    std::string text;
    for (const DomainPoint& point : division.points)
        text += std::to_string(point.u / 16384) + "," + std::to_string(point.v / 16384) + " ";
    for (const std::vector<uint32_t>& primitive : division.primitives) {
        text += " ";
        for (const uint32_t corner : primitive)
            text += std::to_string(corner);
    }
    return text;
}

/// Twice the area, positive if the corners run counter-clockwise.
int64_t doubled_area(const Division& division, const std::vector<uint32_t>& triangle) {
    const auto at = [&](size_t i) { return division.points[triangle[i]]; };
    const auto across = [&](size_t i) { return int64_t{at(i).u} - at(0).u; };
    const auto up = [&](size_t i) { return int64_t{at(i).v} - at(0).v; };
    return across(1) * up(2) - up(1) * across(2);
}

}  // namespace

TEST_CASE("small domains as drawn by hand (OpenGL 4.6 figures 11.1 to 11.3)") {
    CHECK(listing(equal(Domain::Triangles, 1, 1)) == "0,4 0,0 4,0  012");
    CHECK(listing(equal(Domain::Quads, 1, 1)) == "0,0 4,0 4,4 0,4  013 123");
    // The edges of 2, and the centre, which has no exact place.
    CHECK(listing(equal(Domain::Triangles, 2, 2)) ==
          "0,4 0,2 0,0 2,0 4,0 2,2 1,1  016 126 236 346 456 506");
    CHECK(listing(equal(Domain::Quads, 1, 2)) == "0,4 0,0 4,0 4,4 2,2  401 412 423 430");
    CHECK(listing(divide({Domain::Isolines, Spacing::Equal, false, false}, {2, 4, 0, 0}, {})) ==
          "0,0 1,0 2,0 3,0 4,0 0,2 1,2 2,2 3,2 4,2  01 12 23 34 56 67 78 89");
    CHECK(listing(divide({Domain::Triangles, Spacing::Equal, true, false}, {1, 1, 1, 0}, {1})) ==
          "0,4 0,0 4,0  021");
    CHECK(listing(divide({Domain::Quads, Spacing::Equal, false, true}, {1, 1, 1, 1}, {1, 1})) ==
          "0,0 4,0 4,4 0,4  0 1 2 3");
}

TEST_CASE("a domain of equal levels has as many points and triangles as a grid") {
    for (uint32_t n = 2; n <= 64; n++) {
        const auto level = static_cast<float>(n);
        const Division quads = equal(Domain::Quads, level, level);
        CHECK(quads.points.size() == (n + 1) * (n + 1));
        CHECK(quads.primitives.size() == 2 * n * n);
        // Rings of 3 n, 3 (n - 2), ... segments, and the centre of an even one.
        const Division triangles = equal(Domain::Triangles, level, level);
        CHECK(triangles.points.size() ==
              (n % 2 == 0 ? 3 * n * (n + 2) / 4 + 1 : 3 * (n + 1) * (n + 1) / 4));
        CHECK(triangles.primitives.size() == (n % 2 == 0 ? 3 * n * n / 2 : (3 * n * n - 1) / 2));
    }
}

TEST_CASE("triangles cover the domain once, whatever the levels") {
    constexpr float kLevels[] = {1, 1.25F, 2, 2.9F, 3, 4.5F, 7.75F, 31.0625F, 64};
    for (const Spacing spacing : kSpacings)
        for (const Domain domain : {Domain::Triangles, Domain::Quads})
            for (size_t i = 0; i < 729; i++) {
                const auto level = [&](size_t k) { return kLevels[k % std::size(kLevels)]; };
                const Division division =
                    divide({domain, spacing, false, false},
                           {level(i), level(i / 3), level(i / 2 + 1), level(i + 2)},
                           {level(i / 9), level(i / 81)});
                int64_t sum = 0;
                int64_t least = 0;
                for (const std::vector<uint32_t>& triangle : division.primitives) {
                    sum += doubled_area(division, triangle);
                    least = std::min(least, doubled_area(division, triangle));
                }
                CAPTURE(i);
                CHECK(least == 0);
                CHECK(sum == (domain == Domain::Quads ? 2 : 1) * kOne * kOne);
            }
}

TEST_CASE("a patch with a level that is not greater than 0 makes nothing") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const float level : {0.0F, -1.0F, nan}) {
        CHECK(divide({Domain::Quads}, {1, 1, 1, level}, {1, 1}).primitives.empty());
        CHECK_FALSE(divide({Domain::Triangles}, {1, 1, 1, level}, {1, 1}).primitives.empty());
        CHECK(divide({Domain::Triangles}, {1, 1, level, 1}, {1, 1}).primitives.empty());
        CHECK_FALSE(divide({Domain::Isolines}, {1, 1, level, 1}, {1, 1}).primitives.empty());
        CHECK(divide({Domain::Isolines}, {1, level, 1, 1}, {1, 1}).primitives.empty());
        CHECK_FALSE(divide({Domain::Quads}, {1, 1, 1, 1}, {level, level}).primitives.empty());
    }
}

}  // namespace valkyr::reference
