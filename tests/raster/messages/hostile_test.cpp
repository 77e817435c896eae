// Hostile test: invalid descriptors, handles, keys and coordinates give zeros and no fault.
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/texture_fixture.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;
using exec::Format;

namespace {

using Four = std::array<float, 4>;

const TestTexture& small_texture() {
    static const TestTexture texture(exec::TextureKind::Tex2D, Format::R8G8B8A8_UNORM,
                                     {{4, 4, 1}, {2, 2, 1}},
                                     [](uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                                        uint8_t* texel) { std::memset(texel, 255, 4); });
    return texture;
}

}  // namespace

TEST_CASE("handles of other tables or past the end read as 0") {
    TextureFixture f(small_texture());
    const std::vector<Lanes> in{splat(0.5F), splat(0.5F)};
    CHECK(f.sample(in) == Four{1, 1, 1, 1});
    for (const uint32_t handle : {4U << 24 | 1, 3U << 24, 0xFFFFFFFFU, 0U}) {
        f.message.texture = handle;
        CHECK(f.sample(in) == Four{0, 0, 0, 0});
    }
    f.message.texture = 4U << 24;
    f.message.sampler = 3U << 24 | 9;
    CHECK(f.sample(in) == Four{0, 0, 0, 0});
    f.message.op = exec::TextureOp::Fetch;  // needs no sampler
    CHECK(f.sample({splat(0U), splat(0U)}) == Four{1, 1, 1, 1});
    f.draw.tables.textures = nullptr;
    CHECK(f.sample(in) == Four{0, 0, 0, 0});
}

TEST_CASE("textures without levels are unbound: 0, 0, 0, 1") {
    TextureFixture f(small_texture());
    f.texture.level_count = 0;
    const std::vector<Lanes> in{splat(0.5F), splat(0.5F)};
    for (const auto op :
         {exec::TextureOp::Sample, exec::TextureOp::Fetch, exec::TextureOp::Gather}) {
        f.message.op = op;
        CHECK(f.sample(in) == Four{0, 0, 0, 1});
    }
    f.message.register_type = 2;
    CHECK(f.fetch(in)[3] == 1);
    f.texture.level_count = 5;
    f.texture.first_level = 200;
    CHECK(f.fetch(in)[3] == 1);
}

TEST_CASE("levels without data, formats without texels and empty levels read as zero bits") {
    const std::vector<Lanes> in{splat(0.5F), splat(0.5F)};
    TextureFixture f(small_texture());
    f.texture.levels[0].data = nullptr;
    CHECK(f.sample(in) == Four{0, 0, 0, 0});
    TextureFixture g(small_texture());
    g.texture.levels[0].height = 0;
    CHECK(g.sample(in) == Four{0, 0, 0, 0});
    TextureFixture h(small_texture());
    h.texture.format = Format::BC1_RGB_UNORM;
    CHECK(h.sample(in)[0] == 0);
    h.texture.format = Format::None;
    CHECK(h.sample(in)[0] == 0);
}

TEST_CASE("LOD modes that nothing can feed read as 0") {
    TextureFixture f(small_texture());
    f.message.lod_mode = exec::LodMode::GradientDescriptor;
    CHECK(f.sample({splat(0.5F), splat(0.5F)}) == Four{0, 0, 0, 0});
    f.message.lod_mode = exec::LodMode::Reserved2;
    CHECK(f.sample({splat(0.5F), splat(0.5F)}) == Four{0, 0, 0, 0});
}

