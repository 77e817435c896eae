// Inline blend test: expanded BLEND writes the texels of the routine.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "exec/format.hpp"
#include "exec/srgb.hpp"
#include "tests/jit/fragment_case.hpp"
#include "tests/jit/harness.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::BlendFactor;
using exec::BlendFunc;
using exec::Format;

constexpr unsigned kBlendSampleCounts[] = {1, 1, 1, 1, 2, 4, 16};
constexpr Format kByteFormats[] = {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM,
                                   Format::R8G8B8X8_UNORM, Format::B8G8R8X8_UNORM};

exec::BlendKey random_blend(Random& random, Format format) {
    const auto factor = [&] { return static_cast<BlendFactor>(random.below(19)); };
    const auto func = [&] { return static_cast<BlendFunc>(random.below(5)); };
    exec::BlendKey key;
    key.format = format;
    key.write_mask = random.one_in(2) ? 0xF : static_cast<uint8_t>(random.below(16));
    switch (random.below(4)) {
    case 0: break;
    case 1:
        key.logic_op_enable = true;
        key.logic_op = static_cast<exec::LogicOp>(random.below(16));
        break;
    default:
        key.enable = true;
        key.rgb_func = func();
        key.rgb_src = factor();
        key.rgb_dst = factor();
        key.alpha_func = random.one_in(2) ? func() : key.rgb_func;
        key.alpha_src = random.one_in(2) ? factor() : key.rgb_src;
        key.alpha_dst = random.one_in(2) ? factor() : key.rgb_dst;
    }
    return key;
}

/// A case with two targets. r0..r3 and r4..r7 are varyings; unusual numbers replace some of them.
FragmentCase blend_case(Random& random, Format first, Format second) {
    FragmentCase test;
    test.key.samples =
        static_cast<uint8_t>(kBlendSampleCounts[random.below(std::size(kBlendSampleCounts))]);
    test.key.blend[0] = random_blend(random, first);
    test.key.blend[2] = random_blend(random, second);
    test.key.per_sample = test.key.samples > 1 && random.one_in(4);
    test.key.alpha_to_one = random.one_in(5);
    test.info.stage = exec::Stage::Fragment;
    test.info.varying_slot_count = 2;
    for (float& value : test.blend_constant)
        value = static_cast<float>(random.below(1400)) / 1000 - 0.2F;
    test.text = "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.clobber.wait0 @r0:r1:r2:r3, r61, "
                "index:0x0\n"
                "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.clobber.wait0 @r4:r5:r6:r7, r61, "
                "index:0x10\n";
    if (random.one_in(3)) {
        constexpr uint32_t odd[] = {0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000,
                                    0x80000000, 0x4F800000, 0xBF800000, 0x00000001};
        test.uniforms[0] = odd[random.below(std::size(odd))];
        test.text += "MOV.i32 r" + std::to_string(random.below(8)) + ", u0\n";
    }
    if (random.one_in(4)) {  // one colour in all pixels
        for (unsigned k = 0; k < 4; ++k) {
            if (k != 0 || !random.one_in(3))
                test.uniforms[k] = as_bits(static_cast<float>(random.below(1400)) / 1000 - 0.2F);
            test.text += "MOV.i32 r" + std::to_string(k) + ", u" + std::to_string(k) + "\n";
        }
    }
    if (random.one_in(4))
        test.text += "DISCARD.f32.lt.wait0126 r1, 0x0\n";
    test.text += "ATEST.wait0126 @r60, r60, r3, atest_datum.w0\n"
                 "BLEND.slot0.v4.f32.wait0 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n"
                 "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_2.w0, r60, target:0x0\n";
    make_primitive(test, random);
    return test;
}

}  // namespace

