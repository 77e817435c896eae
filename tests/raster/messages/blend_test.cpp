// Blend test: compares BLEND with exact rounding of exact sums.
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;
using exec::BlendFactor;
using exec::BlendFunc;
using exec::Format;

namespace {

constexpr uint64_t kFixedFunction = 2;
constexpr unsigned kFactors = 19;
using Color = std::array<float, 4>;
using Bytes = std::array<int, 4>;

std::array<Lanes, 4> registers(const Color& color) {
    return {splat(color[0]), splat(color[1]), splat(color[2]), splat(color[3])};
}

void blend(FragmentFixture& f,
           const Color& source,
           const Color& source1 = {},
           uint32_t coverage = 1,
           uint64_t descriptor = kFixedFunction) {
    const auto in = registers(source);
    const auto in1 = registers(source1);
    f.draw.environment->blend(f.warp, {0, exec::RegisterFormat::F32, 4}, descriptor,
                              splat(coverage), in.data(), in1.data());
}

/// A factor of GL 4.6 table 17.2, in units of which `one` is 1.
int64_t table_factor(BlendFactor factor,
                     unsigned c,
                     const Bytes& s,
                     const Bytes& s1,
                     const Bytes& d,
                     const Bytes& k) {
    switch (factor) {
    case BlendFactor::Zero: return 0;
    case BlendFactor::One: return 255;
    case BlendFactor::SrcColor: return s[c];
    case BlendFactor::InvSrcColor: return 255 - s[c];
    case BlendFactor::DstColor: return d[c];
    case BlendFactor::InvDstColor: return 255 - d[c];
    case BlendFactor::SrcAlpha: return s[3];
    case BlendFactor::InvSrcAlpha: return 255 - s[3];
    case BlendFactor::DstAlpha: return d[3];
    case BlendFactor::InvDstAlpha: return 255 - d[3];
    case BlendFactor::ConstColor: return k[c];
    case BlendFactor::InvConstColor: return 255 - k[c];
    case BlendFactor::ConstAlpha: return k[3];
    case BlendFactor::InvConstAlpha: return 255 - k[3];
    case BlendFactor::SrcAlphaSaturate: return c == 3 ? 255 : std::min(s[3], 255 - d[3]);
    case BlendFactor::Src1Color: return s1[c];
    case BlendFactor::InvSrc1Color: return 255 - s1[c];
    case BlendFactor::Src1Alpha: return s1[3];
    case BlendFactor::InvSrc1Alpha: return 255 - s1[3];
    }
    return -1;
}

/// The integer nearest to n / 255, clamped to a byte. There are no ties, since 255 is odd.
int nearest_byte(int64_t n) {
    if (n <= 0)
        return 0;
    return static_cast<int>(std::min<int64_t>(255, (2 * n + 255) / 510));
}

Color to_color(const Bytes& bytes) {
    Color color;
    for (unsigned c = 0; c < 4; ++c)
        color[c] = static_cast<float>(bytes[c] / 255.0);
    return color;
}

struct ByteCase {
    Bytes s, s1, d, k;
};

std::vector<ByteCase> byte_cases() {
    std::mt19937 random(23);
    const std::array<int, 6> ends{0, 1, 127, 128, 254, 255};
    std::vector<ByteCase> cases;
    for (unsigned i = 0; i < 150; ++i) {
        ByteCase c;
        for (Bytes* bytes : {&c.s, &c.s1, &c.d, &c.k})
            for (int& byte : *bytes)
                byte = i < 60 ? ends[random() % 6] : static_cast<int>(random() & 255);
        cases.push_back(c);
    }
    return cases;
}

/// The number of wrong bytes for one pair of factors, over all cases and three equations.
unsigned wrong_bytes(FragmentFixture& f, const std::vector<ByteCase>& cases) {
    exec::BlendKey& key = f.key.blend[0];
    unsigned wrong = 0;
    for (const ByteCase& b : cases)
        for (const BlendFunc func :
             {BlendFunc::Add, BlendFunc::Subtract, BlendFunc::ReverseSubtract}) {
            key.rgb_func = key.alpha_func = func;
            uint8_t* texel = f.texel(0);
            for (unsigned c = 0; c < 4; ++c) {
                texel[c] = static_cast<uint8_t>(b.d[c]);
                f.draw.blend_constant_unorm8[c] = static_cast<uint8_t>(b.k[c]);
            }
            blend(f, to_color(b.s), to_color(b.s1));
            for (unsigned c = 0; c < 4; ++c) {
                const BlendFactor fs = c == 3 ? key.alpha_src : key.rgb_src;
                const BlendFactor fd = c == 3 ? key.alpha_dst : key.rgb_dst;
                const int64_t s = b.s[c] * table_factor(fs, c, b.s, b.s1, b.d, b.k);
                const int64_t d = b.d[c] * table_factor(fd, c, b.s, b.s1, b.d, b.k);
                const int64_t n = func == BlendFunc::Add        ? s + d
                                  : func == BlendFunc::Subtract ? s - d
                                                                : d - s;
                wrong += texel[c] != nearest_byte(n);
            }
        }
    return wrong;
}

}  // namespace

