// Texture fetch test: checks TEX_FETCH and TEX_GATHER (coordinates, samples, levels, order).
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/texture_fixture.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::Format;
using exec::TextureKind;

namespace {

/// Fills a texel with a number that is unique to its place.
void fill_numbers(uint32_t l, uint32_t x, uint32_t y, uint32_t z, uint32_t s, uint8_t* texel) {
    const uint32_t value = 1 + x + 100 * y + 10000 * z + 1000000 * l + 100000000 * s;
    std::memcpy(texel, &value, 4);
}

Lanes integer(int32_t value) {
    return splat(static_cast<uint32_t>(value));
}

TextureFixture& as_fetch(TextureFixture& f) {
    f.message.op = exec::TextureOp::Fetch;
    f.message.register_type = 2;
    return f;
}

}  // namespace

TEST_CASE("fetch: texel by coordinates and level, offsets included, 0 outside") {
    const TestTexture t(TextureKind::Tex2D, Format::R32_UINT, {{7, 5, 1}, {3, 2, 1}}, fill_numbers);
    TextureFixture f(t);
    as_fetch(f);
    CHECK(f.fetch({integer(6), integer(4)})[0] == 407);
    CHECK(f.fetch({integer(6), integer(4)})[3] == 1);
    CHECK(f.fetch({integer(7), integer(4)})[0] == 0);
    CHECK(f.fetch({integer(7), integer(4)})[3] == 1);
    CHECK(f.fetch({integer(6), integer(5)})[0] == 0);
    CHECK(f.fetch({integer(-1), integer(0)})[0] == 0);
    CHECK(f.fetch({integer(0), integer(-1)})[0] == 0);
    CHECK(f.fetch({integer(INT32_MIN), integer(INT32_MAX)})[0] == 0);
    f.message.offset = true;
    CHECK(f.fetch({integer(2), integer(1), splat(1U << 24)})[0] == 1000103);
    CHECK(f.fetch({integer(3), integer(1), splat(1U << 24)})[0] == 0);
    CHECK(f.fetch({integer(2), integer(1), splat(2U << 24)})[0] == 0);
    CHECK(f.fetch({integer(2), integer(1), splat(255U << 24)})[0] == 0);
    CHECK(f.fetch({integer(2), integer(1), splat(0x0000FE03U)})[0] == 0);
    CHECK(f.fetch({integer(2), integer(3), splat(0x0000FE03U)})[0] == 106);
}

TEST_CASE("fetch: the view's first level is level 0") {
    const TestTexture t(TextureKind::Tex1D, Format::R32_UINT, {{8, 1, 1}, {4, 1, 1}, {2, 1, 1}},
                        fill_numbers);
    TextureFixture f(t);
    as_fetch(f);
    f.message.dimension = 0;
    f.message.offset = true;
    f.texture.first_level = 1;
    f.texture.level_count = 1;
    CHECK(f.fetch({integer(3), splat(0U)})[0] == 1000004);
    CHECK(f.fetch({integer(0), splat(1U << 24)})[0] == 0);
}

TEST_CASE("fetch: array layers clamp, slices of 3D textures do not") {
    const TestTexture layers(TextureKind::Tex2DArray, Format::R32_UINT, {{1, 1, 4}}, fill_numbers);
    TextureFixture f(layers);
    as_fetch(f);
    f.message.array = true;
    CHECK(f.fetch({integer(0), integer(0), integer(2)})[0] == 20001);
    CHECK(f.fetch({integer(0), integer(0), integer(9)})[0] == 30001);
    CHECK(f.fetch({integer(0), integer(0), integer(-9)})[0] == 1);
    const TestTexture volume(TextureKind::Tex3D, Format::R32_UINT, {{1, 1, 4}}, fill_numbers);
    TextureFixture g(volume);
    as_fetch(g);
    g.message.dimension = 2;
    CHECK(g.fetch({integer(0), integer(0), integer(2)})[0] == 20001);
    CHECK(g.fetch({integer(0), integer(0), integer(4)})[0] == 0);
    CHECK(g.fetch({integer(0), integer(0), integer(-1)})[0] == 0);
}