TEST_CASE("BLEND to 8-bit targets leaves the routine's texels and calls none") {
    Random random(31);
    take_routine_calls();
    for (unsigned round = 0; round < rounds(500); ++round) {
        const FragmentCase test =
            blend_case(random, kByteFormats[random.below(4)],
                       random.one_in(4) ? Format::None : kByteFormats[random.below(4)]);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
    CHECK(take_routine_calls() == 0);
}

TEST_CASE("BLEND to other normalised and float targets leaves the routine's texels") {
    constexpr Format formats[] = {
        Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT, Format::R10G10B10A2_UNORM,
        Format::R11G11B10_FLOAT,    Format::R8_UNORM,           Format::R8G8_UNORM,
        Format::R8G8B8A8_SNORM,     Format::R16_UNORM,          Format::R16G16B16A16_UNORM,
        Format::R16G16B16A16_SNORM, Format::B5G6R5_UNORM,       Format::B5G5R5A1_UNORM,
        Format::R32_FLOAT,          Format::R32G32_FLOAT,       Format::R16_FLOAT,
        Format::R16G16_FLOAT,       Format::R32G32B32_FLOAT,    Format::R8G8B8A8_SRGB};
    Random random(33);
    take_packed_runs();
    for (unsigned round = 0; round < rounds(500); ++round) {
        const FragmentCase test = blend_case(random, formats[random.below(std::size(formats))],
                                             formats[random.below(std::size(formats))]);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
    CHECK(take_packed_runs() > 0);
}

TEST_CASE("BLEND to sRGB targets leaves the routine's texels") {
    constexpr Format formats[] = {Format::R8G8B8A8_SRGB, Format::B8G8R8A8_SRGB,
                                  Format::B8G8R8X8_SRGB};
    Random random(36);
    for (unsigned round = 0; round < rounds(100); ++round) {
        const FragmentCase test =
            blend_case(random, formats[random.below(3)], formats[random.below(3)]);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("numbers at the thresholds of the sRGB curve have the routine's codes") {
    std::vector<uint32_t> words;
    for (const uint32_t threshold : exec::kSrgbThreshold)
        for (const uint32_t word : {threshold - 1, threshold, threshold + 1})
            words.push_back(word);
    constexpr size_t kCodes = 3;  // of a colour
    Random random(37);
    for (size_t first = 0; first < words.size(); first += 2 * kCodes) {
        FragmentCase test;
        test.key.samples = 1;
        test.key.blend[0].format = test.key.blend[2].format = Format::R8G8B8A8_SRGB;
        test.info.stage = exec::Stage::Fragment;
        for (size_t k = 0; k < 2 * kCodes; ++k) {
            const size_t to = k + k / kCodes;  // r3 and r7 are alphas
            test.uniforms[k] = words[std::min(first + k, words.size() - 1)];
            test.text += "MOV.i32 r" + std::to_string(to) + ", u" + std::to_string(k) + "\n";
        }
        test.text +=
            "MOV.i32 r3, 0x0\n"
            "MOV.i32 r7, 0x0\n"
            "ATEST.wait0126 @r60, r60, 0x0, atest_datum.w0\n"
            "BLEND.slot0.v4.f32.wait0 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n"
            "BLEND.slot0.v4.f32.end @r4:r5:r6:r7, blend_descriptor_2.w0, r60, target:0x0\n";
        make_primitive(test, random);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("BLEND to integer targets clamps and combines as the routine does") {
    constexpr Format formats[] = {
        Format::R8G8B8A8_UINT, Format::R8G8B8A8_SINT,     Format::R16G16_UINT,
        Format::R16G16_SINT,   Format::R32_UINT,          Format::R32_SINT,
        Format::R8_SINT,       Format::R32G32B32A32_SINT, Format::R16G16B16A16_UINT,
        Format::R8_UINT,       Format::R32G32B32A32_UINT, Format::R10G10B10A2_UINT};
    constexpr const char* registers[] = {"f32", "u32", "s32", "auto"};
    Random random(35);
    take_routine_calls();
    for (unsigned round = 0; round < rounds(200); ++round) {
        FragmentCase test = blend_case(random, formats[random.below(std::size(formats))],
                                       formats[random.below(std::size(formats))]);
        for (size_t at = 0; (at = test.text.find("v4.f32.", at)) != std::string::npos; ++at)
            test.text.replace(at + 3, 3, registers[random.below(4)]);
        const size_t discard = test.text.find("ATEST");
        for (unsigned k = 0; k < 3; ++k) {  // small integers and large ones
            test.uniforms[4 + k] = random.one_in(2) ? random.below(400) - 200 : random.next32();
            test.text.insert(discard, "MOV.i32 r" + std::to_string(k + random.below(2)) + ", u" +
                                          std::to_string(4 + k) + "\n");
        }
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
    CHECK(take_routine_calls() == 0);
}

TEST_CASE("the sample mask is there where nothing else asks for coverage") {
    Random random(35);
    for (unsigned round = 0; round < rounds(50); ++round) {
        FragmentCase test;
        test.key.samples = static_cast<uint8_t>(random.one_in(2) ? 1 : 4);
        test.key.per_sample = test.key.samples > 1 && random.one_in(2);
        test.key.blend[0].format = Format::R8G8B8A8_UINT;
        test.info.stage = exec::Stage::Fragment;
        test.text = "MOV.i32 r0, r61\n"
                    "MOV.i32 r1, r61\n"
                    "MOV.i32 r2, r61\n"
                    "MOV.i32 r3, r61\n"
                    "ATEST.wait0126 @r60, r60, 0x0, atest_datum.w0\n"
                    "BLEND.slot0.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, "
                    "target:0x0\n";
        make_primitive(test, random);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("BLEND to common float, packed, sRGB and short targets calls no routine") {
    Random random(34);
    take_routine_calls();
    for (const Format format :
         {Format::R16G16B16A16_FLOAT, Format::R10G10B10A2_UNORM, Format::R11G11B10_FLOAT,
          Format::R8_UNORM, Format::R8G8_UNORM, Format::R8G8B8A8_SRGB}) {
        const std::string report = disagreement(blend_case(random, format, Format::R16_FLOAT));
        REQUIRE_MESSAGE(report.empty(), report);
    }
    CHECK(take_routine_calls() == 0);
}

}  // namespace valkyr::test
