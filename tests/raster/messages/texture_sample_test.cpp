// Texture sample test: compares TEX_SINGLE with an exact model of all its steps.
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/exact_axis.hpp"
#include "tests/raster/messages/texture_fixture.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;
using exec::Filter;
using exec::Format;
using exec::MipFilter;
using exec::TextureKind;
using exec::Wrap;

namespace {

/// A pseudo-random texel as a function of its place.
uint32_t noise(uint32_t level, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t h = level * 0x9E3779B9 + x * 0x85EBCA6B + y * 0xC2B2AE35 + z * 0x27D4EB2F + 1;
    h ^= h >> 15;
    h *= 0x2C1B3C6D;
    h ^= h >> 12;
    h *= 0x297A2D39;
    return h ^ h >> 15;
}

void fill_bytes(uint32_t l, uint32_t x, uint32_t y, uint32_t z, uint32_t, uint8_t* texel) {
    const uint32_t value = noise(l, x, y, z);
    std::memcpy(texel, &value, 4);
}

int noise_byte(uint32_t level, int64_t x, int64_t y, int64_t z, unsigned channel) {
    return static_cast<int>(noise(level, static_cast<uint32_t>(x), static_cast<uint32_t>(y),
                                  static_cast<uint32_t>(z)) >>
                                (8 * channel) &
                            255);
}

/// The exact sum N (docs/rules/sampling.md "Values") of one slice of RGBA8; `border` is the byte of
/// the border colour.
int64_t
exact_sum(uint32_t level, const Taps& xs, const Taps& ys, int64_t z, unsigned channel, int border) {
    int64_t n = 0;
    for (const auto& [y, wy] : ys)
        for (const auto& [x, wx] : xs) {
            const bool outside = x == kBorder || y == kBorder;
            n += int64_t{wx} * wy * (outside ? border : noise_byte(level, x, y, z, channel));
        }
    return n;
}

/// RN(n * RN(1 / (255 * 65536))): the product of two binary32 numbers is exact in binary64.
float scaled(float n) {
    const auto inverse = static_cast<float>(1.0L / (255 * 65536));
    return static_cast<float>(static_cast<double>(n) * inverse);
}

/// RN(a + w/256 * RN(b - a)): exact in 64 bits for numbers of similar size.
float blended(float a, float b, int64_t w) {
    const auto difference = static_cast<float>(static_cast<long double>(b) - a);
    return static_cast<float>(static_cast<long double>(difference) * w / 256 + a);
}

/// The decoded value of an 8-bit unorm code: RN(n * RN(1 / 255)).
float byte_value(int n) {
    return static_cast<float>(n) * static_cast<float>(1.0L / 255);
}

float grid(int64_t num) {
    return static_cast<float>(num) / kGrid;
}

uint32_t lod_word(float lod) {
    return static_cast<uint32_t>(static_cast<int32_t>(lod * 256)) & 0xFFFF;
}

}  // namespace

TEST_CASE("bilinear RGBA8 is the exact integer sum, for all pairs of wrap modes") {
    const TestTexture t(TextureKind::Tex2D, Format::R8G8B8A8_UNORM, {{13, 6, 1}}, fill_bytes);
    TextureFixture f(t);
    f.warp.running = 1;
    const std::array<float, 4> border{0.2F, 1, 0.5F, 0};
    const std::array<int, 4> border_bytes{51, 255, 128, 0};
    for (unsigned c = 0; c < 4; ++c)
        f.sampler.border[c] = as_bits(border[c]);
    std::mt19937 random(1);
    for (unsigned s_mode = 0; s_mode < 8; ++s_mode)
        for (unsigned t_mode = 0; t_mode < 8; ++t_mode) {
            f.sampler.modes.wrap_s = static_cast<Wrap>(s_mode);
            f.sampler.modes.wrap_t = static_cast<Wrap>(t_mode);
            unsigned wrong = 0;
            for (unsigned i = 0; i < 200; ++i) {
                const int64_t u = static_cast<int64_t>(random() % (4 * kGrid)) - 2 * kGrid;
                const int64_t v = static_cast<int64_t>(random() % (4 * kGrid)) - 2 * kGrid;
                const auto got = f.sample({splat(grid(u)), splat(grid(v))});
                const Taps xs = linear_taps({u, 13}, f.sampler.modes.wrap_s);
                const Taps ys = linear_taps({v, 6}, f.sampler.modes.wrap_t);
                for (unsigned c = 0; c < 4; ++c)
                    wrong +=
                        got[c] !=
                        scaled(static_cast<float>(exact_sum(0, xs, ys, 0, c, border_bytes[c])));
            }
            CHECK_MESSAGE(wrong == 0, "modes " << s_mode << ' ' << t_mode);
        }
}

