// Sampler test: compares texels, weights, levels, shadows and cubes with hand computation.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/memory_texture.hpp"
#include "tests/oracle/sampling/reference_sampler.hpp"
#include "tests/oracle/sampling/sampler_coordinates.hpp"
#include "tests/oracle/sampling/sampler_lod.hpp"
#include "tests/tgsi/tgsi_kit.hpp"

#include <bit>
#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

constexpr uint32_t kOne = 0x3F800000;

float number(uint32_t word) {
    return std::bit_cast<float>(word);
}

MemoryTexture texture(std::string_view format, const TextureShape& shape) {
    auto result = MemoryTexture::create(format, shape);
    REQUIRE(result.has_value());
    return std::move(*result);
}

/// An R8 texture with the given codes in row-major order.
MemoryTexture codes(const TextureShape& shape, const std::vector<uint8_t>& values) {
    MemoryTexture out = texture("R8_UNORM", shape);
    REQUIRE(out.bytes(0).size() == values.size());
    std::copy(values.begin(), values.end(), out.bytes(0).begin());
    return out;
}

/// A sampler with all filters linear; it clamps to the edge by default.
ReferenceSamplerState linear_state(WrapMode wrap = WrapMode::ClampToEdge) {
    ReferenceSamplerState state;
    state.wrap = {wrap, wrap, wrap};
    state.min_filter = state.mag_filter = TexelFilter::Linear;
    return state;
}

/// The result of one lane; the other lanes do not run.
Word4 sample_at(const MemoryTexture& view,
                const ReferenceSamplerState& state,
                TextureRequest request,
                const Word4& coord) {
    ReferenceSampler sampler;
    sampler.views = {&view};
    sampler.samplers = {state};
    request.lanes[0].active = true;
    request.lanes[0].coord = {coord[0], coord[1], coord[2]};
    return sampler.sample(request)[0];
}

TextureRequest request_of(Target target, TextureAction action = TextureAction::Sample) {
    TextureRequest request;
    request.target = target;
    request.action = action;
    return request;
}

}  // namespace

TEST_CASE("nearest texels of each wrap mode") {
    struct Row {
        WrapMode wrap;
        std::vector<int64_t> texels;  // at -2.1, -1.1, -0.6, -0.1, 0.1, 0.6, 1.1, 1.6, 2.1
    };
    constexpr int64_t B = kBorder;
    const float at[] = {-2.1F, -1.1F, -0.6F, -0.1F, 0.1F, 0.6F, 1.1F, 1.6F, 2.1F};
    // Four texels: 0.1 is texel 0, 0.6 is texel 2.
    for (const Row& row : {Row{WrapMode::Repeat, {3, 3, 1, 3, 0, 2, 0, 2, 0}},
                           Row{WrapMode::ClampToEdge, {0, 0, 0, 0, 0, 2, 3, 3, 3}},
                           Row{WrapMode::ClampToBorder, {B, B, B, B, 0, 2, B, B, B}},
                           Row{WrapMode::MirrorRepeat, {0, 3, 2, 0, 0, 2, 3, 1, 0}},
                           Row{WrapMode::MirrorClampToEdge, {3, 3, 2, 0, 0, 2, 3, 3, 3}},
                           Row{WrapMode::MirrorClampToBorder, {B, B, 2, 0, 0, 2, B, B, B}},
                           Row{WrapMode::Clamp, {0, 0, 0, 0, 0, 2, 3, 3, 3}},
                           Row{WrapMode::MirrorClamp, {3, 3, 2, 0, 0, 2, 3, 3, 3}}})
        for (size_t i = 0; i < 9; ++i)
            CHECK_MESSAGE(nearest_texel(at[i], {row.wrap, 4, true, 0}) == row.texels[i],
                          static_cast<int>(row.wrap) << " at " << at[i]);
    CHECK(nearest_texel(std::nanf(""), {WrapMode::Repeat, 4, true, 0}) == 0);
    CHECK(nearest_texel(2.5F, {WrapMode::Repeat, 4, false, 0}) == 2);
    CHECK(nearest_texel(9.5F, {WrapMode::Repeat, 4, false, 0}) == 3);
    CHECK(nearest_texel(0.1F, {WrapMode::Repeat, 4, true, -1}) == 3);
}

