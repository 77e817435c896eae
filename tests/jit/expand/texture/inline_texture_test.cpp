// Inline texture test: expanded messages, routine and interpreter give equal registers.
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_decode.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;
using exec::Wrap;

void check_shadow(uint64_t seed, Format format) {
    Random random(seed);
    const std::vector<Size> sizes = mip_sizes(random, TextureKind::Tex2D, 1);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    state.modes.compare_enable = !random.one_in(8);
    state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
    SampleCase sample(random, TextureKind::Tex2D, format, sizes, state);
    bool lod = false;
    sample.test.body = sample_text(random, "2d.shadow", 3, lod);
    fill_coordinates(sample.test, random, 2, state.modes.normalized ? 1.0F : 64.0F);
    fill_depths(sample.texture.descriptor, random, sample.test, 2);
    if (lod)
        fill_lod(sample.test, random, 3);
    check(sample);
}

/// Checks anisotropic filtering: coordinate differences along one axis are up to 64 times longer.
void check_anisotropic(uint64_t seed, Format format) {
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kAllWraps);
    state.modes.max_anisotropy = static_cast<uint8_t>(2 + random.below(15));
    state.modes.compare_enable = random.one_in(2);
    state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
    const bool shadow = exec::format_info(format).layout == exec::FormatLayout::DepthStencil;
    SampleCase sample(random, TextureKind::Tex2D, format, mip_sizes(random, TextureKind::Tex2D, 1),
                      state);
    bool lod = false;
    const unsigned operands = shadow ? 3 : 2;
    sample.test.body = sample_text(random, shadow ? "2d.shadow" : "2d", operands, lod);
    const float range = state.modes.normalized ? 1.0F : 64.0F;
    fill_coordinates(sample.test, random, 2, range);
    if (!random.one_in(4))
        stretch_coordinates(sample.test, random, range);
    if (random.one_in(8))  // uniform, or not a number
        for (unsigned axis = 0; axis < 2; ++axis)
            std::ranges::fill(sample.test.inputs[axis].v,
                              random.one_in(3) ? 0x7FC00000 : 0x3F000000);
    if (shadow)
        fill_depths(sample.texture.descriptor, random, sample.test, 2);
    if (lod)
        fill_lod(sample.test, random, operands);
    check(sample);
}

void check_random(uint64_t seed,
                  TextureKind kind,
                  const char* dimension,
                  unsigned coordinates,
                  Format format,
                  const std::vector<Wrap>& wraps) {
    Random random(seed);
    const std::vector<Size> sizes = mip_sizes(random, kind, 1);
    SampleCase sample(random, kind, format, sizes, random_sampler(random, wraps));
    bool lod = false;
    sample.test.body = sample_text(random, dimension, coordinates, lod);
    if (random.one_in(3))  // what is known of components decides how these are compared
        sample.test.body += "FMIN.f32 r8, r8, r0.neg\nFMAX.f32 r8, r8, 0x0.neg\n";
    const bool texels = kind == TextureKind::Rect || !sample.sampler.modes.normalized;
    fill_coordinates(sample.test, random, coordinates, texels ? 64.0F : 1.0F);
    if (lod)
        fill_lod(sample.test, random, coordinates);
    check(sample);
}

}  // namespace

TEST_CASE("a code of 24 bits becomes its quotient by the largest one") {
    constexpr uint32_t kLargest = 0xFFFFFF;
    uint32_t wrong = 0;
    for (uint32_t code = 0; code <= kLargest; ++code) {
        const auto c = static_cast<float>(code);
        const float value = std::fma(c, jit::kQuotient24Rest, c * jit::kQuotient24Scale);
        wrong += value != c / static_cast<float>(kLargest) ? 1 : 0;
    }
    CHECK(wrong == 0);
}

TEST_CASE("2D textures of small unorm formats") {
    for (unsigned i = 0; i < rounds(500); ++i)
        check_random(0x2D0000 + i, TextureKind::Tex2D, "2d", 2,
                     kSmallFormats[i % std::size(kSmallFormats)], kSimpleWraps);
}

TEST_CASE("1D and rectangle textures") {
    for (unsigned i = 0; i < rounds(60); ++i) {
        check_random(0x1D0000 + i, TextureKind::Tex1D, "1d", 1,
                     kSmallFormats[i % std::size(kSmallFormats)], kSimpleWraps);
        check_random(0x3D0000 + i, TextureKind::Rect, "2d", 2,
                     kSmallFormats[i % std::size(kSmallFormats)], kSimpleWraps);
    }
}

TEST_CASE("2D textures of numbers") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_random(0x4D0000 + i, TextureKind::Tex2D, "2d", 2,
                     kNumberFormats[i % std::size(kNumberFormats)], kSimpleWraps);
}

TEST_CASE("2D textures of small steps") {
    for (unsigned i = 0; i < rounds(200); ++i)
        check_random(0x57E0000 + i, TextureKind::Tex2D, "2d", 2,
                     kStepFormats[i % std::size(kStepFormats)], kAllWraps);
}

TEST_CASE("anisotropic filters") {
    for (unsigned i = 0; i < rounds(200); ++i) {
        check_anisotropic(0xA140000 + i, kStepFormats[i % std::size(kStepFormats)]);
        check_anisotropic(0xA150000 + i, kSmallFormats[i % std::size(kSmallFormats)]);
        check_anisotropic(0xA160000 + i, kNumberFormats[i % std::size(kNumberFormats)]);
    }
}

TEST_CASE("shadow compares") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_shadow(0x5AD0000 + i, kDepthFormats[i % std::size(kDepthFormats)]);
}

TEST_CASE("any format, any wrap mode") {
    for (unsigned i = 0; i < rounds(200); ++i)
        check_random(0x5D0000 + i, TextureKind::Tex2D, "2d", 2,
                     static_cast<Format>(1 + i % (exec::kFormatCount - 1)), kAllWraps);
}

TEST_CASE("common textures call no routine") {
    for (unsigned i = 0; i < 48; ++i) {
        Random random(0xCA11 + i);
        exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
        state.modes.mip_filter = static_cast<exec::MipFilter>(i % 3);
        state.modes.compare_enable = i % 4 == 0;
        state.modes.max_anisotropy = i % 5 == 0 ? 4 : 1;
        const Format format = state.modes.compare_enable
                                  ? kDepthFormats[i / 4 % std::size(kDepthFormats)]
                              : i % 4 == 1 ? kNumberFormats[i / 4 % std::size(kNumberFormats)]
                              : i % 4 == 2 ? kStepFormats[i / 4 % std::size(kStepFormats)]
                                           : kSmallFormats[i % std::size(kSmallFormats)];
        SampleCase sample(random, TextureKind::Tex2D, format,
                          mip_sizes(random, TextureKind::Tex2D, 1), state);
        bool lod = false;
        sample.test.body = state.modes.compare_enable ? sample_text(random, "2d.shadow", 3, lod)
                                                      : sample_text(random, "2d", 2, lod);
        fill_coordinates(sample.test, random, 2, 1);
        sample.test.lanes = 0xFFFF;
        CHECK_MESSAGE(!calls_routine(sample.test), sample.test.body,
                      exec::format_info(format).name);
    }
}

}  // namespace valkyr::test
