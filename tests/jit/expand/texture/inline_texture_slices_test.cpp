// Inline slices test: arrays, 3D textures, cube maps and fetches agree on all engines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;

/// A kind of texture with slices and the message that samples it.
struct SliceCase {
    TextureKind kind;
    const char* dimension;
    unsigned coordinates;
    unsigned slices;
};
constexpr SliceCase kSliceCases[] = {{TextureKind::Tex2DArray, "2d.array_enable", 2, 5},
                                     {TextureKind::Tex3D, "3d", 3, 7},
                                     {TextureKind::Cube, "cube", 2, 6},
                                     {TextureKind::Tex1DArray, "1d.array_enable", 1, 4},
                                     {TextureKind::CubeArray, "cube.array_enable", 2, 18},
                                     {TextureKind::Tex2DArray, "2d", 2, 3}};

void check_slices(uint64_t seed, const SliceCase& slices, Format format) {
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    const bool cube = std::string(slices.dimension).starts_with("cube");
    state.modes.seamless_cube = !random.one_in(4);
    state.modes.normalized |= cube;
    SampleCase sample(random, slices.kind, format, mip_sizes(random, slices.kind, slices.slices),
                      state);
    exec::TextureDescriptor& view = sample.texture.descriptor;
    if (slices.kind == TextureKind::Tex2DArray && random.one_in(2)) {
        view.first_layer = 1;
        view.layer_count = slices.slices - 1;
    } else if (slices.kind == TextureKind::CubeArray && random.one_in(2)) {
        view.first_layer = 6;
        view.layer_count = 9;
    }
    sample.set_keys();
    const bool array = std::string(slices.dimension).ends_with("array_enable");
    const unsigned operands = slices.coordinates + (array ? 1 : 0);
    bool lod = false;
    do
        sample.test.body = sample_text(random, slices.dimension, operands, lod);
    while (lod && operands == kMessageInputs);
    fill_coordinates(sample.test, random, slices.coordinates,
                     state.modes.normalized ? 1.0F : 16.0F);
    if (cube)
        fill_cube(random, sample.test);
    if (array)
        fill_layers(random, sample.test.inputs[slices.coordinates]);
    if (lod)
        fill_lod(sample.test, random, operands);
    check(sample);
}

}  // namespace

TEST_CASE("arrays, 3D textures and cube maps") {
    for (unsigned i = 0; i < rounds(480); ++i)
        check_slices(0x51CE0000 + i, kSliceCases[i % std::size(kSliceCases)],
                     i % 8 < 4   ? kSmallFormats[i % std::size(kSmallFormats)]
                     : i % 8 < 7 ? kNumberFormats[i % std::size(kNumberFormats)]
                                 : kStepFormats[i % std::size(kStepFormats)]);
}

namespace {

/// Checks shadow arrays; the reference comes after the layer.
void check_shadow_array(uint64_t seed, Format format) {
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    state.modes.compare_enable = true;
    state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
    SampleCase sample(random, TextureKind::Tex2DArray, format,
                      mip_sizes(random, TextureKind::Tex2DArray, 3), state);
    bool lod = false;
    do
        sample.test.body = sample_text(random, "2d.shadow.array_enable", 4, lod);
    while (lod);
    fill_coordinates(sample.test, random, 2, state.modes.normalized ? 1.0F : 16.0F);
    fill_layers(random, sample.test.inputs[2]);
    for (uint32_t& word : sample.test.inputs[3].v)
        word = as_bits(uniform(random, 0, 1));
    check(sample);
}

}  // namespace

TEST_CASE("slices with padding: compared arrays of 16-bit texels") {
    for (unsigned i = 0; i < rounds(120); ++i)
        check_shadow_array(0x5AD0A000 + i, i % 2 ? Format::B5G6R5_UNORM : Format::D16_UNORM);
}

TEST_CASE("slices with padding: cube maps of 16-bit texels") {
    for (unsigned i = 0; i < rounds(120); ++i)
        check_slices(0xC0BE0000 + i, {TextureKind::Cube, "cube", 2, 6},
                     i % 2 ? Format::R16_FLOAT : Format::D16_UNORM);
}