TEST_CASE("nearest gives the decoded texel, and a constant image its decoded texel bilinearly") {
    const TestTexture t(TextureKind::Tex2D, Format::R8G8B8A8_UNORM, {{7, 5, 1}}, fill_bytes);
    TextureFixture f(t);
    f.sampler.modes.mag_filter = Filter::Nearest;
    for (int64_t y = 0; y < 5; ++y)
        for (int64_t x = 0; x < 7; ++x) {
            const auto got = f.sample({splat((static_cast<float>(x) + 0.5F) / 7),
                                       splat((static_cast<float>(y) + 0.5F) / 5)});
            for (unsigned c = 0; c < 4; ++c) {
                const auto inverse = static_cast<float>(1.0L / 255);
                CHECK(got[c] == static_cast<float>(noise_byte(0, x, y, 0, c)) * inverse);
            }
        }
    const TestTexture flat(
        TextureKind::Tex2D, Format::R8_UNORM, {{3, 3, 1}},
        [](uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint8_t* texel) { texel[0] = 77; });
    TextureFixture g(flat);
    CHECK(g.sample({splat(0.3F), splat(0.9F)})[0] == 77.0F * static_cast<float>(1.0L / 255));
}

// A 2D sampler found a buffer texture, and the linear filter looked for tiles in its line: what it
// read lay as far as four times the buffer's bytes behind it, and pictures changed from run to run.
TEST_CASE("a linear filter takes a buffer texture for a line of texels") {
    const TestTexture t(TextureKind::Buffer, Format::R8G8B8A8_UNORM, {{30, 1, 1}},
                        [](uint32_t, uint32_t x, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
                            for (uint32_t c = 0; c < 4; ++c)
                                texel[c] = static_cast<uint8_t>(100 + x + c);
                        });
    TextureFixture f(t);
    for (int x = 0; x < 29; ++x) {
        CAPTURE(x);
        const auto got = f.sample({splat(static_cast<float>(x + 1) / 30), splat(0.25F)});
        for (int c = 0; c < 4; ++c)
            CHECK(got[static_cast<size_t>(c)] ==
                  doctest::Approx((100.5 + x + c) / 255).epsilon(1e-6));
    }
}

TEST_CASE("explicit LOD: trilinear blends the two levels' sums before the final scaling") {
    const TestTexture t(TextureKind::Tex2D, Format::R8G8B8A8_UNORM,
                        {{16, 16, 1}, {8, 8, 1}, {4, 4, 1}, {2, 2, 1}, {1, 1, 1}}, fill_bytes);
    TextureFixture f(t);
    f.warp.running = 1;
    f.message.lod_mode = exec::LodMode::Explicit;
    f.sampler.modes.mip_filter = MipFilter::Linear;
    std::mt19937 random(2);
    for (unsigned i = 0; i < 3000; ++i) {
        const int64_t u = random() % (2 * kGrid);
        const int64_t v = random() % (2 * kGrid);
        const int64_t lod = static_cast<int64_t>(random() % 1400) - 100;
        const auto got =
            f.sample({splat(grid(u)), splat(grid(v)), splat(static_cast<uint32_t>(lod) & 0xFFFF)});
        const auto level_sum = [&](int64_t level, unsigned c) {
            const int64_t size = 16 >> level;
            return static_cast<float>(exact_sum(static_cast<uint32_t>(level),
                                                linear_taps({u, size}, Wrap::Repeat),
                                                linear_taps({v, size}, Wrap::Repeat), 0, c, 0));
        };
        const int64_t limited = std::max<int64_t>(lod, 0);
        const int64_t level = std::min<int64_t>(limited / 256, 4);
        const int64_t weight = level == 4 ? 0 : limited % 256;
        for (unsigned c = 0; c < 4; ++c) {
            float n = level_sum(level, c);
            if (weight != 0)
                n = blended(n, level_sum(level + 1, c), weight);
            REQUIRE(got[c] == scaled(n));
        }
    }
}

