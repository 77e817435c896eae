// Cube test: checks neighbours across edges, by projected directions, and seamless filtering.
// SPDX-License-Identifier: MIT
#include "exec/cube_faces.hpp"
#include "tests/raster/messages/exact_axis.hpp"
#include "tests/raster/messages/texture_fixture.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::CubeTexel;

namespace {

using Direction = std::array<int64_t, 3>;

/// The inverse of GL 4.6 table 8.19: the direction of face coordinates (sc, tc) at distance ma.
Direction direction_of(unsigned face, int64_t sc, int64_t tc, int64_t ma) {
    switch (face) {
    case 0: return {ma, -tc, -sc};
    case 1: return {-ma, -tc, sc};
    case 2: return {sc, ma, tc};
    case 3: return {sc, -ma, -tc};
    case 4: return {sc, -tc, ma};
    default: return {-sc, -tc, -ma};
    }
}

/// The texel of a cube of `size` that a direction hits: table 8.19 and equation 8.22.
CubeTexel project(const Direction& d, int64_t size) {
    const auto [x, y, z] = d;
    const int64_t ma = std::max({std::llabs(x), std::llabs(y), std::llabs(z)});
    CubeTexel result{};
    int64_t sc = 0, tc = 0;
    if (std::llabs(x) == ma) {
        result.face = x > 0 ? 0 : 1;
        sc = x > 0 ? -z : z;
        tc = -y;
    } else if (std::llabs(y) == ma) {
        result.face = y > 0 ? 2 : 3;
        sc = x;
        tc = y > 0 ? z : -z;
    } else {
        result.face = z > 0 ? 4 : 5;
        sc = z > 0 ? x : -x;
        tc = -y;
    }
    // s = (sc / ma + 1) / 2, texel floor(s * size)
    result.x = (sc + ma) * size / (2 * ma);
    result.y = (tc + ma) * size / (2 * ma);
    return result;
}

/// The cube texel in the direction of texel centre (x, y) of a face's plane, which extends past the
/// face's edges.
CubeTexel beyond(unsigned face, int64_t x, int64_t y, int64_t size) {
    return project(direction_of(face, 2 * x + 1 - size, 2 * y + 1 - size, size), size);
}

uint8_t texel_value(uint32_t face, uint32_t x, uint32_t y) {
    return static_cast<uint8_t>(face * 40 + x * 7 + y * 3);
}

TestTexture make_cube(uint32_t size, exec::Format format) {
    return TestTexture(exec::TextureKind::Cube, format, {{size, size, 6}},
                       [](uint32_t, uint32_t x, uint32_t y, uint32_t z, uint32_t, uint8_t* texel) {
                           texel[0] = texel_value(z, x, y);
                       });
}

/// The packed first register of a cube coordinate.
uint32_t pack_cube(unsigned face, float s) {
    return (as_bits(s) & 0x1FFFFFFF) | face << 29;
}

/// The sum of texels times weights of a seamless linear filter.
int64_t exact_sum(unsigned face, int64_t s, int64_t t, int64_t size) {
    // Taps are not wrapped: indices outside of the face must stay distinct.
    const auto split = [&](int64_t num) {
        const int64_t fixed = floor_div(num * size - kGrid / 2, 16);  // exact on this grid
        return std::pair(floor_div(fixed, 256), modulo(fixed, 256));
    };
    const auto [x0, wx] = split(s);
    const auto [y0, wy] = split(t);
    const auto value = [&](int64_t x, int64_t y) -> int64_t {
        const auto at = [&](int64_t px, int64_t py) {
            const CubeTexel p = beyond(face, px, py, size);
            return int64_t{
                texel_value(p.face, static_cast<uint32_t>(p.x), static_cast<uint32_t>(p.y))};
        };
        const int64_t cx = std::min(std::max<int64_t>(x, 0), size - 1);
        const int64_t cy = std::min(std::max<int64_t>(y, 0), size - 1);
        if (cx != x && cy != y)
            return (at(cx, cy) + at(x, cy) + at(cx, y) + 1) / 3;
        return at(x, y);
    };
    return (256 - wy) * ((256 - wx) * value(x0, y0) + wx * value(x0 + 1, y0)) +
           wy * ((256 - wx) * value(x0, y0 + 1) + wx * value(x0 + 1, y0 + 1));
}

}  // namespace

