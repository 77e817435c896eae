// Inline tile test: expanded LD_TILE and ST_TILE agree with the routines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "exec/format.hpp"
#include "tests/jit/fragment_case.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Format;

constexpr uint32_t kThisPixel = 255U << 24;
constexpr unsigned kTileSampleCounts[] = {1, 1, 1, 2, 4, 16};
constexpr Format kTileFormats[] = {Format::R8G8B8A8_UNORM,     Format::B8G8R8A8_UNORM,
                                   Format::B8G8R8X8_UNORM,     Format::R8_UNORM,
                                   Format::R8G8_UNORM,         Format::R8G8B8A8_SNORM,
                                   Format::R8G8B8A8_SRGB,      Format::R10G10B10A2_UNORM,
                                   Format::B5G6R5_UNORM,       Format::B5G5R5A1_UNORM,
                                   Format::R11G11B10_FLOAT,    Format::R16_FLOAT,
                                   Format::R16G16B16A16_FLOAT, Format::R16G16B16A16_UNORM,
                                   Format::R32_FLOAT,          Format::R32G32_FLOAT,
                                   Format::R32G32B32A32_FLOAT, Format::R32G32B32_FLOAT,
                                   Format::R8G8B8A8_UINT,      Format::R16G16_SINT,
                                   Format::R32G32B32A32_UINT,  Format::R8_SINT,
                                   Format::R16G16B16A16_UINT};

Format any_format(Random& random) {
    return kTileFormats[random.below(std::size(kTileFormats))];
}

/// The word of pixel indices: mostly this pixel, an existing target and one of its samples.
uint32_t random_indices(Random& random, unsigned samples) {
    const uint32_t target = random.one_in(12) ? random.below(256) : random.below(2);
    const uint32_t sample = random.one_in(4)   ? 255
                            : random.one_in(8) ? random.below(256)
                                               : random.below(samples);
    // Another pixel inside or outside of the case's blocks.
    const uint32_t row = random.one_in(4) ? 64 + random.below(64) : random.below(4);
    const uint32_t pixel = random.one_in(8) ? (random.below(80) | row << 8) << 16 : kThisPixel;
    return pixel | target << 8 | sample;
}

/// Stores a varying with ST_TILE, loads a texel, and stores its bits in target 2.
FragmentCase tile_case(Random& random, Format first, Format second) {
    FragmentCase test;
    test.key.samples =
        static_cast<uint8_t>(kTileSampleCounts[random.below(std::size(kTileSampleCounts))]);
    test.key.blend[0].format = first;
    test.key.blend[1].format = second;
    test.key.blend[2].format = Format::R32G32B32A32_UINT;
    test.key.per_sample = test.key.samples > 1 && random.one_in(4);
    test.info.stage = exec::Stage::Fragment;
    test.info.varying_slot_count = 1;
    test.text = "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.clobber.wait0 @r0:r1:r2:r3, r61, "
                "index:0x0\n";
    return test;
}

const char* components_of(unsigned count) {
    constexpr const char* text[] = {"", "v2.", "v3.", "v4."};
    return text[count - 1];
}

std::string run_of(unsigned base, unsigned count) {
    std::string text = "@";
    for (unsigned k = 0; k < count; ++k)
        text += (k != 0 ? ":r" : "r") + std::to_string(base + k);
    return text;
}

std::string tile_message(Random& random, const char* name, unsigned base, const char* indices) {
    constexpr const char* conversions[] = {"0x0", "0x0", "u2", "u3"};
    constexpr const char* formats[] = {"f32", "f32", "auto", "u32", "s32"};
    const unsigned count = random.one_in(4) ? 1 + random.below(4) : 4;
    return std::string(name) + ".slot0." + components_of(count) + formats[random.below(5)] +
           ".wait0 " + run_of(base, count) + ", " + indices + ", r60, " +
           conversions[random.below(4)] + "\n";
}

}  // namespace

TEST_CASE("LD_TILE and ST_TILE leave the routine's texels, whatever their indices") {
    Random random(51);
    for (unsigned round = 0; round < rounds(600); ++round) {
        FragmentCase test = tile_case(random, any_format(random), any_format(random));
        test.known_uniforms = 3;
        test.uniforms = {
            random_indices(random, test.key.samples), random_indices(random, test.key.samples),
            static_cast<uint32_t>(any_format(random)), static_cast<uint32_t>(any_format(random))};
        if (random.one_in(4))
            test.text += "DISCARD.f32.lt.wait0126 r1, 0x0\n";
        test.text += "MOV.i32 r8, u0\nMOV.i32 r9, u1\nNOP.wait\n";
        if (random.one_in(4))
            test.text += "IADD.u32 r9, r9, lane_id.w0\n";  // makes the word differ between lanes
        test.text += tile_message(random, "ST_TILE", 0, "r8");
        test.text += "MOV.i32 r4, 0x0\nMOV.i32 r5, 0x0\nMOV.i32 r6, 0x0\nMOV.i32 r7, 0x0\n";
        test.text += tile_message(random, "LD_TILE", 4, "r9");
        test.text += "BLEND.slot0.v4.u32.end @r4:r5:r6:r7, blend_descriptor_2.w0, r60, "
                     "target:0x0\n";
        make_primitive(test, random);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report, "samples ", int(test.key.samples), ", indices ",
                        std::hex, test.uniforms[0], " ", test.uniforms[1]);
    }
}

TEST_CASE("LD_TILE and ST_TILE of the pixel itself call no routine") {
    Random random(52);
    take_routine_calls();
    for (const Format format :
         {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R10G10B10A2_UNORM,
          Format::R16G16B16A16_FLOAT, Format::R8_UNORM, Format::R8G8B8A8_UINT}) {
        FragmentCase test = tile_case(random, format, Format::R32_FLOAT);
        test.uniforms = {kThisPixel, kThisPixel | 0x100 | random.below(test.key.samples)};
        test.text += "MOV.i32 r8, u0\nMOV.i32 r9, u1\nNOP.wait\n"
                     "LD_TILE.slot0.v4.auto.wait0 @r4:r5:r6:r7, r8, r60, 0x0\n"
                     "ST_TILE.slot0.f32.wait0 @r0, r9, r60, 0x0\n"
                     "BLEND.slot0.v4.u32.end @r4:r5:r6:r7, blend_descriptor_2.w0, r60, "
                     "target:0x0\n";
        make_primitive(test, random);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
    CHECK(take_routine_calls() == 0);
}

}  // namespace valkyr::test