TEST_CASE("8-bit targets: every pair of factors gives the nearest byte of the exact sum") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_UNORM);
    f.warp.running = 1;
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    const std::vector<ByteCase> cases = byte_cases();
    for (unsigned source = 0; source < kFactors; ++source)
        for (unsigned destination = 0; destination < kFactors; ++destination) {
            key.rgb_src = key.alpha_dst = static_cast<BlendFactor>(source);
            key.rgb_dst = key.alpha_src = static_cast<BlendFactor>(destination);
            CHECK_MESSAGE(wrong_bytes(f, cases) == 0, "factors " << source << ' ' << destination);
        }
}

TEST_CASE("8-bit targets: source over destination is exact for all alphas and extreme colours") {
    FragmentFixture f;
    f.bind_target(Format::B8G8R8A8_UNORM);
    f.warp.running = 1;
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = BlendFactor::SrcAlpha;
    key.rgb_dst = BlendFactor::InvSrcAlpha;
    key.alpha_src = BlendFactor::One;
    key.alpha_dst = BlendFactor::InvSrcAlpha;
    unsigned wrong = 0;
    for (int a = 0; a < 256; ++a)
        for (int d = 0; d < 256; d += 5) {
            const uint8_t stored[4] = {static_cast<uint8_t>(d), 0, 255, 7};
            std::memcpy(f.texel(0), stored, 4);
            blend(f, to_color({255, 3, d, a}));
            const uint8_t* texel = f.texel(0);
            wrong += texel[2] != nearest_byte(255 * a + 255 * (255 - a));
            wrong += texel[1] != nearest_byte(3 * a);
            wrong += texel[0] != nearest_byte(int64_t{d} * a + int64_t{d} * (255 - a));
            wrong += texel[3] != nearest_byte(255 * a + 7 * (255 - a));
        }
    CHECK(wrong == 0);
}

TEST_CASE("min and max compare stored values and ignore the factors") {
    for (const Format format : {Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT}) {
        FragmentFixture f;
        f.bind_target(format);
        exec::BlendKey& key = f.key.blend[0];
        blend(f, {0.2F, 0.4F, 0.6F, 0.8F});
        key.enable = true;
        key.rgb_src = key.rgb_dst = key.alpha_src = key.alpha_dst = BlendFactor::Zero;
        key.rgb_func = BlendFunc::Min;
        key.alpha_func = BlendFunc::Max;
        blend(f, {0.4F, 0.2F, 0.6F, 1});
        if (format == Format::R8G8B8A8_UNORM) {
            const uint8_t expected[4] = {51, 51, 153, 255};
            CHECK(std::memcmp(f.texel(0), expected, 4) == 0);
        } else {
            const float expected[4] = {0.2F, 0.2F, 0.6F, 1};
            CHECK(std::memcmp(f.texel(0), expected, 16) == 0);
        }
    }
}

