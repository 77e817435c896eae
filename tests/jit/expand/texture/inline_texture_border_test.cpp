// Inline border test: borders, offsets, gathers and integer textures agree on all engines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;

const std::vector<exec::Wrap> kBorderWraps = {exec::Wrap::ClampToBorder, exec::Wrap::Clamp,
                                              exec::Wrap::MirrorClampToBorder,
                                              exec::Wrap::MirrorClamp, exec::Wrap::Repeat};
constexpr Format kIntegerFormats[] = {
    Format::R8G8B8A8_UINT, Format::R8G8B8A8_SINT, Format::R32G32B32A32_UINT, Format::R16G16_SINT,
    Format::R32_SINT,      Format::R16_UINT,      Format::R10G10B10A2_UINT,  Format::R8_SINT};

Format any_format(Random& random) {
    switch (random.below(4)) {
    case 0: return pick(random, kSmallFormats);
    case 1: return pick(random, kIntegerFormats);
    default: return pick(random, kNumberFormats);
    }
}

/// Fills offset words with small offsets or any bytes.
void fill_offsets(Random& random, exec::Lanes& words) {
    const bool same = random.one_in(2);
    const uint32_t common = random.next32();
    for (uint32_t& word : words.v) {
        word = same ? common : random.next32();
        if (!random.one_in(4))  // -4 .. 3
            word = (word & 0x07070707) ^ 0x04040404;
        for (unsigned shift = 0; shift < 24; shift += 8)
            if (random.one_in(2) && (word >> shift & 0x84) == 4)
                word |= 0xF8U << shift;
    }
}

/// Fills a border colour with numbers, integers or special values.
void fill_border(Random& random, exec::SamplerDescriptor& state) {
    constexpr uint32_t words[] = {0x7FC00000, 0xFF800000, 0x80000000, 0xFFFFFFFF, 300, 0xFFFFFF00};
    for (uint32_t& word : state.border)
        if (random.one_in(4))
            word = pick(random, words);
}

struct Shape {
    TextureKind kind;
    const char* dimension;
    unsigned coordinates;
    unsigned slices;
};
constexpr Shape kShapes[] = {{TextureKind::Tex2D, "2d", 2, 1},
                             {TextureKind::Tex1D, "1d", 1, 1},
                             {TextureKind::Rect, "2d", 2, 1},
                             {TextureKind::Tex3D, "3d", 3, 5},
                             {TextureKind::Cube, "cube", 2, 6}};

/// Samples one texture with any wrap modes or, if `offsets`, with texel offsets.
void check_sampling(uint64_t seed, bool offsets, const std::vector<exec::Wrap>& wraps) {
    Random random(seed);
    const Shape shape = pick(random, kShapes);
    exec::SamplerDescriptor state = random_sampler(random, wraps);
    const bool cube = shape.kind == TextureKind::Cube;
    state.modes.seamless_cube = random.one_in(2);
    state.modes.normalized |= cube;
    fill_border(random, state);
    SampleCase sample(random, shape.kind, any_format(random),
                      mip_sizes(random, shape.kind, shape.slices), state);
    const unsigned operands = shape.coordinates + (offsets ? 1 : 0);
    const std::string dimension = std::string(shape.dimension) + (offsets ? ".texel_offset" : "");
    bool lod = false;
    do
        sample.test.body = sample_text(random, dimension.c_str(), operands, lod);
    while (lod && operands == kMessageInputs);
    const bool texels = shape.kind == TextureKind::Rect || !state.modes.normalized;
    fill_coordinates(sample.test, random, shape.coordinates, texels ? 64.0F : 1.0F);
    if (cube)
        fill_cube(random, sample.test);
    if (offsets) {
        exec::Lanes& words = sample.test.inputs[shape.coordinates];
        fill_offsets(random, words);
        if (random.one_in(2)) {
            sample.test.immediates.push_back(words.v[0]);
            sample.test.body =
                "MOV.i32 r" + std::to_string(shape.coordinates) + ", u2\n" + sample.test.body;
        }
    }
    if (lod)
        fill_lod(sample.test, random, operands);
    check(sample);
}

constexpr const char* kFetched[] = {"gather4_r", "gather4_g", "gather4_b", "gather4_a"};