TEST_CASE("linear texels: position is rounded to 1/256 of a texel") {
    const auto at = [](float u, WrapMode wrap) {
        const TexelPair p = linear_texels(u, {wrap, 4, true, 0}, false);
        return std::array<int64_t, 3>{p.first, p.second, p.weight};
    };
    using T = std::array<int64_t, 3>;
    CHECK(at(0.5F, WrapMode::Repeat) == T{1, 2, 128});
    CHECK(at(0.125F, WrapMode::Repeat) == T{0, 1, 0});
    CHECK(at(0.0F, WrapMode::Repeat) == T{3, 0, 128});
    CHECK(at(0.0F, WrapMode::ClampToEdge) == T{0, 0, 128});
    CHECK(at(0.0F, WrapMode::ClampToBorder) == T{kBorder, 0, 128});
    CHECK(at(0.0F, WrapMode::Clamp) == T{kBorder, 0, 128});
    CHECK(at(-5.0F, WrapMode::Clamp) == T{kBorder, 0, 128});  // at most half border
    CHECK(at(-5.0F, WrapMode::ClampToBorder) == T{kBorder, 0, 0});
    CHECK(at(0.0F, WrapMode::MirrorRepeat) == T{0, 0, 128});
    CHECK(at(-0.125F, WrapMode::MirrorClampToEdge) == T{0, 1, 0});
    // 0.125 + 1/2048 of the image is 1/512 of a texel past its centre: a tie, to even.
    CHECK(at(0.125F + 0x1p-11F, WrapMode::Repeat) == T{0, 1, 0});
    CHECK(at(0.125F + 3 * 0x1p-11F, WrapMode::Repeat) == T{0, 1, 2});
    CHECK(at(std::nanf(""), WrapMode::Repeat) == T{0, 1, 0});
}

TEST_CASE("8-bit texels are filtered as exact integer sums") {
    const MemoryTexture view = codes({.width = 2, .height = 2}, {0, 255, 10, 200});
    // Weights 128/256 and 64/256 after rounding: (192*(128*0+128*255) +
    // 64*(128*10+128*200))/(255*65536).
    const Word4 out =
        sample_at(view, linear_state(), request_of(Target::Tex2D), floats(0.5F, 0.375F));
    const float n = 192.0F * (128 * 255) + 64.0F * (128 * 10 + 128 * 200);
    CHECK(out[0] == bits(n * (1.0F / (255.0F * 65536.0F))));
    CHECK(out[3] == kOne);
    // A constant texture gives its decoded texel everywhere.
    const MemoryTexture flat = codes({.width = 2, .height = 2}, {77, 77, 77, 77});
    for (float u = 0; u < 1; u += 0.037F)
        CHECK(sample_at(flat, linear_state(), request_of(Target::Tex2D), floats(u, 1 - u))[0] ==
              bits(77.0F * (1.0F / 255.0F)));
}

TEST_CASE("other formats interpolate with one fused step an axis") {
    MemoryTexture view = texture("R32_FLOAT", {.width = 2});
    view.set(0, {0, 0, 0}, floats(0.1F));
    view.set(0, {1, 0, 0}, floats(0.7F));
    // (0.6 * 2 - 0.5) * 256 = 179.2
    CHECK(sample_at(view, linear_state(), request_of(Target::Tex1D), floats(0.6F))[0] ==
          bits(std::fma(179.0F / 256, 0.7F - 0.1F, 0.1F)));
}

TEST_CASE("three dimensions blend slices by number, integers are never filtered") {
    const MemoryTexture view =
        codes({.width = 1, .height = 1, .depth = 2, .mips_depth = true}, {10, 250});
    const float low = 65536.0F * 10;
    const float high = 65536.0F * 250;
    CHECK(sample_at(view, linear_state(), request_of(Target::Tex3D), floats(0, 0, 0.5F))[0] ==
          bits(std::fma(0.5F, high - low, low) * (1.0F / (255.0F * 65536.0F))));
    MemoryTexture ints = texture("R32_UINT", {.width = 2});
    ints.set(0, {1, 0, 0}, {7, 0, 0, 0});
    CHECK(sample_at(ints, linear_state(), request_of(Target::Tex1D), floats(0.6F)) ==
          Word4{7, 0, 0, 1});
}