TEST_CASE("a channel that the target lacks counts as 0, alpha as 1") {
    FragmentFixture f;
    f.bind_target(Format::R8_UNORM);
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = BlendFactor::DstAlpha;
    key.rgb_dst = BlendFactor::InvDstAlpha;
    *f.texel(0) = 9;
    blend(f, {0.4F, 0, 0, 0});
    CHECK(*f.texel(0) == 102);
    f.bind_target(Format::B8G8R8X8_UNORM);
    f.texel(0)[3] = 0;  // the unused byte is not alpha
    blend(f, {0.4F, 0, 0, 0});
    CHECK(f.texel(0)[2] == 102);
}

TEST_CASE("float targets: one rounding for the destination's product, one for the sum") {
    FragmentFixture f;
    f.bind_target(Format::R32G32B32A32_FLOAT);
    f.warp.running = 1;
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = key.alpha_src = BlendFactor::SrcAlpha;
    key.rgb_dst = key.alpha_dst = BlendFactor::InvSrcAlpha;
    std::mt19937 random(31);
    std::uniform_real_distribution<float> any(-4, 4);
    for (unsigned i = 0; i < 3000; ++i) {
        const Color s{any(random), any(random), any(random), any(random)};
        const Color d{any(random), any(random), any(random), any(random)};
        const auto func = static_cast<BlendFunc>(i % 3);
        key.rgb_func = key.alpha_func = func;
        std::memcpy(f.texel(0), d.data(), 16);
        blend(f, s);
        Color got;
        std::memcpy(got.data(), f.texel(0), 16);
        for (unsigned c = 0; c < 4; ++c) {
            // The product of two binary32 numbers is exact in the 64 bits of a long double; so is
            // their sum here, because the exponents are close.
            const auto product = static_cast<float>(static_cast<long double>(d[c]) * (1 - s[3]));
            const long double source = static_cast<long double>(s[c]) * s[3];
            const long double sum = func == BlendFunc::Add        ? source + product
                                    : func == BlendFunc::Subtract ? source - product
                                                                  : product - source;
            REQUIRE(got[c] == static_cast<float>(sum));
        }
    }
}

TEST_CASE("factor ZERO drops its term and ONE takes the value: no 0 * inf") {
    FragmentFixture f;
    f.bind_target(Format::R32_FLOAT);
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    const auto run = [&](BlendFactor fs, BlendFactor fd, BlendFunc func, float s, float d) {
        key.rgb_src = fs;
        key.rgb_dst = fd;
        key.rgb_func = func;
        std::memcpy(f.texel(0), &d, 4);
        blend(f, {s, 0, 0, 0.5F});
        float got = 0;
        std::memcpy(&got, f.texel(0), 4);
        return got;
    };
    const float inf = INFINITY;
    CHECK(run(BlendFactor::One, BlendFactor::Zero, BlendFunc::Add, 3, inf) == 3);
    CHECK(run(BlendFactor::Zero, BlendFactor::One, BlendFunc::Add, inf, 4) == 4);
    CHECK(run(BlendFactor::Zero, BlendFactor::One, BlendFunc::Subtract, inf, 4) == -4);
    CHECK(run(BlendFactor::One, BlendFactor::Zero, BlendFunc::ReverseSubtract, 3, inf) == -3);
    CHECK(run(BlendFactor::Zero, BlendFactor::Zero, BlendFunc::Add, inf, inf) == 0);
    CHECK(run(BlendFactor::One, BlendFactor::One, BlendFunc::Subtract, 3, 1) == 2);
    CHECK(run(BlendFactor::SrcAlpha, BlendFactor::Zero, BlendFunc::Add, 3, inf) == 1.5F);
}