struct GatherCase {
    bool offsets;
    bool shadow;
    bool array;
};

std::string gather_text(Random& random, const char* dimension, const GatherCase& gather) {
    const unsigned operands = 2U + gather.offsets + gather.shadow + gather.array;
    const bool half = random.one_in(6);
    return std::string("TEX_GATHER.slot0.f") + (half ? ".16" : ".32") + "." + dimension +
           (gather.shadow ? ".shadow" : "") + (gather.array ? ".array_enable" : "") +
           (gather.offsets ? ".texel_offset" : "") + "." + pick(random, kFetched) + ".wait0 " +
           run_of(8, half ? 2 : 4) + ", " + run_of(0, operands) + ", u0\n";
}

void check_gather(uint64_t seed, const std::vector<exec::Wrap>& wraps) {
    Random random(seed);
    const bool cube = random.one_in(4);
    const GatherCase gather{!cube && random.one_in(3), random.one_in(3), !cube && random.one_in(4)};
    exec::SamplerDescriptor state = random_sampler(random, wraps);
    state.modes.compare_enable = !random.one_in(4);
    state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
    state.modes.normalized |= cube;
    fill_border(random, state);
    const TextureKind kind = cube           ? TextureKind::Cube
                             : gather.array ? TextureKind::Tex2DArray
                                            : TextureKind::Tex2D;
    SampleCase sample(random, kind,
                      gather.shadow ? pick(random, kDepthFormats) : any_format(random),
                      mip_sizes(random, kind,
                                cube           ? 6
                                : gather.array ? 3
                                               : 1),
                      state);
    sample.test.body = gather_text(random, cube ? "cube" : "2d", gather);
    fill_coordinates(sample.test, random, 2, state.modes.normalized ? 1.0F : 16.0F);
    unsigned next = 2;
    if (cube)
        fill_cube(random, sample.test);
    if (gather.array)
        fill_layers(random, sample.test.inputs[next++]);
    if (gather.shadow && next < kMessageInputs)
        fill_depths(sample.texture.descriptor, random, sample.test, next++);
    if (gather.offsets && next < kMessageInputs)
        fill_offsets(random, sample.test.inputs[next]);
    check(sample);
}

}  // namespace

TEST_CASE("textures with border colours") {
    for (unsigned i = 0; i < rounds(400); ++i)
        check_sampling(0xB0DE0000 + i, false, kBorderWraps);
}

TEST_CASE("slices of bytes that are the border in depth alone") {
    for (unsigned i = 0; i < rounds(40); ++i) {
        Random random(0x5D1CE + i);
        exec::SamplerDescriptor state = random_sampler(random, {exec::Wrap::Repeat});
        state.modes.wrap_r = exec::Wrap::ClampToBorder;
        state.modes.min_filter = state.modes.mag_filter = exec::Filter::Linear;
        SampleCase sample(random, TextureKind::Tex3D, Format::R8G8B8A8_UNORM,
                          mip_sizes(random, TextureKind::Tex3D, 3), state);
        bool lod = true;
        while (lod)
            sample.test.body = sample_text(random, "3d", 3, lod);
        fill_coordinates(sample.test, random, 3, state.modes.normalized ? 1.0F : 8.0F);
        check(sample);
    }
}

TEST_CASE("a border of minus zero keeps its sign, one that is no number becomes 0") {
    for (const Format format : {Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::R16_SNORM,
                                Format::R10G10B10A2_UNORM, Format::R8G8B8A8_SRGB}) {
        Random random(1);
        exec::SamplerDescriptor state;
        state.modes.wrap_s = state.modes.wrap_t = exec::Wrap::ClampToBorder;
        state.border[0] = state.border[3] = 0x80000000;
        state.border[1] = 0x7FC00000;
        state.border[2] = as_bits(-0.25F);
        SampleCase sample(random, TextureKind::Tex2D, format, {{4, 4, 1}}, state);
        sample.test.body = "TEX_SINGLE.slot0.f.32.2d.zero.wait0 @r8:r9:r10:r11, @r0:r1, u0\n";
        for (exec::Lanes& input : sample.test.inputs)
            for (uint32_t& word : input.v)
                word = as_bits(5.0F);
        check(sample);
    }
}

