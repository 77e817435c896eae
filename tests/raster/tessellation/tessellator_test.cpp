// Tessellator test: compares divided domains with recorded ones, and checks areas and edges.
// SPDX-License-Identifier: MIT
#include "raster/tessellation/tessellator.hpp"
#include "tests/oracle/tessellator.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace valkyr::raster::test {
namespace {

using exec::TessellationInfo;
using Domain = exec::TessellationDomain;
using Spacing = exec::TessellationSpacing;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Spacing kSpacings[] = {Spacing::Equal, Spacing::FractionalOdd, Spacing::FractionalEven};

Tessellation divided(const TessellationInfo& info, const TessellationLevels& levels) {
    Tessellation made;
    if (const auto key = tessellation_key(info, levels))
        tessellate(info, *key, made);
    return made;
}

/// FNV-1a of the number of points, their coordinates, the number of corners, and the corners.
uint64_t hash_of(const Tessellation& made) {
    uint64_t hash = 0xCBF29CE484222325;
    const auto add = [&](uint64_t word) {
        for (unsigned byte = 0; byte < 4; ++byte)
            hash = (hash ^ (word >> (8 * byte) & 0xFF)) * 0x100000001B3;
    };
    add(made.points.size());
    for (const DomainPlace& point : made.points) {
        add(point.u);
        add(point.v);
    }
    add(made.corners.size());
    for (const uint16_t corner : made.corners)
        add(corner);
    return hash;
}

/// A result of the algorithm of Direct3D 11's reference, which llvmpipe has as well.
struct Recorded {
    TessellationInfo info;
    TessellationLevels levels;
    uint32_t points;
    uint32_t primitives;
    uint64_t hash;
};
constexpr TessellationInfo info_of(Domain domain, Spacing spacing, bool clockwise = false) {
    return {domain, spacing, clockwise, false};
}

const Recorded kRecorded[] = {
    {info_of(Domain::Quads, Spacing::Equal), {{1, 1, 1, 1}, {1, 1}}, 4, 2, 0x90400DECE03A1F75},
    {info_of(Domain::Quads, Spacing::Equal), {{1, 1, 1, 1}, {1, 2}}, 5, 4, 0x5ADA4AF42FA9766C},
    {info_of(Domain::Quads, Spacing::Equal), {{4, 3, 2, 1}, {3, 5}}, 18, 24, 0x2E80B6A2B3232209},
    {info_of(Domain::Quads, Spacing::Equal),
     {{64, 64, 64, 64}, {64, 64}},
     4225,
     8192,
     0xFA9BE54FA1BA8590},
    {info_of(Domain::Quads, Spacing::Equal, true),
     {{7, 5, 3, 9}, {6, 4}},
     39,
     52,
     0x69ACF78021652DE0},
    {info_of(Domain::Quads, Spacing::FractionalEven),
     {{2.5F, 3, 7.25F, 64}, {5.5F, 3.75F}},
     95,
     108,
     0xDD47DE2D9797B78A},
    {info_of(Domain::Quads, Spacing::FractionalEven),
     {{0.25F, 1, 1, 1}, {1, 1}},
     9,
     8,
     0x12C8AD52BECBC8C4},
    {info_of(Domain::Quads, Spacing::FractionalOdd),
     {{1.5F, 3, 6.2F, 63}, {9.7F, 2}},
     96,
     114,
     0xC4D719604E1E65C5},
    {info_of(Domain::Quads, Spacing::FractionalOdd),
     {{1, 1, 1, 1}, {1, 4.5F}},
     12,
     18,
     0xE810E4163925EEEB},
    {info_of(Domain::Quads, Spacing::FractionalOdd),
     {{1, 1, 1, 2}, {kNan, -1}},
     10,
     12,
     0x7787AFF126B40FA2},
    {info_of(Domain::Triangles, Spacing::Equal), {{1, 1, 1}, {1}}, 3, 1, 0x7C13314F6D28E236},
    {info_of(Domain::Triangles, Spacing::Equal), {{3, 2, 5}, {4}}, 17, 22, 0x1A2172BC7F129B81},
    {info_of(Domain::Triangles, Spacing::Equal, true),
     {{64, 64, 64}, {64}},
     3169,
     6144,
     0xD43D1F15705C0008},
    {info_of(Domain::Triangles, Spacing::FractionalEven),
     {{2.5F, 6, 7.25F}, {5.5F}},
     37,
     54,
     0x4BDF6A09E60A5B32},
    {info_of(Domain::Triangles, Spacing::FractionalOdd),
     {{1.5F, 3, 6.2F}, {4.75F}},
     25,
     35,
     0x5FFCE7C4DAD5D684},
    {info_of(Domain::Triangles, Spacing::FractionalOdd),
     {{1, 1, 1}, {1.00001F}},
     6,
     7,
     0x7E13D9F26CDCC775},
    {info_of(Domain::Isolines, Spacing::Equal), {{5, 7}, {}}, 40, 35, 0xC0B3E7E856A77E78},
    {info_of(Domain::Isolines, Spacing::FractionalOdd),
     {{2.5F, 3.5F}, {}},
     18,
     15,
     0x5536FCB2CB332DFD},
    {info_of(Domain::Isolines, Spacing::FractionalEven),
     {{1, 4.25F}, {}},
     7,
     6,
     0x81D74931F7610D4D},
};

/// Whether the outermost ring of a domain has the points of a divided interval on every side, and
/// in the side's direction.
bool rings_with(const Tessellation& made, Domain domain, std::span<const uint32_t> row) {
    const size_t segments = row.size() - 1;
    const size_t sides = domain == Domain::Quads ? 4 : 3;
    if (made.points.size() < sides * segments)
        return false;
    for (size_t i = 0; i < segments; ++i) {
        const uint32_t up = row[i];
        const uint32_t down = kDomainOne - up;
        const bool quads = domain == Domain::Quads;
        const DomainPlace places[] = {{0, down},
                                      {up, 0},
                                      quads ? DomainPlace{kDomainOne, up} : DomainPlace{down, up},
                                      {down, kDomainOne}};
        for (size_t side = 0; side < sides; ++side)
            if (made.points[side * segments + i] != places[side])
                return false;
    }
    return true;
}

/// Whether a divided interval goes from 0 to 1 and is its own mirror image. Points next to the
/// middle may lie a little beyond it.
bool is_mirrored(std::span<const uint32_t> row) {
    constexpr uint32_t kBeyond = 7;
    bool good = row.front() == 0 && row.back() == kDomainOne;
    for (size_t i = 0; i < row.size(); ++i)
        good &= row[i] + row[row.size() - 1 - i] == kDomainOne &&
                (i == 0 || row[i - 1] <= row[i] + kBeyond);
    return good;
}

/// Twice the area of a triangle, positive if it runs counter-clockwise in (u right, v up).
int64_t area(const Tessellation& made, size_t triangle) {
    std::array<std::array<int64_t, 2>, 3> p{};
    for (size_t i = 0; i < 3; ++i) {
        const DomainPlace& point = made.points[made.corners[3 * triangle + i]];
        p[i] = {point.u, point.v};
    }
    return (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
}

}  // namespace

TEST_CASE("domains are divided as recorded: points, triangles, and the order of both") {
    for (const Recorded& row : kRecorded) {
        const Tessellation made = divided(row.info, row.levels);
        CAPTURE(row.hash);
        CHECK(made.points.size() == row.points);
        CHECK(made.primitives() == row.primitives);
        CHECK(hash_of(made) == row.hash);
    }
}

TEST_CASE("triangles fill the domain without gaps and without overlaps, whatever the levels") {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> level(0.1F, 66);
    for (unsigned round = 0; round < 3000; ++round) {
        const Domain domain = round % 2 == 0 ? Domain::Quads : Domain::Triangles;
        const bool clockwise = round % 5 == 0;
        const TessellationInfo info = info_of(domain, kSpacings[round % 3], clockwise);
        TessellationLevels levels;
        const float most = round % 7 == 0 ? 3 : 66;
        for (float& l : levels.outer)
            l = std::min(level(random), most);
        for (float& l : levels.inner)
            l = std::min(level(random), most);
        const Tessellation made = divided(info, levels);
        int64_t sum = 0;
        int64_t least = 0;
        for (size_t t = 0; t < made.primitives(); ++t) {
            const int64_t twice = clockwise ? -area(made, t) : area(made, t);
            sum += twice;
            least = std::min(least, twice);
        }
        CAPTURE(round);
        CHECK(least == 0);
        const int64_t whole = int64_t{kDomainOne} * kDomainOne;
        CHECK(sum == (domain == Domain::Quads ? 2 * whole : whole));
    }
}

TEST_CASE("edges of equal levels have mirrored points, bit by bit, in every direction and domain") {
    // Equal spacing rounds up: whole levels are all that there are.
    constexpr uint32_t kSteps[] = {1, 1024, 1024};
    for (size_t s = 0; s < std::size(kSpacings); ++s) {
        const Spacing spacing = kSpacings[s];
        uint32_t bad = 0;
        Tessellation made;
        std::vector<uint32_t> row;
        for (uint32_t step = kSteps[s]; step <= 64 * kSteps[s]; ++step) {
            const float level = static_cast<float>(step) / static_cast<float>(kSteps[s]);
            const auto divide = [&](Domain domain, const TessellationLevels& levels) {
                const TessellationInfo info = info_of(domain, spacing);
                tessellate(info, tessellation_key(info, levels).value(), made);
            };
            // The one line of isolines is the interval.
            divide(Domain::Isolines, {{1, level}, {}});
            row.clear();
            for (const DomainPlace& point : made.points)
                row.push_back(point.u);
            bool good = is_mirrored(row);
            // Inner levels differ: an edge depends on its own level alone. If all are 1, the
            // corners have an order of their own.
            const float inner = level == 1 ? 2 : static_cast<float>(1 + step % 3);
            for (const Domain domain : {Domain::Quads, Domain::Triangles}) {
                divide(domain, {{level, level, level, level}, {inner, 2}});
                good &= rings_with(made, domain, row);
            }
            bad += good ? 0 : 1;
        }
        CAPTURE(s);
        CHECK(bad == 0);
    }
}

TEST_CASE("domains are divided as by the reference renderer, whatever the levels") {
    std::mt19937 random(2);
    const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
    const auto any_level = [&]() -> float {
        constexpr float kSpecial[] = {0, -1, kNan, kInfinity, 1, 1 + 0x1p-17F, 1.0001F, 2, 63, 64};
        switch (below(8)) {
        case 0: return kSpecial[below(std::size(kSpecial))];
        case 1: return static_cast<float>(below(67));
        case 2: return static_cast<float>(below(67 << 16)) / 65536;
        default: return static_cast<float>(below(7 << 16)) / 65536 + 0.5F;
        }
    };
    for (unsigned round = 0; round < 20000; ++round) {
        const TessellationInfo info{static_cast<Domain>(below(3)), kSpacings[below(3)],
                                    below(2) == 0, below(8) == 0};
        TessellationLevels levels;
        std::ranges::generate(levels.outer, any_level);
        std::ranges::generate(levels.inner, any_level);
        const Tessellation made = divided(info, levels);
        const reference::Division expected = reference::divide(info, levels.outer, levels.inner);
        std::vector<uint16_t> corners;
        for (const std::vector<uint32_t>& primitive : expected.primitives)
            corners.insert(corners.end(), primitive.begin(), primitive.end());
        const auto same = [](const DomainPlace& a, const reference::DomainPoint& b) {
            return a.u == b.u && a.v == b.v;
        };
        CAPTURE(round);
        CHECK(std::ranges::equal(made.points, expected.points, same));
        CHECK(made.corners == corners);
    }
}

TEST_CASE("levels that are not greater than 0 cull the patch, huge ones are limited") {
    const TessellationInfo quads = info_of(Domain::Quads, Spacing::Equal);
    for (const float none : {0.0F, -0.0F, -1.0F, kNan, -kInfinity})
        for (unsigned i = 0; i < 4; ++i) {
            TessellationLevels levels{{2, 2, 2, 2}, {2, 2}};
            levels.outer[i] = none;
            CHECK_FALSE(tessellation_key(quads, levels).has_value());
            // Triangles use three outer levels, isolines two.
            const bool triangles =
                tessellation_key(info_of(Domain::Triangles, Spacing::Equal), levels).has_value();
            CHECK(triangles == (i >= 3));
            const bool lines =
                tessellation_key(info_of(Domain::Isolines, Spacing::Equal), levels).has_value();
            CHECK(lines == (i >= 2));
        }
    for (const float huge : {65.0F, 1e30F, kInfinity}) {
        const TessellationLevels levels{{huge, huge, huge, huge}, {huge, huge}};
        CHECK(divided(quads, levels).points.size() == kMaxDomainPoints);
        const auto odd = divided(info_of(Domain::Quads, Spacing::FractionalOdd), levels);
        CHECK(odd.points.size() == 64 * 64);
    }
    for (const float least : {0.0F, -5.0F, kNan, -kInfinity}) {
        const TessellationLevels levels{{1, 1, 1, 1}, {least, least}};
        CHECK(divided(quads, levels).points.size() == 4);
    }
}

TEST_CASE("point mode makes every point once") {
    for (const Domain domain : {Domain::Quads, Domain::Triangles, Domain::Isolines}) {
        TessellationInfo info = info_of(domain, Spacing::Equal);
        const TessellationLevels levels{{3, 4, 5, 6}, {4, 7}};
        const Tessellation others = divided(info, levels);
        info.point_mode = true;
        const Tessellation points = divided(info, levels);
        CHECK(points.vertices == 1);
        CHECK(points.points == others.points);
        REQUIRE(points.corners.size() == points.points.size());
        for (size_t i = 0; i < points.corners.size(); ++i)
            CHECK(points.corners[i] == i);
    }
}

}  // namespace valkyr::raster::test