TEST_CASE("normalised targets clamp the source before blending, float targets do not") {
    FragmentFixture f;
    f.bind_target(Format::R16G16B16A16_UNORM);
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = BlendFactor::One;
    key.rgb_dst = BlendFactor::One;
    key.rgb_func = BlendFunc::ReverseSubtract;
    f.texel(0)[0] = f.texel(0)[1] = 255;
    blend(f, {-5, 0, 0, 0});
    CHECK(f.texel(0)[1] == 255);  // 1 - clamp(-5)
    f.bind_target(Format::R16_FLOAT);
    blend(f, {-5, 0, 0, 0});
    CHECK(f.texel(0)[1] == 0x45);  // 0 - -5 = 5.0 = 0x4500
}

TEST_CASE("sRGB targets blend linear values") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_SRGB);
    exec::BlendKey& key = f.key.blend[0];
    blend(f, {1, 1, 1, 1});
    key.enable = true;
    key.rgb_src = BlendFactor::Zero;
    key.rgb_dst = BlendFactor::SrcAlpha;
    blend(f, {0, 0, 0, 0.5F});
    CHECK(f.texel(0)[0] == 188);  // the sRGB code of linear one half
    CHECK(f.texel(0)[3] == 128);  // alpha is linear; equation ONE, ZERO
}

TEST_CASE("NaN is stored as 0 or as the one quiet NaN") {
    FragmentFixture f;
    const float nan = as_float(0xFFFFFFFF);
    f.bind_target(Format::R8_UNORM);
    *f.texel(0) = 77;
    blend(f, {nan, 0, 0, 0});
    CHECK(*f.texel(0) == 0);
    f.bind_target(Format::R32_FLOAT);
    blend(f, {nan, 0, 0, 0});
    uint32_t word = 0;
    std::memcpy(&word, f.texel(0), 4);
    CHECK(word == 0x7FC00000);
    f.bind_target(Format::R16_FLOAT);
    blend(f, {nan, 0, 0, 0});
    CHECK(f.texel(0)[1] == 0x7E);
}

TEST_CASE("logic ops work on stored bits by their truth tables") {
    // Result bit for (source, destination) = (1,1), (1,0), (0,1), (0,0): GL 4.6 table 17.4.
    const std::array<unsigned, 16> truth{0b0000, 0b0001, 0b0010, 0b0011, 0b0100, 0b0101,
                                         0b0110, 0b0111, 0b1000, 0b1001, 0b1010, 0b1011,
                                         0b1100, 0b1101, 0b1110, 0b1111};
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_UINT);
    exec::BlendKey& key = f.key.blend[0];
    key.logic_op_enable = true;
    for (unsigned op = 0; op < 16; ++op) {
        key.logic_op = static_cast<exec::LogicOp>(op);
        f.texel(0)[0] = 0b1010;
        std::array<Lanes, 4> in{splat(0b1100U), splat(0U), splat(0U), splat(0U)};
        f.draw.environment->blend(f.warp, {0, exec::RegisterFormat::U32, 4}, kFixedFunction,
                                  splat(1U), in.data(), nullptr);
        CHECK_MESSAGE((f.texel(0)[0] & 0xF) == truth[op], "op " << op);
    }
}

TEST_CASE("logic ops leave float and sRGB targets alone but still switch blending off") {
    FragmentFixture f;
    f.bind_target(Format::R32_FLOAT);
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_dst = BlendFactor::One;
    key.logic_op_enable = true;
    key.logic_op = exec::LogicOp::Clear;
    blend(f, {2, 0, 0, 0});
    blend(f, {3, 0, 0, 0});
    float got = 0;
    std::memcpy(&got, f.texel(0), 4);
    CHECK(got == 3);
}