TEST_CASE("computed LOD picks the level whose texels are one pixel apart") {
    const TestTexture t(TextureKind::Tex2D, Format::R8G8B8A8_UNORM,
                        {{16, 16, 1}, {8, 8, 1}, {4, 4, 1}}, fill_bytes);
    TextureFixture f(t);
    f.message.lod_mode = exec::LodMode::Computed;
    f.sampler.modes.mip_filter = MipFilter::Nearest;
    f.sampler.modes.mag_filter = f.sampler.modes.min_filter = Filter::Nearest;
    for (uint32_t level = 0; level < 3; ++level) {
        Lanes u{}, v{};
        for (unsigned lane = 0; lane < 16; ++lane) {
            const float step = static_cast<float>(1U << level) / 16;
            u.v[lane] = as_bits((static_cast<float>(exec::lane_x(lane)) + 0.5F) * step);
            v.v[lane] = as_bits((static_cast<float>(exec::lane_y(lane)) + 0.5F) * step);
        }
        const auto out = f.run({u, v});
        for (unsigned lane = 0; lane < 16; ++lane) {
            const uint32_t size = 16U >> level;
            const int byte =
                noise_byte(level, exec::lane_x(lane) % size, exec::lane_y(lane) % size, 0, 0);
            CHECK(std::lrint(255 * as_float(out[0].v[lane])) == byte);
        }
    }
}

TEST_CASE("the bias operand adds to the computed level, its upper half bounds it from below") {
    const TestTexture t(TextureKind::Tex2D, Format::R8_UNORM, {{4, 4, 1}, {2, 2, 1}, {1, 1, 1}},
                        [](uint32_t l, uint32_t, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
                            texel[0] = static_cast<uint8_t>(l);
                        });
    TextureFixture f(t);
    f.sampler.modes.mip_filter = MipFilter::Nearest;
    f.message.lod_mode = exec::LodMode::ComputedBias;
    const auto level = [&](uint32_t word) {
        Lanes u{}, v{};
        for (unsigned lane = 0; lane < 16; ++lane) {
            u.v[lane] = as_bits(static_cast<float>(exec::lane_x(lane)) / 4);
            v.v[lane] = as_bits(static_cast<float>(exec::lane_y(lane)) / 4);
        }
        return std::lrint(255 * as_float(f.run({u, v, splat(word)})[0].v[0]));
    };
    CHECK(level(lod_word(0)) == 0);
    CHECK(level(lod_word(1)) == 1);
    CHECK(level(lod_word(2)) == 2);
    CHECK(level(lod_word(-5)) == 0);
    CHECK(level(lod_word(-5) | 512U << 16) == 2);
    f.sampler.lod_bias = 256;
    CHECK(level(lod_word(0)) == 1);
    f.message.lod_mode = exec::LodMode::Zero;  // starts from 0; the sampler's bias still applies
    CHECK(level(0) == 1);
}

