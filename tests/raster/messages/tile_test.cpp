// Tile test: checks pixels, samples and formats of LD_TILE and ST_TILE.
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/fixture.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::Format;
using exec::RegisterFormat;

namespace {

constexpr uint32_t kThisPixel = 255U << 24;

uint32_t indices(uint32_t sample, uint32_t target, uint32_t x, uint32_t y) {
    return sample | target << 8 | x << 16 | y << 24;
}

std::array<Lanes, 4>
load(FragmentFixture& f, const Lanes& at, uint32_t conversion = 0, unsigned components = 4) {
    std::array<Lanes, 4> out{};
    f.draw.environment->tile_load(f.warp,
                                  {.format = RegisterFormat::Auto,
                                   .components = static_cast<uint8_t>(components),
                                   .conversion = conversion},
                                  at, splat(~0U), out.data());
    return out;
}

void store(FragmentFixture& f, uint32_t at, uint32_t coverage, float value) {
    const std::array<Lanes, 4> in{splat(value), splat(value), splat(value), splat(value)};
    f.draw.environment->tile_store(
        f.warp, {.format = RegisterFormat::F32, .components = 4, .conversion = 0}, splat(at),
        splat(coverage), in.data());
}

}  // namespace

TEST_CASE("LD_TILE reads this pixel of each lane, or any pixel of the tile") {
    FragmentFixture f(1, 3, 2);
    f.bind_target(Format::R8_UNORM);
    for (size_t i = 0; i < 256 * 16; ++i)
        f.color[i] = static_cast<uint8_t>(i * 7);
    const auto here = load(f, splat(kThisPixel));
    for (unsigned lane = 0; lane < 16; ++lane)
        CHECK(as_float(here[0].v[lane]) == static_cast<float>(*f.texel(lane)) * (1.0F / 255.0F));
    CHECK(as_float(here[3].v[0]) == 1);
    const auto there = load(f, splat(indices(0, 0, 13, 9)));  // block (3, 2), lane (1, 1)
    CHECK(there[0].v[5] == here[0].v[3]);
    CHECK(load(f, splat(indices(0, 0, 64, 0)))[0].v[0] == 0);
    CHECK(load(f, splat(indices(0, 5, 0, 0)))[0].v[0] == 0);
    CHECK(load(f, splat(indices(0, 200, 0, 0)))[0].v[0] == 0);
    CHECK(load(f, splat(kThisPixel | 1))[0].v[0] == 0);
    CHECK(load(f, splat(kThisPixel | 128))[0].v[0] == 0);
}

TEST_CASE("the conversion descriptor may name another format of the same size") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_UNORM);
    f.texel(0)[0] = 200;
    CHECK(load(f, splat(kThisPixel), static_cast<uint32_t>(Format::R8G8B8A8_UINT))[0].v[0] == 200);
    CHECK(load(f, splat(kThisPixel), static_cast<uint32_t>(Format::R8_UINT))[0].v[0] ==
          as_bits(200.0F * (1.0F / 255.0F)));
}

TEST_CASE("ST_TILE writes covered samples of live lanes, without write mask or blending") {
    FragmentFixture f(2, 1, 1);
    f.bind_target(Format::R8_UNORM);
    f.key.blend[0].enable = true;
    f.key.blend[0].write_mask = 0;
    f.warp.live = 0x0001;
    store(f, kThisPixel | 1, 0b11, 1);
    CHECK(*f.texel(0, 0) == 0);
    CHECK(*f.texel(0, 1) == 255);
    CHECK(*f.texel(1, 1) == 0);
    store(f, kThisPixel | 255, 0b01, 0.2F);
    CHECK(*f.texel(0, 0) == 51);
    CHECK(*f.texel(0, 1) == 255);
    const std::array<Lanes, 4> both = load(f, splat(kThisPixel | 1));
    CHECK(as_float(both[0].v[0]) == 1);
}