TEST_CASE("random messages, states and registers stay inside their memory") {
    // Sanitizers find faults here. In every build, results must be deterministic, and unchanged in
    // lanes that do not run.
    std::mt19937 random(99);
    const std::array<float, 12> odd{0,      -0.0F,    1,         0.5F,          -1,     1e30F,
                                    -1e30F, INFINITY, -INFINITY, std::nanf(""), 1e-40F, 3.25F};
    TextureFixture f(small_texture());
    const exec::TextureDescriptor good = f.texture;
    for (unsigned i = 0; i < 20000; ++i) {
        f.texture = good;
        f.texture.kind = static_cast<exec::TextureKind>(random() % 11);
        f.texture.first_level = static_cast<uint8_t>(random() % 3);
        f.texture.level_count = static_cast<uint8_t>(random() % 4);
        f.texture.first_layer = random() % 3;
        f.texture.layer_count = random() % 9;
        if (random() % 4 == 0) {
            const std::array<Format, 4> formats{Format::R8G8B8A8_UNORM, Format::R32_FLOAT,
                                                Format::R8_UINT, Format::BC1_RGBA_UNORM};
            f.texture.format = formats[random() % 4];
        }
        if (random() % 8 == 0)
            f.texture.levels[random() % 2].width = 0;
        for (exec::Swizzle& s : f.texture.swizzle)
            s = static_cast<exec::Swizzle>(random() % 6);
        f.sampler.modes.wrap_s = static_cast<exec::Wrap>(random() % 8);
        f.sampler.modes.wrap_t = static_cast<exec::Wrap>(random() % 8);
        f.sampler.modes.wrap_r = static_cast<exec::Wrap>(random() % 8);
        f.sampler.modes.min_filter = static_cast<exec::Filter>(random() % 2);
        f.sampler.modes.mag_filter = static_cast<exec::Filter>(random() % 2);
        f.sampler.modes.mip_filter = static_cast<exec::MipFilter>(random() % 3);
        f.sampler.modes.compare_enable = random() % 2;
        f.sampler.modes.seamless_cube = random() % 2;
        f.sampler.modes.normalized = random() % 4;
        f.sampler.modes.max_anisotropy = static_cast<uint8_t>(random() % 40);
        f.sampler.lod_bias = static_cast<int16_t>(random());
        f.sampler.min_lod = static_cast<uint16_t>(random() & 0x1FFF);
        f.sampler.max_lod = static_cast<uint16_t>(random() & 0x1FFF);
        f.message.op = static_cast<exec::TextureOp>(random() % 3);
        f.message.dimension = static_cast<uint8_t>(random());
        f.message.lod_mode = static_cast<exec::LodMode>(random() % 7);
        f.message.array = random() % 2;
        f.message.offset = random() % 2;
        f.message.shadow = random() % 2;
        f.message.integer_coordinates = random() % 2;
        f.message.fetch_component = static_cast<uint8_t>(random());
        f.message.write_mask = static_cast<uint8_t>(random() % 16);
        f.message.register_type = static_cast<uint8_t>(random() % 4);
        f.message.half = random() % 2;
        f.message.staging_count = static_cast<uint8_t>(random() % 9);
        f.warp.running = static_cast<uint16_t>(random());
        std::array<Lanes, 8> in{};
        for (Lanes& lanes : in)
            for (uint32_t& v : lanes.v)
                v = random() % 2 ? as_bits(odd[random() % odd.size()])
                                 : static_cast<uint32_t>(random());
        std::array<std::array<Lanes, 4>, 2> out;
        for (auto& run : out) {
            for (Lanes& lanes : run)
                lanes = splat(0xDEADBEEFU);
            f.draw.environment->texture(f.warp, f.message, in.data(), run.data());
        }
        REQUIRE(std::memcmp(&out[0], &out[1], sizeof out[0]) == 0);
        for (unsigned lane = 0; lane < 16; ++lane)
            if (!(f.warp.running >> lane & 1))
                REQUIRE(out[0][0].v[lane] == 0xDEADBEEF);
    }
}

TEST_CASE("a fragment warp without key, primitive or tiles writes nothing and does not fault") {
    FragmentFixture f;
    f.draw.key = nullptr;
    f.call.primitive = nullptr;
    f.call.depth = nullptr;
    f.call.stencil = nullptr;
    std::array<Lanes, 4> out{splat(5U), splat(5U), splat(5U), splat(5U)};
    const exec::Environment& env = *f.draw.environment;
    env.varying(f.warp, {0, exec::SampleMode::Center, false, false, false, 4}, {}, {}, out.data());
    env.varying_special(f.warp, 3, exec::SampleMode::Center, {}, out.data());
    Lanes coverage = splat(1U);
    env.early_zs(f.warp, coverage);
    env.zs_emit(f.warp, nullptr, nullptr, coverage, out.data());
    env.blend(f.warp, {0, exec::RegisterFormat::F32, 4}, 2, coverage, out.data(), nullptr);
    env.blend(f.warp, {99, exec::RegisterFormat::F32, 4}, 2, coverage, out.data(), nullptr);
    env.tile_load(f.warp, {.format = exec::RegisterFormat::F32, .components = 4, .conversion = 0},
                  splat(255U << 24), coverage, out.data());
    env.tile_store(f.warp, {.format = exec::RegisterFormat::F32, .components = 4, .conversion = 0},
                   splat(255U << 24), coverage, out.data());
    CHECK(out[0].v[0] == 0);  // tile_load of no target
}
