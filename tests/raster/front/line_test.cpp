// Line test: compares lines with the diamond-exit rule (OpenGL 4.6 section 14.5.1).
// SPDX-License-Identifier: MIT
#include "tests/raster/native_scene.hpp"

#include <doctest/doctest.h>
#include <random>

namespace valkyr::raster::test {
namespace {

constexpr int kLineSize = 48;

/// A point in 1/256 pixel.
struct Fixed {
    int x, y;
};

struct Line {
    Fixed from, to;
};

TestVertex vertex(Fixed p) {
    return {{static_cast<float>(p.x) / 256, static_cast<float>(p.y) / 256, 0, 1}, {}};
}

/// Draws lines and returns the hits by pixel.
std::vector<uint32_t>
drawn(const std::vector<Line>& lines, const RasterizerState& state, int size = kLineSize) {
    std::vector<TestVertex> vertices;
    for (const Line& line : lines) {
        vertices.push_back(vertex(line.from));
        vertices.push_back(vertex(line.to));
    }
    Scene scene(size, size);
    PipelineDesc desc;
    desc.primitive = Primitive::Lines;
    desc.rasterizer = state;
    scene.pipeline(desc, vertex_stage(vertices), fragment_stage(count_hit));
    scene.clear();
    scene.draw(static_cast<uint32_t>(vertices.size()));
    return scene.read();
}

/// Distance of a point from the centre of a pixel, |dx| + |dy|, in 1/1024 pixel; half a pixel is
/// 512. Points are shifted by less than a step in the direction of the tie rule, so that none lies
///      on a diamond's edge.
int distance(Fixed p, int x, int y, bool bottom) {
    return std::abs(4 * p.x - 2 - (1024 * x + 512)) +
           std::abs(4 * p.y + (bottom ? 1 : -1) - (1024 * y + 512));
}

enum class Verdict { No, Yes, Unclear };

/// Whether the rule draws the pixel; Unclear if the line passes, begins or ends within 1/128 pixel
/// of the diamond's edge.
Verdict diamond_exit(const Line& line, int x, int y, bool bottom) {
    for (const Fixed end : {line.to, line.from})
        if (std::abs(distance(end, x, y, bottom) - 512) < 8)
            return Verdict::Unclear;
    if (distance(line.to, x, y, bottom) < 512)
        return Verdict::No;
    if (distance(line.from, x, y, bottom) < 512)
        return Verdict::Yes;
    const double ax = 4 * line.from.x - 2 - (1024 * x + 512);
    const double ay = 4 * line.from.y + (bottom ? 1 : -1) - (1024 * y + 512);
    const double dx = 4 * (line.to.x - line.from.x);
    const double dy = 4 * (line.to.y - line.from.y);
    double nearest = 1e9;
    for (const double t : {-ax / dx, -ay / dy})
        if (t >= 0 && t <= 1)
            nearest = std::min(nearest, std::abs(ax + t * dx) + std::abs(ay + t * dy));
    if (std::abs(nearest - 512) < 8)
        return Verdict::Unclear;
    return nearest < 512 ? Verdict::Yes : Verdict::No;
}

/// Compares hits with the rule, and counts.
struct Verdicts {
    size_t wrong = 0;
    size_t clear = 0;  ///< pixels that are drawn
    size_t unclear = 0;

    void check(const Line& line, const std::vector<uint32_t>& hits, int size, bool bottom) {
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                const Verdict verdict = diamond_exit(line, x, y, bottom);
                const uint32_t hit = hits[static_cast<size_t>(y * size + x)];
                if (verdict == Verdict::Unclear) {
                    ++unclear;
                    wrong += hit > 1 ? 1 : 0;
                    continue;
                }
                clear += verdict == Verdict::Yes ? 1 : 0;
                if (hit != (verdict == Verdict::Yes ? 1U : 0U)) {
                    ++wrong;
                    INFO("(" << line.from.x << ", " << line.from.y << ") to (" << line.to.x << ", "
                             << line.to.y << ") at pixel " << x << ", " << y);
                    CHECK(wrong > 5);
                }
            }
    }
};

std::vector<Line> random_lines(uint32_t seed, int count) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint32_t>(n)); };
    std::vector<Line> lines;
    for (int i = 0; i < count; ++i) {
        // Short and long lines, some with ends on pixel centres and borders.
        const int grid = below(3) == 0 ? 128 : 1;
        const int reach = below(2) == 0 ? 3 * 256 : 20 * 256;
        const Fixed from{(5120 + below(2048)) / grid * grid, (5120 + below(2048)) / grid * grid};
        const Fixed to{from.x + (below(2 * reach) - reach) / grid * grid,
                       from.y + (below(2 * reach) - reach) / grid * grid};
        lines.push_back({from, to});
    }
    return lines;
}

}  // namespace