TEST_CASE("1D sums have 256 steps, 3D blends two slices of sums") {
    const TestTexture line(TextureKind::Tex1D, Format::R8G8B8A8_UNORM, {{9, 1, 1}}, fill_bytes);
    TextureFixture f(line);
    f.message.dimension = 0;
    f.warp.running = 1;
    const auto inverse = static_cast<float>(1.0L / (255 * 256));
    for (int64_t u = -kGrid; u < 2 * kGrid; u += 5) {
        int64_t n = 0;
        for (const auto& [x, w] : linear_taps({u, 9}, Wrap::Repeat))
            n += int64_t{w} * noise_byte(0, x, 0, 0, 2);
        REQUIRE(f.sample({splat(grid(u))})[2] ==
                static_cast<float>(static_cast<double>(n) * inverse));
    }
    const TestTexture volume(TextureKind::Tex3D, Format::R8G8B8A8_UNORM, {{4, 4, 4}}, fill_bytes);
    TextureFixture g(volume);
    g.message.dimension = 2;
    g.warp.running = 1;
    std::mt19937 random(4);
    for (unsigned i = 0; i < 2000; ++i) {
        const int64_t u = random() % kGrid, v = random() % kGrid, w = random() % kGrid;
        const Taps xs = linear_taps({u, 4}, Wrap::Repeat);
        const Taps ys = linear_taps({v, 4}, Wrap::Repeat);
        // 256 * (w * 4 - 1/2) is a multiple of 1/4 on this grid: rounds to nearest even.
        const auto fixed =
            static_cast<int64_t>(std::nearbyint(256 * (static_cast<double>(w) / 1024 - 0.5)));
        const int64_t first = modulo(floor_div(fixed, 256), 4);
        const auto sum = [&](int64_t z) {
            return static_cast<float>(exact_sum(0, xs, ys, z, 1, 0));
        };
        REQUIRE(g.sample({splat(grid(u)), splat(grid(v)), splat(grid(w))})[1] ==
                scaled(blended(sum(first), sum((first + 1) % 4), modulo(fixed, 256))));
    }
}

TEST_CASE("snorm and packed texels are steps too; the lowest snorm code counts as its neighbour") {
    const auto two = [](uint8_t a, uint8_t b) {
        return [=](uint32_t, uint32_t x, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
            texel[0] = x == 0 ? a : b;
            texel[1] = 0xFF;
        };
    };
    const TestTexture t(TextureKind::Tex2D, Format::R8G8_SNORM, {{2, 1, 1}}, two(0x80, 0x7F));
    TextureFixture f(t);
    const auto inverse = static_cast<float>(1.0L / (127 * 65536));
    CHECK(f.sample({splat(0.25F), splat(0.5F)})[0] == -1.0F);
    CHECK(f.sample({splat(0.5F), splat(0.5F)})[0] == 0.0F);
    CHECK(f.sample({splat(0.375F), splat(0.5F)})[0] ==
          static_cast<float>((-127.0 * 192 + 127.0 * 64) * 256 * inverse));
    // Blue of B5G6R5: 0 on the left, 31 on the right; green 56 of 63 in both.
    const TestTexture p(TextureKind::Tex2D, Format::B5G6R5_UNORM, {{2, 1, 1}}, two(0x00, 0x1F));
    TextureFixture g(p);
    const auto color = g.sample({splat(0.5F), splat(0.5F)});
    CHECK(color[0] == 1.0F);
    CHECK(color[1] ==
          static_cast<float>(56.0 * 65536 * static_cast<double>(1.0F / (63.0F * 65536.0F))));
    CHECK(color[2] == 0.5F);
    CHECK(color[3] == 1.0F);
}