TEST_CASE("the texel beyond each edge of each face is where its direction points") {
    for (const uint32_t size : {1U, 2U, 3U, 8U, 64U, 129U})
        for (unsigned face = 0; face < 6; ++face)
            for (int64_t i = 0; i < size; ++i)
                for (const auto& [x, y] :
                     {std::pair<int64_t, int64_t>{-1, i}, {size, i}, {i, -1}, {i, size}, {i, i}}) {
                    const CubeTexel got = exec::across_cube_edge({face, x, y}, size);
                    REQUIRE(got == beyond(face, x, y, size));
                }
}

TEST_CASE("seamless linear filtering is the exact sum over all faces, edges and corners") {
    for (const uint32_t size : {1U, 2U, 4U}) {
        const TestTexture cube = make_cube(size, exec::Format::R8_UNORM);
        TextureFixture f(cube);
        f.message.dimension = 3;
        f.warp.running = 1;
        const float scale = 1.0F / (255.0F * 65536.0F);
        for (unsigned face = 0; face < 6; ++face)
            for (int64_t s = 0; s <= kGrid; s += 128)
                for (int64_t t = 0; t <= kGrid; t += 128) {
                    const float u = static_cast<float>(s) / kGrid;
                    const float v = static_cast<float>(t) / kGrid;
                    const auto n = static_cast<double>(exact_sum(face, s, t, size));
                    REQUIRE(f.sample({splat(pack_cube(face, u)), splat(v)})[0] ==
                            static_cast<float>(n * scale));
                }
    }
}

TEST_CASE("without seamless filtering the wrap modes of the sampler apply to each face") {
    const TestTexture cube = make_cube(4, exec::Format::R8_UNORM);
    TextureFixture f(cube);
    f.message.dimension = 3;
    f.sampler.modes.seamless_cube = false;
    f.sampler.modes.wrap_s = f.sampler.modes.wrap_t = exec::Wrap::ClampToEdge;
    CHECK(f.sample({splat(pack_cube(2, 0.0F)), splat(0.0F)})[0] ==
          static_cast<float>(texel_value(2, 0, 0)) * (1.0F / 255.0F));
}

TEST_CASE("float cubes: a corner is the mean of own texel, s neighbour, t neighbour") {
    const TestTexture cube(exec::TextureKind::Cube, exec::Format::R32_FLOAT, {{2, 2, 6}},
                           [](uint32_t, uint32_t x, uint32_t y, uint32_t z, uint32_t, uint8_t* p) {
                               const float value = 0.1F * static_cast<float>(z * 4 + y * 2 + x);
                               std::memcpy(p, &value, 4);
                           });
    TextureFixture f(cube);
    f.message.dimension = 3;
    f.sampler.modes.mag_filter = exec::Filter::Linear;
    const auto value = [](const CubeTexel& t) {
        return 0.1F * static_cast<float>(t.face * 4 + t.y * 2 + t.x);
    };
    for (unsigned face = 0; face < 6; ++face) {
        const float own = value({face, 0, 0});
        const float left = value(beyond(face, -1, 0, 2));
        const float up = value(beyond(face, 0, -1, 2));
        const float corner = (own + left + up) * (1.0F / 3.0F);
        // At (0, 0) all four weights are a half in both directions.
        const auto mix = [](float a, float b) { return std::fma(0.5F, b - a, a); };
        CHECK(f.sample({splat(pack_cube(face, 0.0F)), splat(0.0F)})[0] ==
              mix(mix(corner, up), mix(left, own)));
    }
}

TEST_CASE("cube arrays: layers count in cubes, round to nearest even and clamp") {
    const TestTexture cubes(exec::TextureKind::CubeArray, exec::Format::R8_UNORM, {{1, 1, 18}},
                            [](uint32_t, uint32_t, uint32_t, uint32_t z, uint32_t, uint8_t* p) {
                                p[0] = static_cast<uint8_t>(z);
                            });
    TextureFixture f(cubes);
    f.message.dimension = 3;
    f.message.array = true;
    f.sampler.modes.mag_filter = exec::Filter::Nearest;
    const auto slice = [&](unsigned face, float layer) {
        const float r = f.sample({splat(pack_cube(face, 0.5F)), splat(0.5F), splat(layer)})[0];
        return std::lrint(r * 255);
    };
    CHECK(slice(3, 0) == 3);
    CHECK(slice(3, 1.4F) == 9);
    CHECK(slice(5, 2.5F) == 17);
    CHECK(slice(5, 1.5F) == 17);
    CHECK(slice(0, 100) == 12);
    CHECK(slice(0, -100) == 0);
    CHECK(slice(0, std::nanf("")) == 0);
}