TEST_CASE("the border colour goes through the format") {
    ReferenceSamplerState state = linear_state(WrapMode::ClampToBorder);
    state.min_filter = state.mag_filter = TexelFilter::Nearest;
    state.border = floats(0.3F, 7, -1, 0.5F);
    const MemoryTexture view = codes({.width = 1}, {0});
    // 0.3 * 255 is about 76.5; the binary32 product decides between 76 and 77. The format has no
    // green.
    const auto code = static_cast<float>(std::nearbyint(0.3F * 255.0F));
    CHECK(sample_at(view, state, request_of(Target::Tex1D), floats(2)) ==
          Word4{bits(code * (1.0F / 255.0F)), 0, 0, kOne});
    MemoryTexture floating = texture("R32G32B32A32_FLOAT", {.width = 1});
    CHECK(sample_at(floating, state, request_of(Target::Tex1D), floats(2)) ==
          floats(0.3F, 7, -1, 0.5F));
}

TEST_CASE("rectangles and unnormalised samplers count texels") {
    const MemoryTexture view = codes({.width = 4, .height = 2}, {0, 1, 2, 3, 4, 5, 6, 7});
    const float texel = 1.0F / 255.0F;
    CHECK(sample_at(view, ReferenceSamplerState{}, request_of(Target::Rect),
                    floats(2.5F, 1.5F))[0] == bits(6 * texel));
    ReferenceSamplerState state;
    state.normalized = false;
    CHECK(sample_at(view, state, request_of(Target::Tex2D), floats(1.0F, 0.0F))[0] == bits(texel));
}

TEST_CASE("texel offsets move the footprint") {
    const MemoryTexture view = codes({.width = 4}, {0, 1, 2, 3});
    TextureRequest request = request_of(Target::Tex1D);
    request.offset_count = 1;
    request.lanes[0].offsets[0] = {2, 0, 0};
    CHECK(sample_at(view, ReferenceSamplerState{}, request, floats(0.3F))[0] ==
          bits(3.0F * (1.0F / 255.0F)));
}

TEST_CASE("layers are rounded to even and limited") {
    const MemoryTexture view = codes({.width = 1, .height = 1, .depth = 3}, {10, 20, 30});
    const auto layer = [&](float value) {
        TextureRequest request = request_of(Target::Tex2DArray);
        request.lanes[0].layer = bits(value);
        return std::lround(number(sample_at(view, {}, request, floats(0, 0))[0]) * 255);
    };
    CHECK(layer(0.5F) == 10);
    CHECK(layer(1.5F) == 30);
    CHECK(layer(-7) == 10);
    CHECK(layer(99) == 30);
    CHECK(layer(std::nanf("")) == 10);
}

TEST_CASE("shadow comparisons are filtered, and replicated into r, g, b") {
    MemoryTexture depth = texture("D32_FLOAT", {.width = 2});
    depth.set(0, {0, 0, 0}, floats(0.25F));
    depth.set(0, {1, 0, 0}, floats(0.75F));
    ReferenceSamplerState state = linear_state();
    state.compare_enable = true;
    state.compare = Comparison::LessEqual;
    TextureRequest request = request_of(Target::Shadow1D);
    const auto compare = [&](float reference, float at) {
        request.lanes[0].reference = bits(reference);
        return sample_at(depth, state, request, floats(at));
    };
    CHECK(compare(0.5F, 0.5F) == floats(0.5F, 0.5F, 0.5F, 1));
    CHECK(compare(0.25F, 0.25F) == floats(1, 1, 1, 1));
    CHECK(compare(0.8F, 0.5F) == floats(0, 0, 0, 1));
    CHECK(compare(std::nanf(""), 0.5F) == floats(0, 0, 0, 1));
    // References are clamped to the range of unorm depths.
    MemoryTexture unorm = texture("D16_UNORM", {.width = 1});
    unorm.set(0, {0, 0, 0}, floats(1));
    request.lanes[0].reference = bits(5);
    CHECK(sample_at(unorm, state, request, floats(0))[0] == kOne);
    state.compare_enable = false;
    CHECK(sample_at(unorm, state, request, floats(0)) == floats(1, 0, 0, 1));
}