TEST_CASE("float and sRGB texels are blended as numbers, x before y") {
    const TestTexture t(TextureKind::Tex2D, Format::R32_FLOAT, {{8, 8, 1}},
                        [](uint32_t, uint32_t x, uint32_t y, uint32_t, uint32_t, uint8_t* texel) {
                            const float value =
                                1.0F + static_cast<float>(noise(0, x, y, 0) >> 8) * 0x1p-24F;
                            std::memcpy(texel, &value, 4);
                        });
    TextureFixture f(t);
    f.warp.running = 1;
    const auto texel = [](int64_t x, int64_t y) {
        return 1.0F + static_cast<float>(noise(0, static_cast<uint32_t>(modulo(x, 8)),
                                               static_cast<uint32_t>(modulo(y, 8)), 0) >>
                                         8) *
                          0x1p-24F;
    };
    std::mt19937 random(6);
    for (unsigned i = 0; i < 2000; ++i) {
        const int64_t u = random() % kGrid, v = random() % kGrid;
        const auto fixed = [](int64_t num) {
            return static_cast<int64_t>(
                std::nearbyint(256 * (static_cast<double>(num) / 512 - 0.5)));
        };
        const int64_t x = floor_div(fixed(u), 256), wx = modulo(fixed(u), 256);
        const int64_t y = floor_div(fixed(v), 256), wy = modulo(fixed(v), 256);
        const float top = blended(texel(x, y), texel(x + 1, y), wx);
        const float bottom = blended(texel(x, y + 1), texel(x + 1, y + 1), wx);
        REQUIRE(f.sample({splat(grid(u)), splat(grid(v))})[0] == blended(top, bottom, wy));
    }
    const TestTexture s(TextureKind::Tex2D, Format::R8G8B8A8_SRGB, {{2, 1, 1}},
                        [](uint32_t, uint32_t x, uint32_t, uint32_t, uint32_t, uint8_t* p) {
                            std::memset(p, x == 0 ? 0 : 255, 4);
                        });
    TextureFixture g(s);
    CHECK(g.sample({splat(0.5F), splat(0.5F)})[0] == 0.5F);  // the mean in linear light
}

TEST_CASE("integer formats give integers: unfiltered, clamped into 16-bit registers") {
    const TestTexture t(
        TextureKind::Tex2D, Format::R16G16B16A16_SINT, {{2, 2, 1}},
        [](uint32_t, uint32_t x, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
            const int16_t values[4] = {static_cast<int16_t>(x ? 300 : -300), 1, -1, 32767};
            std::memcpy(texel, values, 8);
        });
    TextureFixture f(t);
    f.message.register_type = 3;
    CHECK(f.fetch({splat(0.4F), splat(0.5F)})[0] == static_cast<uint32_t>(-300));
    CHECK(f.fetch({splat(0.6F), splat(0.5F)})[0] == 300);
    f.message.half = true;
    CHECK(f.fetch({splat(0.4F), splat(0.5F)})[0] == 0x0001FED4);
    f.message.register_type = 2;  // unsigned registers
    CHECK(f.fetch({splat(0.4F), splat(0.5F)})[0] == 0x00010000);
}

TEST_CASE("write masks leave no gaps and swizzles come first") {
    const TestTexture t(TextureKind::Tex2D, Format::R8G8B8A8_UNORM, {{1, 1, 1}},
                        [](uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
                            const uint8_t bytes[4] = {51, 102, 153, 204};
                            std::memcpy(texel, bytes, 4);
                        });
    TextureFixture f(t);
    f.message.write_mask = 0b1010;
    CHECK(f.sample({splat(0.5F), splat(0.5F)})[0] == byte_value(102));
    CHECK(f.sample({splat(0.5F), splat(0.5F)})[1] == byte_value(204));
    using exec::Swizzle;
    const Swizzle swizzle[4] = {Swizzle::W, Swizzle::One, Swizzle::Zero, Swizzle::X};
    std::memcpy(f.texture.swizzle, swizzle, sizeof swizzle);
    f.message.write_mask = 0b1111;
    const std::array<float, 4> expected{byte_value(204), 1, 0, byte_value(51)};
    CHECK(f.sample({splat(0.5F), splat(0.5F)}) == expected);
    f.message.half = true;
    CHECK(f.fetch({splat(0.5F), splat(0.5F)})[0] == 0x3C003A66);
}

