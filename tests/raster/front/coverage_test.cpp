// Coverage test: compares covered samples with exact arithmetic; a mesh hits every sample once.
// SPDX-License-Identifier: MIT
#include "raster/sample_positions.hpp"
#include "tests/raster/native_scene.hpp"

#include <doctest/doctest.h>
#include <random>

namespace valkyr::raster::test {
namespace {

__extension__ using Int128 = __int128;

struct FixedPoint {
    int64_t x, y;  ///< 1/256 pixel
};

FixedPoint fixed(const TestVertex& v) {
    return {std::llrint(double{v.position[0]} * 256), std::llrint(double{v.position[1]} * 256)};
}

/// An independent implementation of the top-left rule, by cross products in 128-bit integers.
bool covers(std::array<FixedPoint, 3> t, FixedPoint p, bool bottom_rule) {
    const auto cross = [](FixedPoint a, FixedPoint b, FixedPoint c) {
        return Int128{b.x - a.x} * (c.y - a.y) - Int128{b.y - a.y} * (c.x - a.x);
    };
    const Int128 area = cross(t[0], t[1], t[2]);
    if (area == 0)
        return false;
    if (area < 0)
        std::swap(t[1], t[2]);
    for (size_t i = 0; i < 3; ++i) {
        const FixedPoint a = t[i];
        const FixedPoint b = t[(i + 1) % 3];
        const Int128 side = cross(a, b, p);
        if (side < 0)
            return false;
        if (side > 0)
            continue;
        // Positive area is clockwise on the screen (rows downwards): left edges go up, top edges go
        // right.
        const bool left = b.y < a.y;
        const bool horizontal = b.y == a.y && (bottom_rule ? b.x < a.x : b.x > a.x);
        if (!left && !horizontal)
            return false;
    }
    return true;
}

FixedPoint center(uint32_t x, uint32_t y) {
    return {int64_t{x} * 256 + 128, int64_t{y} * 256 + 128};
}

/// A grid of jittered vertices whose outline is a rectangle, as a triangle list.
std::vector<TestVertex> jittered_mesh(
    std::mt19937& random, unsigned columns, unsigned rows, float x0, float y0, float cell) {
    std::vector<Position> grid;
    std::uniform_int_distribution<int> jitter(-100, 100);
    for (unsigned y = 0; y <= rows; ++y)
        for (unsigned x = 0; x <= columns; ++x) {
            const bool inside = x > 0 && y > 0 && x < columns && y < rows;
            const float scale = cell / 512;
            grid.push_back({x0 + static_cast<float>(x) * cell +
                                (inside ? static_cast<float>(jitter(random)) * scale : 0),
                            y0 + static_cast<float>(y) * cell +
                                (inside ? static_cast<float>(jitter(random)) * scale : 0),
                            0.5F, 1});
        }
    std::vector<TestVertex> list;
    const auto add = [&](unsigned x, unsigned y) {
        list.push_back({grid[y * (columns + 1) + x], {}});
    };
    for (unsigned y = 0; y < rows; ++y)
        for (unsigned x = 0; x < columns; ++x) {
            add(x, y), add(x + 1, y), add(x, y + 1);
            // The other half of the cell has a random orientation.
            if (random() % 2 != 0)
                add(x + 1, y), add(x + 1, y + 1), add(x, y + 1);
            else
                add(x + 1, y), add(x, y + 1), add(x + 1, y + 1);
        }
    return list;
}

/// Draws a list and compares the hits of each pixel with exact arithmetic.
void check_list(const std::vector<TestVertex>& list,
                uint32_t width,
                uint32_t height,
                bool bottom_rule,
                const DeviceOptions& options) {
    Scene scene(width, height, options);
    PipelineDesc desc;
    desc.rasterizer.bottom_edge_rule = bottom_rule;
    scene.pipeline(desc, vertex_stage(list), fragment_stage(count_hit));
    scene.draw(static_cast<uint32_t>(list.size()));
    const std::vector<uint32_t> pixels = scene.read();
    std::vector<uint32_t> expected(pixels.size());
    for (size_t t = 0; t + 2 < list.size(); t += 3) {
        const std::array<FixedPoint, 3> triangle{fixed(list[t]), fixed(list[t + 1]),
                                                 fixed(list[t + 2])};
        int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = 0, y1 = 0;
        for (const FixedPoint& p : triangle) {
            x0 = std::min(x0, p.x >> 8), y0 = std::min(y0, p.y >> 8);
            x1 = std::max(x1, (p.x >> 8) + 1), y1 = std::max(y1, (p.y >> 8) + 1);
        }
        for (int64_t y = std::max<int64_t>(y0, 0); y < std::min<int64_t>(y1, height); ++y)
            for (int64_t x = std::max<int64_t>(x0, 0); x < std::min<int64_t>(x1, width); ++x)
                if (covers(triangle, center(static_cast<uint32_t>(x), static_cast<uint32_t>(y)),
                           bottom_rule))
                    ++expected[static_cast<size_t>(y) * width + static_cast<size_t>(x)];
    }
    size_t wrong = 0;
    for (size_t i = 0; i < pixels.size(); ++i)
        if (pixels[i] != expected[i]) {
            if (wrong++ == 0)
                MESSAGE("first difference at " << i % width << ',' << i / width << ": " << pixels[i]
                                               << " hits, exact " << expected[i]);
        }
    CHECK(wrong == 0);
}

const std::array<Host, 3> kHosts{Host::Auto, Host::Avx2, Host::Neon};

}  // namespace

TEST_CASE("every pixel of a jittered mesh is hit exactly once") {
    for (const Host host : kHosts)
        for (const float cell : {1.5F, 7.0F, 33.0F, 97.0F}) {
            std::mt19937 random(static_cast<unsigned>(cell));
            const auto columns = static_cast<unsigned>(180 / cell) + 1;
            const auto list = jittered_mesh(random, columns, columns, 3.25F, 5.75F, cell);
            DeviceOptions options;
            options.host = host;
            Scene scene(256, 256, options);
            scene.pipeline({}, vertex_stage(list), fragment_stage(count_hit));
            scene.draw(static_cast<uint32_t>(list.size()));
            const std::vector<uint32_t> pixels = scene.read();
            const float end_x = 3.25F + static_cast<float>(columns) * cell;
            const float end_y = 5.75F + static_cast<float>(columns) * cell;
            size_t wrong = 0;
            for (uint32_t y = 0; y < 256; ++y)
                for (uint32_t x = 0; x < 256; ++x) {
                    const float cx = static_cast<float>(x) + 0.5F;
                    const float cy = static_cast<float>(y) + 0.5F;
                    const bool inside = cx >= 3.25F && cy >= 5.75F && cx < end_x && cy < end_y;
                    wrong += pixels[y * 256 + x] != (inside ? 1U : 0U) ? 1 : 0;
                }
            CHECK(wrong == 0);
        }
}

TEST_CASE("random triangles of every size cover the pixels that exact arithmetic says") {
    for (const Host host : kHosts)
        for (const bool bottom_rule : {false, true}) {
            std::mt19937 random(7);
            std::vector<TestVertex> list;
            for (const float size : {0.6F, 2.0F, 8.0F, 40.0F, 150.0F, 3000.0F, 16000.0F}) {
                std::uniform_real_distribution<float> at(0, 200);
                std::uniform_real_distribution<float> offset(-size, size);
                for (unsigned i = 0; i < 60; ++i) {
                    const float x = at(random);
                    const float y = at(random);
                    for (unsigned k = 0; k < 3; ++k)
                        list.push_back(
                            {{std::clamp(x + offset(random), -16384.0F, 16384.0F),
                              std::clamp(y + offset(random), -16384.0F, 16384.0F), 0.5F, 1},
                             {}});
                }
            }
            DeviceOptions options;
            options.host = host;
            check_list(list, 200, 200, bottom_rule, options);
        }
}

TEST_CASE("slivers and triangles at the limits of the coordinates: every sample, at every count") {
    constexpr uint32_t kSize = 72;
    std::mt19937 random(31);
    std::uniform_real_distribution<float> at(0, kSize);
    std::uniform_real_distribution<float> thin(-0.02F, 0.02F);
    const auto corner = [&] { return random() % 2 == 0 ? -16384.0F : 16384.0F; };
    std::vector<TestVertex> list;
    for (unsigned i = 0; i < 40; ++i) {
        // A sliver across the target, one that reaches the guard band, and a huge triangle.
        const float x = at(random), y = at(random), x2 = at(random), y2 = at(random);
        for (const auto& p :
             {std::pair{x, y}, std::pair{x2, y2}, std::pair{x2 + thin(random), y2 + thin(random)},
              std::pair{x, y}, std::pair{corner(), y2}, std::pair{corner(), y2 + thin(random)},
              std::pair{x, y}, std::pair{corner(), corner()}, std::pair{corner(), y2 * 100}})
            list.push_back({{p.first, p.second, 0.5F, 1}, {}});
    }
    for (const uint32_t samples : {1U, 2U, 4U, 8U, 16U})
        for (const bool bottom_rule : {false, true}) {
            CAPTURE(samples);
            std::vector<uint32_t> hits(size_t{kSize} * kSize * samples);
            const auto index = [&](uint32_t px, uint32_t py, uint32_t s) {
                return (size_t{py} * kSize + px) * samples + s;
            };
            Scene scene(kSize, kSize, {}, samples);
            PipelineDesc desc;
            desc.rasterizer.multisample = true;
            desc.rasterizer.bottom_edge_rule = bottom_rule;
            scene.pipeline(
                desc, vertex_stage(list),
                fragment_stage([&](const Sample& s) { ++hits[index(s.x, s.y, s.sample)]; },
                               exec::Interpolation::Perspective, samples));
            scene.draw(static_cast<uint32_t>(list.size()));
            must(scene.device->finish());
            size_t wrong = 0;
            size_t covered = 0;
            for (uint32_t y = 0; y < kSize; ++y)
                for (uint32_t x = 0; x < kSize; ++x)
                    for (uint32_t s = 0; s < samples; ++s) {
                        const SamplePosition p = sample_positions(samples)[s];
                        const FixedPoint place{int64_t{x} * 256 + 16 * p.x,
                                               int64_t{y} * 256 + 16 * p.y};
                        uint32_t expected = 0;
                        for (size_t t = 0; t < list.size(); t += 3)
                            expected +=
                                covers({fixed(list[t]), fixed(list[t + 1]), fixed(list[t + 2])},
                                       place, bottom_rule);
                        covered += expected;
                        wrong += hits[index(x, y, s)] != expected ? 1 : 0;
                    }
            CHECK(wrong == 0);
            CHECK(covered > 0);
        }
}

TEST_CASE("vertices on pixel centres and edges through centres follow the fill rule") {
    std::mt19937 random(99);
    std::vector<TestVertex> list;
    // Coordinates are multiples of half a pixel, so that ties are common.
    std::uniform_int_distribution<int> half(0, 80);
    for (unsigned i = 0; i < 900; ++i)
        list.push_back(
            {{static_cast<float>(half(random)) / 2, static_cast<float>(half(random)) / 2, 0, 1},
             {}});
    for (const Host host : kHosts) {
        DeviceOptions options;
        options.host = host;
        check_list(list, 48, 48, false, options);
        check_list(list, 48, 48, true, options);
    }
}

}  // namespace valkyr::raster::test