TEST_CASE("slices with padding: texels of 3, 6 and 12 bytes") {
    constexpr Format formats[] = {Format::R8G8B8_UNORM, Format::R16G16B16_UNORM,
                                  Format::R32G32B32_FLOAT};
    for (unsigned i = 0; i < rounds(120); ++i)
        check_slices(0x3B17E5 + i, kSliceCases[i / 3 % std::size(kSliceCases)], formats[i % 3]);
}

namespace {

struct FetchCase {
    TextureKind kind;
    const char* dimension;
    unsigned coordinates;
    bool array;
    unsigned slices;
    unsigned samples = 1;
};
constexpr FetchCase kFetchCases[] = {
    {TextureKind::Tex2D, "2d", 2, false, 1},      {TextureKind::Tex2DArray, "2d", 2, true, 5},
    {TextureKind::Tex3D, "3d", 3, false, 6},      {TextureKind::Tex1D, "1d", 1, false, 1},
    {TextureKind::Cube, "2d", 2, true, 6},        {TextureKind::Buffer, "1d", 1, false, 1},
    {TextureKind::Tex2DMs, "2d", 2, false, 1, 4}, {TextureKind::Tex2DMsArray, "2d", 2, true, 3, 2}};

/// Buffers and multisampled textures have one level.
std::vector<Size> fetch_sizes(Random& random, const FetchCase& fetch) {
    if (fetch.kind == TextureKind::Buffer)
        return {{1 + random.below(300), 1, 1}};
    std::vector<Size> sizes = mip_sizes(random, fetch.kind, fetch.slices);
    if (fetch.samples > 1)
        sizes.resize(1);
    return sizes;
}

/// Coordinates of a block of pixels, perhaps in another order, within a tile or across its edge.
void fill_block(MessageCase& test, Random& random) {
    const uint32_t mirror = random.below(4);
    const uint32_t x = random.one_in(3) ? random.below(9) : 4 * random.below(3);
    const uint32_t y = random.one_in(3) ? random.below(9) : 4 * random.below(3);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        test.inputs[0].v[lane] = x + (exec::lane_x(lane) ^ mirror);
        test.inputs[1].v[lane] = y + (exec::lane_y(lane) ^ mirror);
    }
}

/// Gives all lanes the operands of lane 0.
void share_operands(MessageCase& test, unsigned operands) {
    for (unsigned k = 0; k < operands; ++k) {
        test.body = "MOV.i32 r" + std::to_string(k) + ", u" +
                    std::to_string(test.immediates.size()) + "\n" + test.body;
        test.immediates.push_back(test.inputs[k].v[0]);
    }
}

void check_fetch(uint64_t seed, const FetchCase& fetch, Format format) {
    Random random(seed);
    SampleCase sample(random, fetch.kind, format, fetch_sizes(random, fetch),
                      random_sampler(random, kSimpleWraps), fetch.samples);
    const bool offset = random.one_in(2) && fetch.coordinates + (fetch.array ? 1 : 0) < 4;
    const unsigned operands = fetch.coordinates + (fetch.array ? 1 : 0) + (offset ? 1 : 0);
    sample.test.body = std::string("TEX_FETCH.slot0.f.32.") + fetch.dimension +
                       (fetch.array ? ".array_enable" : "") + (offset ? ".texel_offset" : "") +
                       ".wait0 @r8:r9:r10:r11, " + run_of(0, operands) + ", u0\n";
    constexpr uint32_t reaches[] = {4, 20, 300};
    const uint32_t reach = pick(random, reaches);
    for (exec::Lanes& input : sample.test.inputs)
        for (uint32_t& word : input.v)
            word = random.one_in(24) ? random.next32() : random.below(reach) - 1;
    if (random.one_in(3))
        fill_block(sample.test, random);
    const auto word = [&] {
        return (random.below(4) << 24) | (random.one_in(2) ? random.next32() & 0x00070707 : 0) |
               (random.one_in(8) ? random.next32() : 0);
    };
    if (offset)
        std::ranges::generate(sample.test.inputs[operands - 1].v, word);
    if (offset && random.one_in(2)) {  // a constant, mostly of level 0
        const uint32_t known = random.one_in(4) ? word() : word() & 0x00FFFFFF;
        sample.test.body = "IADD_IMM.i32 r" + std::to_string(operands - 1) + ", 0x0, #" +
                           std::to_string(known) + "\n" + sample.test.body;
    }
    if (random.one_in(3))
        share_operands(sample.test, operands);
    check(sample);
}

}  // namespace