TEST_CASE("borders: encoded, clamped to the range of the format, mapped to its channels") {
    const TestTexture t(TextureKind::Tex2D, Format::B8G8R8A8_UNORM, {{1, 1, 1}}, fill_bytes);
    TextureFixture f(t);
    f.sampler.modes.wrap_s = Wrap::ClampToBorder;
    const std::array<float, 4> border{0.25F, 2.0F, -1.0F, 1.0F};
    for (unsigned c = 0; c < 4; ++c)
        f.sampler.border[c] = as_bits(border[c]);
    const std::array<float, 4> expected{byte_value(64), 1, 0, 1};
    CHECK(f.sample({splat(-3.0F), splat(0.5F)}) == expected);
    const TestTexture w(TextureKind::Tex2D, Format::R16_UNORM, {{1, 1, 1}}, fill_bytes);
    TextureFixture g(w);
    g.sampler = f.sampler;
    CHECK(g.sample({splat(-3.0F), splat(0.5F)})[0] == 0.25F);
    const TestTexture h(TextureKind::Tex2D, Format::R32G32_FLOAT, {{1, 1, 1}}, [](auto...) {});
    TextureFixture k(h);
    k.sampler = f.sampler;
    CHECK(k.sample({splat(-3.0F), splat(0.5F)})[1] == 2.0F);
    const TestTexture u(TextureKind::Tex2D, Format::R8_UINT, {{1, 1, 1}}, [](auto...) {});
    TextureFixture m(u);
    m.sampler = f.sampler;
    m.sampler.border[0] = 1000;
    m.message.register_type = 2;
    CHECK(m.fetch({splat(-3.0F), splat(0.5F)})[0] == 255);
}

TEST_CASE("shadow: reference func texel, filtered as zeros and ones, replicated") {
    const TestTexture t(TextureKind::Tex2D, Format::D24_UNORM_S8_UINT, {{2, 2, 1}},
                        [](uint32_t, uint32_t x, uint32_t y, uint32_t, uint32_t, uint8_t* texel) {
                            const uint32_t word = (y == 0 ? 0xAA400000U : 0xAAC00000U) + x * 16;
                            std::memcpy(texel, &word, 4);
                        });
    TextureFixture f(t);
    f.message.shadow = true;
    f.sampler.modes.compare_enable = true;
    f.sampler.modes.compare = exec::CompareFunc::LessEqual;
    f.sampler.modes.wrap_s = f.sampler.modes.wrap_t = Wrap::ClampToEdge;
    const auto sample = [&](float u, float v, float reference) {
        return f.sample({splat(u), splat(v), splat(reference)});
    };
    CHECK(sample(0.5F, 0.25F, 0.5F)[0] == 0);
    CHECK(sample(0.5F, 0.75F, 0.5F)[0] == 1);
    CHECK(sample(0.5F, 0.5F, 0.5F)[0] == 0.5F);
    CHECK(sample(0.5F, 0.375F, 0.5F)[0] == 0.25F);
    CHECK(sample(0.5F, 0.75F, 7.0F)[0] ==
          0);  // the reference is clamped to 1, still above the depth
    f.sampler.modes.compare = exec::CompareFunc::GreaterEqual;
    CHECK(sample(0.25F, 0.25F, -7.0F)[0] == 0);
    CHECK(sample(0.25F, 0.25F, 0.3F)[0] == 1);
    // The view's swizzle applies to r, r, r, 1.
    using exec::Swizzle;
    const Swizzle swizzle[4] = {Swizzle::Zero, Swizzle::Y, Swizzle::W, Swizzle::X};
    std::memcpy(f.texture.swizzle, swizzle, sizeof swizzle);
    CHECK(sample(0.5F, 0.5F, 0.5F) == std::array<float, 4>{0, 0.5F, 1, 0.5F});
    // Without the sampler's comparison, the result is the depth itself.
    f.sampler.modes.compare_enable = false;
    std::memcpy(f.texture.swizzle, exec::format_info(f.texture.format).swizzle, sizeof swizzle);
    CHECK(sample(0.25F, 0.25F, 0.5F)[0] ==
          static_cast<float>(0x400000 / static_cast<long double>(0xFFFFFF)));
}