TEST_CASE("write masks keep channels, in packed words too") {
    FragmentFixture f;
    f.bind_target(Format::B8G8R8A8_UNORM);
    f.key.blend[0].write_mask = 0b0101;  // red and blue
    blend(f, {1, 1, 1, 1});
    const uint8_t expected[4] = {255, 0, 255, 0};
    CHECK(std::memcmp(f.texel(3), expected, 4) == 0);
    f.bind_target(Format::B5G6R5_UNORM);
    f.key.blend[0].write_mask = 0b0010;
    blend(f, {1, 1, 1, 1});
    CHECK(f.texel(3)[0] == 0xE0);
    CHECK(f.texel(3)[1] == 0x07);
}

TEST_CASE("integer targets are clamped, never blended") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_SINT);
    f.key.blend[0].enable = true;
    f.key.blend[0].rgb_dst = BlendFactor::One;
    f.key.alpha_to_one = true;
    const std::array<Lanes, 4> in{splat(1000U), splat(0xFFFFFF00U), splat(5U), splat(6U)};
    f.draw.environment->blend(f.warp, {0, exec::RegisterFormat::S32, 4}, kFixedFunction, splat(1U),
                              in.data(), nullptr);
    const uint8_t expected[4] = {127, 0x80, 5, 6};
    CHECK(std::memcmp(f.texel(8), expected, 4) == 0);
}

TEST_CASE("alpha-to-one replaces the source alpha before blending") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_UNORM);
    f.key.alpha_to_one = true;
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = BlendFactor::SrcAlpha;
    blend(f, {1, 0.2F, 0, 0.25F});
    const uint8_t expected[4] = {255, 51, 0, 255};
    CHECK(std::memcmp(f.texel(0), expected, 4) == 0);
}

TEST_CASE("alpha-to-one replaces the alpha of the second colour, too") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_UNORM);
    f.key.alpha_to_one = true;
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = BlendFactor::Src1Alpha;
    blend(f, {1, 0.2F, 0, 0.25F}, {0, 0, 0, 0.5F});
    const uint8_t expected[4] = {255, 51, 0, 255};
    CHECK(std::memcmp(f.texel(0), expected, 4) == 0);
}

TEST_CASE("half registers carry two components each") {
    FragmentFixture f;
    f.bind_target(Format::R8G8B8A8_UNORM);
    const std::array<Lanes, 2> in{splat(0x00003C00U), splat(0x3C003800U)};
    f.draw.environment->blend(f.warp, {0, exec::RegisterFormat::F16, 4}, kFixedFunction, splat(1U),
                              in.data(), nullptr);
    const uint8_t expected[4] = {255, 0, 128, 255};
    CHECK(std::memcmp(f.texel(0), expected, 4) == 0);
}

TEST_CASE("only covered samples of live, running lanes are written, each in its own plane") {
    FragmentFixture f(4, 2, 1);
    f.bind_target(Format::R8_UNORM);
    f.warp.running = 0x00FF;
    f.warp.live = 0x0F0F;
    blend(f, {1, 0, 0, 0}, {}, 0b0101);
    for (unsigned block = 0; block < 256; ++block)
        for (unsigned s = 0; s < 4; ++s)
            for (unsigned lane = 0; lane < 16; ++lane) {
                const bool written = block == 18 && lane < 4 && (s == 0 || s == 2);
                REQUIRE(f.color[(block * 4 + s) * 16 + lane] == (written ? 255 : 0));
            }
}

TEST_CASE("the descriptor's mode decides: off and shader write nothing, opaque does not blend") {
    FragmentFixture f;
    f.bind_target(Format::R8_UNORM);
    exec::BlendKey& key = f.key.blend[0];
    key.enable = true;
    key.rgb_src = BlendFactor::Zero;
    for (const uint64_t mode : {0U, 3U}) {
        blend(f, {1, 0, 0, 0}, {}, 1, mode);
        CHECK(*f.texel(0) == 0);
    }
    blend(f, {1, 0, 0, 0}, {}, 1, 1);
    CHECK(*f.texel(0) == 255);
}