TEST_CASE("fetch: samples of multisampled textures by byte 2 of the offset word") {
    const TestTexture t(TextureKind::Tex2DMs, Format::R32_UINT, {{6, 6, 1}}, fill_numbers, 4);
    TextureFixture f(t);
    as_fetch(f);
    f.message.offset = true;
    for (uint32_t s = 0; s < 4; ++s)
        CHECK(f.fetch({integer(5), integer(4), splat(s << 16)})[0] == 406 + 100000000 * s);
    CHECK(f.fetch({integer(5), integer(4), splat(4U << 16)})[0] == 0);
}

TEST_CASE("fetch: buffers are long lines") {
    const TestTexture t(TextureKind::Buffer, Format::R32_UINT, {{70000, 1, 1}},
                        [](uint32_t, uint32_t x, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
                            std::memcpy(texel, &x, 4);
                        });
    TextureFixture f(t);
    as_fetch(f);
    f.message.dimension = 0;
    CHECK(f.fetch({integer(69999)})[0] == 69999);
    CHECK(f.fetch({integer(70000)})[0] == 0);
}

TEST_CASE("gather: the linear footprint in the order x0y1, x1y1, x1y0, x0y0") {
    const TestTexture t(TextureKind::Tex2D, Format::R32_FLOAT, {{4, 4, 1}, {2, 2, 1}},
                        [](uint32_t, uint32_t x, uint32_t y, uint32_t, uint32_t, uint8_t* texel) {
                            const auto value = static_cast<float>(10 * y + x);
                            std::memcpy(texel, &value, 4);
                        });
    TextureFixture f(t);
    f.message.op = exec::TextureOp::Gather;
    f.sampler.modes.mag_filter = f.sampler.modes.min_filter =
        exec::Filter::Nearest;  // has no effect
    using Four = std::array<float, 4>;
    CHECK(f.sample({splat(0.5F), splat(0.5F)}) == Four{21, 22, 12, 11});
    CHECK(f.sample({splat(0.0F), splat(0.0F)}) == Four{3, 0, 30, 33});
    f.message.fetch_component = 3;
    CHECK(f.sample({splat(0.5F), splat(0.5F)}) == Four{1, 1, 1, 1});
    f.message.fetch_component = 1;
    CHECK(f.sample({splat(0.5F), splat(0.5F)}) == Four{0, 0, 0, 0});
    f.message.fetch_component = 0;
    f.message.offset = true;
    CHECK(f.sample({splat(0.5F), splat(0.5F), splat(0x00FF01U | 0xFF00U)}) == Four{12, 13, 3, 2});
    f.message.offset = false;
    f.message.integer_coordinates = true;
    CHECK(f.sample({integer(1), integer(1)}) == Four{21, 22, 12, 11});
    CHECK(f.sample({integer(3), integer(-1)}) == Four{3, 0, 30, 33});
}

TEST_CASE("gather: comparisons give zeros and ones, normalised texels their values") {
    const TestTexture t(TextureKind::Tex2D, Format::D16_UNORM, {{2, 2, 1}},
                        [](uint32_t, uint32_t x, uint32_t y, uint32_t, uint32_t, uint8_t* texel) {
                            const auto code = static_cast<uint16_t>(0x4000 * (2 * y + x));
                            std::memcpy(texel, &code, 2);
                        });
    TextureFixture f(t);
    f.message.op = exec::TextureOp::Gather;
    f.message.shadow = true;
    f.sampler.modes.compare_enable = true;
    f.sampler.modes.compare = exec::CompareFunc::Less;
    using Four = std::array<float, 4>;
    CHECK(f.sample({splat(0.5F), splat(0.5F), splat(0.3F)}) == Four{1, 1, 0, 0});
    const TestTexture u(TextureKind::Tex2D, Format::R8_UNORM, {{2, 2, 1}},
                        [](uint32_t, uint32_t x, uint32_t y, uint32_t, uint32_t, uint8_t* texel) {
                            texel[0] = static_cast<uint8_t>(51 * (2 * y + x));
                        });
    TextureFixture g(u);
    g.message.op = exec::TextureOp::Gather;
    const auto fifth = [](int n) { return static_cast<float>(n * 51) * (1.0F / 255.0F); };
    CHECK(g.sample({splat(0.5F), splat(0.5F)}) == Four{fifth(2), fifth(3), fifth(1), fifth(0)});
}