TEST_CASE("array layers round to nearest even and clamp; the view's first layer counts") {
    const TestTexture t(TextureKind::Tex2DArray, Format::R8_UNORM, {{1, 1, 6}},
                        [](uint32_t, uint32_t, uint32_t, uint32_t z, uint32_t, uint8_t* texel) {
                            texel[0] = static_cast<uint8_t>(z);
                        });
    TextureFixture f(t);
    f.message.array = true;
    f.texture.first_layer = 1;
    f.texture.layer_count = 4;
    const auto layer = [&](float index) {
        return std::lrint(255 * f.sample({splat(0.5F), splat(0.5F), splat(index)})[0]);
    };
    CHECK(layer(0) == 1);
    CHECK(layer(0.5F) == 1);
    CHECK(layer(1.5F) == 3);
    CHECK(layer(99) == 4);
    CHECK(layer(-99) == 1);
    CHECK(layer(INFINITY) == 4);
}

TEST_CASE("texel offsets move the footprint in whole texels of the level") {
    const TestTexture t(TextureKind::Tex2D, Format::R8G8B8A8_UNORM, {{8, 8, 1}}, fill_bytes);
    TextureFixture f(t);
    f.message.offset = true;
    f.sampler.modes.mag_filter = Filter::Nearest;
    for (int dx = -8; dx <= 7; ++dx)
        for (int dy = -8; dy <= 7; ++dy) {
            const uint32_t word =
                (static_cast<uint32_t>(dx) & 0xFF) | (static_cast<uint32_t>(dy) & 0xFF) << 8;
            const auto got = f.sample({splat(0.3125F), splat(0.5625F), splat(word)});
            CHECK(std::lrint(got[0] * 255) ==
                  noise_byte(0, modulo(2 + dx, 8), modulo(4 + dy, 8), 0, 0));
        }
}

TEST_CASE("RECT coordinates count texels") {
    const TestTexture t(TextureKind::Rect, Format::R8G8B8A8_UNORM, {{5, 3, 1}}, fill_bytes);
    TextureFixture f(t);
    f.sampler.modes.wrap_s = f.sampler.modes.wrap_t = Wrap::ClampToEdge;
    for (int64_t y = 0; y < 3; ++y)
        for (int64_t x = 0; x < 5; ++x)
            CHECK(std::lrint(255 * f.sample({splat(static_cast<float>(x) + 0.5F),
                                             splat(static_cast<float>(y) + 0.5F)})[0]) ==
                  noise_byte(0, x, y, 0, 0));
}

TEST_CASE("anisotropic: probes along the longer axis, at the level of the shorter") {
    // A horizontal ramp: level 0 has columns 0..63, level 1 is a constant that must not be sampled.
    const TestTexture t(TextureKind::Tex2D, Format::R32_FLOAT, {{64, 64, 1}, {32, 32, 1}},
                        [](uint32_t l, uint32_t x, uint32_t, uint32_t, uint32_t, uint8_t* texel) {
                            const float value = l == 0 ? static_cast<float>(x) : 1000.0F;
                            std::memcpy(texel, &value, 4);
                        });
    TextureFixture f(t);
    f.message.lod_mode = exec::LodMode::Computed;
    f.sampler.modes.mip_filter = MipFilter::Nearest;
    f.sampler.modes.wrap_s = f.sampler.modes.wrap_t = Wrap::ClampToEdge;
    const auto run = [&] {
        Lanes u{}, v{};
        for (unsigned lane = 0; lane < 16; ++lane) {
            u.v[lane] = as_bits(0.5F + static_cast<float>(exec::lane_x(lane)) * 4 / 64);
            v.v[lane] = as_bits(0.5F + static_cast<float>(exec::lane_y(lane)) / 64);
        }
        return as_float(f.run({u, v})[0].v[0]);
    };
    CHECK(run() == 1000);  // four texels per pixel would be level 2; only level 1 exists
    f.sampler.modes.max_anisotropy = 4;
    // Probes at -3/8, -1/8, 1/8, 3/8 of 4 texels around u * 64 - 1/2 = 31.5.
    CHECK(run() == 31.5F);
    f.sampler.modes.max_anisotropy = 2;
    CHECK(run() == 1000);
}