TEST_CASE("fetches of any format") {
    for (unsigned i = 0; i < rounds(500); ++i)
        check_fetch(0xFE7C0000 + i, kFetchCases[i % std::size(kFetchCases)],
                    static_cast<Format>(1 + i % (exec::kFormatCount - 1)));
}

TEST_CASE("fetches of buffer textures call no routine") {
    for (const Format format :
         {Format::R32G32B32A32_FLOAT, Format::R8_UINT, Format::R16G16_SNORM}) {
        Random random(0xB0FFE);
        SampleCase sample(random, TextureKind::Buffer, format, {{100, 1, 1}},
                          random_sampler(random, kSimpleWraps));
        sample.test.lanes = 0xFFFF;
        sample.test.body = "TEX_FETCH.slot0.f.32.1d.wait0 @r8:r9:r10:r11, @r0, u0\n";
        CHECK(!calls_routine(sample.test));
    }
}

TEST_CASE("fetches of samples call no routine") {
    for (const FetchCase& fetch : kFetchCases) {
        if (fetch.samples == 1)
            continue;
        Random random(0x5A3B1E);
        SampleCase sample(random, fetch.kind, Format::R8G8B8A8_UNORM, {{9, 7, fetch.slices}},
                          random_sampler(random, kSimpleWraps), fetch.samples);
        sample.test.lanes = 0xFFFF;
        sample.test.body =
            std::string("TEX_FETCH.slot0.f.32.2d") + (fetch.array ? ".array_enable" : "") +
            ".texel_offset.wait0 @r8:r9:r10:r11, " + run_of(0, fetch.array ? 4 : 3) + ", u0\n";
        CHECK(!calls_routine(sample.test));
    }
}

TEST_CASE("slices and fetches call no routine") {
    for (unsigned i = 0; i < 20; ++i) {
        Random random(0x5CA11 + i);
        exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
        const SliceCase& slices = kSliceCases[i / 2 % 2];  // 2D arrays and 3D textures
        SampleCase sample(random, slices.kind, Format::R8G8B8A8_UNORM,
                          mip_sizes(random, slices.kind, slices.slices), state);
        sample.test.lanes = 0xFFFF;
        bool lod = false;
        sample.test.body = i % 2 ? std::string("TEX_FETCH.slot0.f.32.") + slices.dimension +
                                       ".wait0 @r8:r9:r10:r11, " + run_of(0, 3) + ", u0\n"
                                 : sample_text(random, slices.dimension, 3, lod);
        CHECK_MESSAGE(!calls_routine(sample.test), sample.test.body);
    }
}

namespace {

/// Checks lanes along an edge of a face, each half a texel beyond the one before.
void check_edge(uint32_t face, unsigned edge, Format format) {
    constexpr uint32_t size = 16;
    Random random(0xED6E + 24 * face + edge);
    exec::SamplerDescriptor state;
    state.modes.seamless_cube = true;
    state.modes.min_filter = state.modes.mag_filter = exec::Filter::Linear;
    SampleCase sample(random, TextureKind::Cube, format, {{size, size, 6}}, state);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const float along = (0.75F + static_cast<float>(lane) * 0.9F) / size;
        const float beyond = lane % 3 == 0 ? 0.25F / size : 0.0F;
        const float across = edge % 2 == 0 ? beyond : 1 - beyond;
        const float s = edge < 2 ? across : along;
        sample.test.inputs[0].v[lane] = face << 29 | (as_bits(s) & 0x1FFFFFFF);
        sample.test.inputs[1].v[lane] = as_bits(edge < 2 ? along : across);
    }
    sample.test.lanes = 0xFFFF;
    sample.test.body = "TEX_SINGLE.slot0.f.32.cube.zero.wait0 @r8:r9:r10:r11, @r0:r1, u0\n";
    check(sample);
    CHECK(!calls_routine(sample.test));
}

}  // namespace

TEST_CASE("footprints across the edges of cubes call no routine") {
    for (uint32_t face = 0; face < 6; ++face)
        for (unsigned edge = 0; edge < 4; ++edge)
            for (const Format format : {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB,
                                        Format::R16G16B16A16_FLOAT, Format::B5G6R5_UNORM})
                check_edge(face, edge, format);
}

}  // namespace valkyr::test