TEST_CASE("thin lines draw the pixels whose diamonds they leave") {
    for (const bool bottom : {false, true}) {
        RasterizerState state;
        state.bottom_edge_rule = bottom;
        Verdicts verdicts;
        for (const Line& line : random_lines(bottom ? 2 : 1, 300))
            verdicts.check(line, drawn({line}, state), kLineSize, bottom);
        CHECK(verdicts.wrong == 0);
        CHECK(verdicts.clear > 2000);
        CHECK(verdicts.unclear < verdicts.clear);
    }
}

TEST_CASE("lines across many tiles draw the pixels whose diamonds they leave") {
    constexpr int kSize = 300;
    std::mt19937 random(3);
    const auto place = [&] { return static_cast<int>(random() % (256U * kSize)); };
    for (const bool bottom : {false, true}) {
        RasterizerState state;
        state.bottom_edge_rule = bottom;
        Verdicts verdicts;
        for (int i = 0; i < 60; ++i) {
            const Line line{{place(), place()}, {place(), place()}};
            verdicts.check(line, drawn({line}, state, kSize), kSize, bottom);
        }
        CHECK(verdicts.wrong == 0);
        CHECK(verdicts.clear > 5000);
        CHECK(verdicts.unclear < verdicts.clear);
    }
}

TEST_CASE("a chain of lines that never turns back hits no pixel twice and leaves none out") {
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        // A chain of lines to the right draws one pixel per column.
        std::vector<Line> chain;
        Fixed at{300 + static_cast<int>(random() % 512), 6000};
        const Fixed first = at;
        while (at.x < 11000) {
            const int dx = 1 + static_cast<int>(random() % 500);
            const Fixed next{at.x + dx,
                             at.y + static_cast<int>(random() % static_cast<uint32_t>(2 * dx + 1)) -
                                 dx};
            chain.push_back({at, next});
            at = next;
        }
        const std::vector<uint32_t> hits = drawn(chain, {});
        size_t wrong = 0;
        for (int x = 0; x < kLineSize; ++x) {
            uint32_t column = 0;
            for (int y = 0; y < kLineSize; ++y)
                column += hits[static_cast<size_t>(y * kLineSize + x)];
            const bool inside = x > first.x >> 8 && x < at.x >> 8;
            const bool outside = x < first.x >> 8 || x > at.x >> 8;
            // A bend inside of a pixel may leave its diamond twice or not at all.
            wrong += (inside && column != 1) || (outside && column != 0) ? 1 : 0;
        }
        CHECK(wrong <= 3);
    }
}

TEST_CASE("a wide line is thin lines beside each other") {
    for (const int width : {2, 3, 5, 8}) {
        RasterizerState wide;
        wide.line_width = static_cast<float>(width);
        size_t wrong = 0;
        for (const Line& line : random_lines(static_cast<uint32_t>(width), 60)) {
            const bool x_major =
                std::abs(line.to.x - line.from.x) >= std::abs(line.to.y - line.from.y);
            std::vector<Line> thin;
            for (int i = 0; i < width; ++i) {
                const int shift = 256 * i - 128 * (width - 1);
                const Fixed by{x_major ? 0 : shift, x_major ? shift : 0};
                thin.push_back({{line.from.x + by.x, line.from.y + by.y},
                                {line.to.x + by.x, line.to.y + by.y}});
            }
            wrong += drawn({line}, wide) != drawn(thin, {}) ? 1 : 0;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("line_last_pixel adds the pixel that the line ends in, and no other") {
    RasterizerState with;
    with.line_last_pixel = true;
    size_t wrong = 0;
    size_t added = 0;
    for (const Line& line : random_lines(11, 200)) {
        if (line.from.x == line.to.x && line.from.y == line.to.y)
            continue;
        const auto plain = drawn({line}, {});
        const auto more = drawn({line}, with);
        for (int y = 0; y < kLineSize; ++y)
            for (int x = 0; x < kLineSize; ++x) {
                const auto i = static_cast<size_t>(y * kLineSize + x);
                const int to_end = distance(line.to, x, y, false);
                if (std::abs(to_end - 512) < 8)
                    continue;
                const bool right = to_end < 512 ? more[i] == 1 : plain[i] == more[i];
                added += right && plain[i] != more[i] ? 1 : 0;
                if (!right && diamond_exit(line, x, y, false) != Verdict::Unclear) {
                    ++wrong;
                    INFO("(" << line.from.x << ", " << line.from.y << ") to (" << line.to.x << ", "
                             << line.to.y << ") at pixel " << x << ", " << y);
                    CHECK(wrong > 5);
                }
            }
    }
    CHECK(wrong == 0);
    CHECK(added > 50);
}

}  // namespace valkyr::raster::test