TEST_CASE("compares with border colours") {
    for (unsigned i = 0; i < rounds(100); ++i) {
        Random random(0xB05A0000 + i);
        exec::SamplerDescriptor state = random_sampler(random, kBorderWraps);
        state.modes.compare_enable = true;
        state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
        fill_border(random, state);
        SampleCase sample(random, TextureKind::Tex2D, pick(random, kDepthFormats),
                          mip_sizes(random, TextureKind::Tex2D, 1), state);
        bool lod = false;
        sample.test.body = sample_text(random, "2d.shadow", 3, lod);
        fill_coordinates(sample.test, random, 2, state.modes.normalized ? 1.0F : 64.0F);
        fill_depths(sample.texture.descriptor, random, sample.test, 2);
        if (lod)
            fill_lod(sample.test, random, 3);
        check(sample);
    }
}

TEST_CASE("textures with texel offsets, any wrap mode") {
    for (unsigned i = 0; i < rounds(400); ++i)
        check_sampling(0x0FF50000 + i, true, kAllWraps);
}

TEST_CASE("integer textures are not filtered") {
    for (unsigned i = 0; i < rounds(120); ++i) {
        Random random(0x1279E600 + i);
        SampleCase sample(
            random, TextureKind::Tex2D, kIntegerFormats[i % std::size(kIntegerFormats)],
            mip_sizes(random, TextureKind::Tex2D, 1), random_sampler(random, kSimpleWraps));
        bool lod = false;
        sample.test.body = sample_text(random, "2d", 2, lod);
        constexpr const char* types[] = {".f.", ".u.", ".s."};
        sample.test.body.replace(sample.test.body.find(".f."), 3, pick(random, types));
        fill_coordinates(sample.test, random, 2, sample.sampler.modes.normalized ? 1.0F : 64.0F);
        if (lod)
            fill_lod(sample.test, random, 2);
        check(sample);
    }
}

TEST_CASE("gathers of any component") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_gather(0x6A740000 + i, i % 2 ? kAllWraps : kSimpleWraps);
}

TEST_CASE("borders, offsets, integers and gathers call no routine") {
    for (unsigned i = 0; i < 24; ++i) {
        Random random(0xCA11B + i);
        const bool gathers = i % 4 == 3;
        constexpr Format formats[] = {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
                                      Format::R32G32B32A32_UINT};
        SampleCase sample(random, TextureKind::Tex2D, formats[i % 3],
                          mip_sizes(random, TextureKind::Tex2D, 1),
                          random_sampler(random, i % 2 ? kAllWraps : kBorderWraps));
        sample.texture.descriptor.swizzle[0] = exec::Swizzle::X;
        sample.set_keys();
        bool lod = false;
        sample.test.body =
            gathers ? "TEX_GATHER.slot0.f.32.2d.gather4_r.wait0 @r8:r9:r10:r11, @r0:r1, u0\n"
                    : sample_text(random, i % 2 ? "2d.texel_offset" : "2d", i % 2 ? 3 : 2, lod);
        fill_coordinates(sample.test, random, 2, 1);
        sample.test.lanes = 0xFFFF;
        CHECK_MESSAGE(!calls_routine(sample.test), sample.test.body);
    }
}

// Texels themselves may be gathered: as many as for linear numbers.
TEST_CASE("sRGB codes are not gathered with AVX-512") {
    const auto gathers = [](Format format, jit::HostLevel level) {
        Random random(0x5269B);
        SampleCase sample(random, TextureKind::Tex2D, format, {{{8, 8, 1}}}, {});
        sample.set_keys();
        bool lod = false;
        sample.test.body = sample_text(random, "2d", 2, lod);
        return gather_instructions(sample.test, level, jit::GatherMethod::Gathers);
    };
    const auto linear = Format::R8G8B8A8_UNORM;
    const auto srgb = Format::R8G8B8A8_SRGB;
    CHECK(gathers(linear, jit::HostLevel::Avx512) > 0);
    CHECK(gathers(srgb, jit::HostLevel::Avx512) == gathers(linear, jit::HostLevel::Avx512));
    CHECK(gathers(srgb, jit::HostLevel::Avx2) > gathers(linear, jit::HostLevel::Avx2));
}

}  // namespace valkyr::test