TEST_CASE("gather gives the footprint in the order of GL, with up to four offsets") {
    const MemoryTexture view =
        codes({.width = 4, .height = 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    TextureRequest request = request_of(Target::Tex2D, TextureAction::Gather);
    const auto gathered = [&](unsigned i) {
        return std::lround(number(sample_at(view, linear_state(), request, floats(0.5F, 0.5F))[i]) *
                           255);
    };
    const long order[] = {9, 10, 6, 5};
    for (unsigned i = 0; i < 4; ++i)
        CHECK(gathered(i) == order[i]);
    request.component = 3;
    CHECK(sample_at(view, linear_state(), request, floats(0.5F, 0.5F)) == floats(1, 1, 1, 1));
    request.component = 0;
    request.offset_count = 4;
    request.lanes[0].offsets = {{{-1, -1, 0}, {1, -1, 0}, {0, 0, 0}, {-1, 1, 0}}};
    const long offset_order[] = {0, 2, 5, 8};
    for (unsigned i = 0; i < 4; ++i)
        CHECK(gathered(i) == offset_order[i]);
}

TEST_CASE("fetches read single texels; the texel outside is 0") {
    MemoryTexture view = texture("R8G8B8A8_UNORM", {.width = 2, .height = 2, .levels = 2});
    view.set(1, {0, 0, 0}, floats(1, 1, 1, 1));
    TextureRequest request = request_of(Target::Tex2D, TextureAction::Fetch);
    const auto fetch = [&](uint32_t x, uint32_t y, uint32_t level) {
        request.lanes[0].lod = level;
        return sample_at(view, {}, request, {x, y, 0, 0});
    };
    CHECK(fetch(0, 0, 1) == floats(1, 1, 1, 1));
    CHECK(fetch(1, 0, 1) == Word4{});
    CHECK(fetch(0, 0, 2) == Word4{});
    CHECK(fetch(static_cast<uint32_t>(-1), 0, 0) == Word4{});
    request.offset_count = 1;
    request.lanes[0].offsets[0] = {-1, 0, 0};
    CHECK(fetch(1, 0, 1) == floats(1, 1, 1, 1));
    MemoryTexture many = texture("R8_UINT", {.width = 1, .samples = 4});
    *many.address(0, {0, 0, 0}, 3) = 9;
    TextureRequest by_sample = request_of(Target::Tex2DMsaa, TextureAction::Fetch);
    by_sample.lanes[0].sample = 3;
    CHECK(sample_at(many, {}, by_sample, {})[0] == 9);
    by_sample.lanes[0].sample = 4;
    CHECK(sample_at(many, {}, by_sample, {})[0] == 0);
}

TEST_CASE("view swizzles apply last, unbound views read 0, 0, 0, 1") {
    MemoryTexture view = codes({.width = 1}, {255});
    view.set_swizzle({ViewSwizzle::Zero, ViewSwizzle::X, ViewSwizzle::One, ViewSwizzle::Y});
    CHECK(sample_at(view, {}, request_of(Target::Tex1D), {}) == floats(0, 1, 1, 0));
    ReferenceSampler sampler;
    TextureRequest request;
    request.lanes[2].active = true;
    CHECK(sampler.sample(request)[2] == floats(0, 0, 0, 1));
    CHECK(sampler.size(0, 0).levels == 0);
}

TEST_CASE("cube directions choose the face of the largest axis, ties z before y before x") {
    const auto face = [](float x, float y, float z) { return cube_point({x, y, z}).face; };
    CHECK(face(1, 0, 0) == 0);
    CHECK(face(-1, 0.5F, 0) == 1);
    CHECK(face(0, 2, 1) == 2);
    CHECK(face(0, -2, 1) == 3);
    CHECK(face(0, 0, 1) == 4);
    CHECK(face(0, 0, -1) == 5);
    CHECK(face(1, 1, 1) == 4);
    CHECK(face(1, -1, 0) == 3);
    CHECK(face(std::nanf(""), 1, 0) == 4);
    CHECK(face(0, 0, 0) == 4);
    // +X: s = -z, t = -y.
    const CubePoint p = cube_point({2, 1, -1});
    CHECK(p.st[0] == 0.75F);
    CHECK(p.st[1] == 0.25F);
    const CubePoint infinite = cube_point({std::numeric_limits<float>::infinity(), 5, 1});
    CHECK(infinite.face == 0);
    CHECK(infinite.st == std::array<float, 2>{0.5F, 0.5F});
}

TEST_CASE("texels beyond a cube's edges are those of the neighbouring face") {
    // Beyond the right edge of +Z lies the left side of +X, and so on around the cube.
    const auto over = [](uint32_t face, int64_t x, int64_t y) {
        const CubeTexel t = over_the_edge({face, x, y}, 4);
        return std::array<int64_t, 3>{t.face, t.x, t.y};
    };
    using T = std::array<int64_t, 3>;
    CHECK(over(4, 4, 1) == T{0, 0, 1});
    CHECK(over(4, -1, 1) == T{1, 3, 1});
    CHECK(over(0, 4, 2) == T{5, 0, 2});
    CHECK(over(5, 4, 2) == T{1, 0, 2});
    CHECK(over(4, 1, -1) == T{2, 1, 3});  // up from +Z: the bottom row of +Y
    CHECK(over(4, 1, 4) == T{3, 1, 0});   // down: the top row of -Y
    CHECK(over(0, 1, -1) == T{2, 3, 2});  // up from +X: the right column of +Y, turned
    CHECK(over(2, 1, -1) == T{5, 2, 0});  // back over +Y to -Z
    CHECK(over(3, 2, 2) == T{3, 2, 2});
    // Crossing an edge and crossing it back gives the original texel.
    for (uint32_t face = 0; face < 6; ++face)
        for (int64_t i = 0; i < 4; ++i)
            for (const auto& [x, y] :
                 {std::pair<int64_t, int64_t>{-1, i}, {4, i}, {i, -1}, {i, 4}}) {
                const CubeTexel there = over_the_edge({face, x, y}, 4);
                CHECK(there.face != face);
                CHECK((there.x == 0 || there.x == 3 || there.y == 0 || there.y == 3));
            }
}

TEST_CASE("the missing corner of a seamless cube is the mean of the three that meet") {
    std::vector<uint8_t> faces(6, 0);
    faces[0] = 100;  // +X
    faces[2] = 50;   // +Y
    faces[4] = 20;   // +Z
    const MemoryTexture view = codes({.width = 1, .height = 1, .depth = 6}, faces);
    // The corner of +Z towards +X and +Y: weights 1/2 each; the missing texel is
    // floor((20 + 100 + 50 + 1) / 3) = 57.
    const Word4 out = sample_at(view, linear_state(), request_of(Target::Cube),
                                floats(0.9999999F, 0.9999999F, 1));
    const float n = 16384.0F * (20 + 100 + 50 + 57);
    CHECK(out[0] == bits(n * (1.0F / (255.0F * 65536.0F))));
}

TEST_CASE("half_log2 is exact at powers of two and within 0.0005 between them") {
    for (int e = -60; e <= 60; ++e)
        CHECK(half_log2(std::ldexp(1.0F, e)) == 0.5F * static_cast<float>(e));
    for (float x = 1; x < 2; x += 0.001F)
        CHECK(std::fabs(half_log2(x) - 0.5F * std::log2(x)) < 0.0005F);
}

TEST_CASE("levels of detail: nearest, linear, none, past the last") {
    const auto levels = [](int32_t lod, LevelFilter filter) {
        const LevelPair p = choose_levels(lod, filter, 4);
        return std::array<int64_t, 4>{p.magnifies, p.first, p.second, p.weight};
    };
    using T = std::array<int64_t, 4>;
    CHECK(levels(0, LevelFilter::Linear) == T{1, 0, 0, 0});
    CHECK(levels(-300, LevelFilter::Nearest) == T{1, 0, 0, 0});
    CHECK(levels(300, LevelFilter::None) == T{0, 0, 0, 0});
    CHECK(levels(128, LevelFilter::Nearest)[1] == 0);
    CHECK(levels(129, LevelFilter::Nearest)[1] == 1);
    CHECK(levels(300, LevelFilter::Linear) == T{0, 1, 2, 44});
    CHECK(levels(3 * 256, LevelFilter::Linear) == T{0, 3, 3, 0});
    CHECK(levels(9999, LevelFilter::Nearest)[1] == 3);
    CHECK(fixed_lod(bits(1.5F)) == 384);
    CHECK(fixed_lod(bits(100.0F)) == 4096);
    CHECK(fixed_lod(bits(-100.0F)) == -4096);
    CHECK(fixed_lod(0x7FC00000) == -4096);
    CHECK(fixed_lod(bits(1.0F / 512)) == 0);  // tie to even
    CHECK(fixed_lod(bits(3.0F / 512)) == 2);
    ReferenceSamplerState state;
    state.min_lod = 256;
    state.max_lod = 512;
    CHECK(limited_lod(0, 100, state) == 256);
    CHECK(limited_lod(1.25F, 64, state) == 384);
    CHECK(limited_lod(7, 0, state) == 512);
}

TEST_CASE("anisotropy takes as many probes as the ratio of the axes") {
    CHECK(probe_count({16, 1, {}}, 16) == 4);
    CHECK(probe_count({18, 1, {}}, 16) == 4);  // up to a quarter more
    CHECK(probe_count({19, 1, {}}, 16) == 5);
    CHECK(probe_count({1000, 1, {}}, 8) == 8);
    CHECK(probe_count({1, 1, {}}, 16) == 1);
    CHECK(probe_count({0, 0, {}}, 16) == 1);
    CHECK(probe_count({1, 0, {}}, 16) == 16);
    const Stretch s = stretch_of({0.5F, 0, 0}, {0, 0.25F, 0}, {16, 16, 1}, 2);
    CHECK(s.larger == 64);
    CHECK(s.smaller == 16);
    CHECK(s.direction == std::array<float, 3>{0.5F, 0, 0});
}

TEST_CASE("implicit levels come from the quad; lanes that do not run count as no change") {
    MemoryTexture view = texture("R8_UNORM", {.width = 16, .height = 16, .levels = 5});
    for (uint32_t level = 0; level < 5; ++level)
        for (uint8_t& byte : view.bytes(level))
            byte = static_cast<uint8_t>(10 * level);
    ReferenceSampler sampler;
    sampler.views = {&view};
    sampler.samplers = {ReferenceSamplerState{}};
    sampler.samplers[0].mip_filter = LevelFilter::Nearest;
    TextureRequest request;
    request.lod_mode = LodMode::Implicit;
    for (unsigned i = 0; i < 4; ++i) {
        request.lanes[i].active = true;
        // Four texels per pixel along x: level 2.
        request.lanes[i].coord = {bits(0.25F * static_cast<float>(i & 1)),
                                  bits(0.0625F * static_cast<float>(i >> 1)), 0};
    }
    const auto level_of = [&](unsigned lane) {
        return std::lround(number(sampler.sample(request)[lane][0]) * 25.5F);
    };
    CHECK(level_of(0) == 2);
    CHECK(level_of(3) == 2);
    request.lanes[1].active = false;
    CHECK(level_of(0) == 0);
    CHECK(level_of(3) == 2);
    request.lanes[1].active = true;
    request.lod_mode = LodMode::Bias;
    for (auto& lane : request.lanes)
        lane.lod = bits(1.0F);
    CHECK(level_of(0) == 3);
    request.lod_mode = LodMode::Explicit;
    CHECK(level_of(0) == 1);
    request.lod_mode = LodMode::Gradient;
    request.lanes[0].ddx = {0, bits(0.5F), 0};
    CHECK(level_of(0) == 3);
    request.action = TextureAction::QueryLod;
    CHECK(sampler.sample(request)[0][1] == bits(2.0F));
    CHECK(sampler.sample(request)[0][0] == bits(2.0F));
}

TEST_CASE("textures that are too large are refused") {
    CHECK(MemoryTexture::create("R32G32B32A32_FLOAT", {.width = 65536, .height = 65536})
              .error()
              .code == Errc::OutOfRange);
    CHECK_FALSE(MemoryTexture::create("R8_UNORM", {.width = 0}).has_value());
    CHECK_FALSE(MemoryTexture::create("R8_UNORM", {.levels = 33}).has_value());
    CHECK(MemoryTexture::create("DXT1_RGB", {}).error().text == "texel format DXT1_RGB");
}
