// Shared axes test: messages with equal coordinates agree on all engines, and share what they can.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/shared_axes.hpp"
#include "jit/guest/flow_analysis.hpp"
#include "jit/kernel/choose_expansions.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Filter;
using exec::Format;
using exec::TextureKind;

constexpr Format kTapFormats[] = {Format::R8G8B8A8_UNORM,  Format::R8_UNORM,
                                  Format::R8G8B8A8_SNORM,  Format::R8G8B8A8_SRGB,
                                  Format::R32G32B32_FLOAT, Format::R16G16B16A16_FLOAT,
                                  Format::R32_FLOAT,       Format::D24_UNORM_S8_UINT};

std::string reg(unsigned number) {
    return "r" + std::to_string(number);
}

/// TEX_SINGLE or TEX_GATHER.
struct Message {
    std::string begin;
    std::string mode;
};

/// Adds four registers of results to r8 to r11, as integers.
std::string add_results() {
    std::string text;
    for (unsigned k = 0; k < 4; ++k)
        text += "IADD.u32 " + reg(8 + k) + ", " + reg(8 + k) + ", " + reg(20 + k) + "\n";
    return text;
}

/// A message whose coordinates are two of the inputs, some with a texel offset behind them.
std::string tap(Random& random, const Message& op) {
    // A pair that keeps its registers, or one that is made of copies.
    const unsigned base = random.one_in(3) ? 0 : 2 * random.below(2) + 4;
    std::string text;
    for (unsigned axis = 0; base != 0 && axis < 2; ++axis)
        if (!random.one_in(3))
            text += "MOV.i32 " + reg(base + axis) + ", " + reg(axis + 2 * random.below(2)) + "\n";
    if (base != 4 || random.one_in(2))
        return text + op.begin + op.mode + ".wait0 @r20:r21:r22:r23, " + run_of(base, 2) +
               ", u0\n" + add_results();
    // In r6: an input, whose low bytes are the offsets, or constants.
    const unsigned x = random.below(3);
    const unsigned y = random.below(3);
    text += random.one_in(4) ? "MOV.i32 r6, " + reg(random.below(4)) + "\n"
                             : "IADD_IMM.i32 r6, 0x0, #0x" +
                                   std::to_string(10000 * random.below(2) + 100 * y + x) + "\n";
    return text + op.begin + ".texel_offset" + op.mode +
           ".wait0 @r20:r21:r22:r23, @r4:r5:r6, u0\n" + add_results();
}

/// Several messages, between which inputs change and branches begin blocks.
std::string random_taps(Random& random, const Message& op) {
    std::string text;
    for (unsigned r = 4; r < 8; ++r)
        text += "MOV.i32 " + reg(r) + ", " + reg(r - 4) + "\n";
    for (unsigned r = 8; r < 12; ++r)
        text += "MOV.i32 " + reg(r) + ", 0x0\n";
    const unsigned count = 2 + random.below(8);
    for (unsigned k = 0; k < count; ++k) {
        if (random.one_in(5))
            text += "FADD.f32 " + reg(random.below(8)) + ", r0, r1\n";
        if (random.one_in(8))
            text += "ICMP.u32.lt.m1 r24, r0, r1, 0x0\nBRANCHZ.eq.reconverge r24.h0, offset:l" +
                    std::to_string(k) + "\n" + tap(random, op) + "l" + std::to_string(k) +
                    ": NOP.reconverge\n";
        text += tap(random, op);
    }
    return text;
}

exec::SamplerDescriptor shared_sampler(Random& random) {
    exec::SamplerDescriptor state =
        random_sampler(random, random.one_in(4) ? kAllWraps : kSimpleWraps);
    if (!random.one_in(6)) {
        state.modes.mip_filter = exec::MipFilter::None;
        state.modes.max_anisotropy = 1;
        state.modes.min_filter = state.modes.mag_filter =
            random.one_in(2) ? Filter::Linear : Filter::Nearest;
    }
    return state;
}

void check_taps(uint64_t seed, Format format) {
    Random random(seed);
    const TextureKind kind = random.one_in(6) ? TextureKind::Rect : TextureKind::Tex2D;
    SampleCase sample(random, kind, format, mip_sizes(random, kind, 1), shared_sampler(random));
    const bool gathers = random.one_in(4);
    const Message single{"TEX_SINGLE.slot0.f.32.2d", ".zero"};
    const Message gather{"TEX_GATHER.slot0.f.32.2d", ".gather4_r"};
    sample.test.body = random_taps(random, gathers ? gather : single);
    fill_coordinates(sample.test, random, 4, kind == TextureKind::Rect ? 16.0F : 1.0F);
    if (random.one_in(2))
        sample.test.lanes = static_cast<uint16_t>(random.below(0x10000));
    check(sample);
}

/// The same with fetches, some of them outside.
void check_fetches(uint64_t seed, Format format) {
    Random random(seed);
    const bool multisampled = random.one_in(3);
    const TextureKind kind = multisampled       ? TextureKind::Tex2DMs
                             : random.one_in(5) ? TextureKind::Rect
                                                : TextureKind::Tex2D;
    SampleCase sample(random, kind, format, mip_sizes(random, kind, 1), shared_sampler(random),
                      multisampled ? 4 : 1);
    sample.test.body = random_taps(random, {"TEX_FETCH.slot0.f.32.2d", ""});
    const uint32_t reach = random.one_in(2) ? 6 : 40;
    for (exec::Lanes& input : sample.test.inputs)
        for (uint32_t& word : input.v)
            word = random.one_in(24) ? random.next32() : random.below(reach) - 1;
    if (random.one_in(2))
        sample.test.lanes = static_cast<uint16_t>(random.below(0x10000));
    check(sample);
}

/// For each message of a body, places that it makes ("m"), loads ("l") or has alone ("-"): of x, y
/// and the level.
std::string shares(const SampleCase& sample, const std::string& body) {
    valhall::Program program;
    program.words = words_of(body + "NOP.end\n");
    program.info.stage = exec::Stage::Fragment;
    program.fau.resize(4, {valhall::FauKind::Immediate, 0, sample.test.immediates[0]});
    jit::KernelKey key;
    key.fragment = &sample.test.fragment;
    auto guest = jit::read_program(program, key);
    REQUIRE(guest);
    jit::find_divergence(*guest);
    const jit::KernelSource source{*guest, key};
    jit::choose_expansions(*guest, source);
    jit::share_axes(*guest, source);
    std::string text;
    for (const jit::Step& step : guest->steps) {
        if (step.message.expansion != jit::Expansion::Texture)
            continue;
        text += text.empty() ? "" : " ";
        for (const jit::SharedValue& value :
             {step.message.axes[0], step.message.axes[1], step.message.level})
            text += value.is_made() ? 'm' : value.is_loaded() ? 'l' : '-';
    }
    return text;
}

}  // namespace

TEST_CASE("messages with coordinates in common") {
    for (unsigned i = 0; i < rounds(400); ++i)
        check_taps(0x5A7E0000 + i, kTapFormats[i % std::size(kTapFormats)]);
}

TEST_CASE("fetches with coordinates in common") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_fetches(0x5A7F0000 + i, kTapFormats[i % std::size(kTapFormats)]);
}

TEST_CASE("messages share what follows from equal coordinates") {
    Random random(1);
    exec::SamplerDescriptor state;
    state.modes.mip_filter = exec::MipFilter::None;
    state.modes.min_filter = state.modes.mag_filter = Filter::Nearest;
    state.modes.wrap_s = state.modes.wrap_t = exec::Wrap::ClampToEdge;
    const std::vector<Size> sizes = {{8, 8, 1}};
    SampleCase sample(random, TextureKind::Tex2D, Format::R8G8B8A8_UNORM, sizes, state);
    const auto tex = [](const char* operands) {
        return std::string("TEX_SINGLE.slot0.f.32.2d.zero.wait0 @r20:r21:r22:r23, ") + operands +
               ", u0\n";
    };
    CHECK(shares(sample, tex("@r0:r1") + tex("@r0:r1")) == "mmm lll");
    CHECK(shares(sample, tex("@r0:r1") + tex("@r2:r3")) == "--m --l");
    CHECK(shares(sample, tex("@r0:r1") + "MOV.i32 r5, r1\n" + tex("@r4:r5")) == "-mm -ll");
    CHECK(shares(sample, tex("@r0:r1") + "FADD.f32 r0, r0, r0\n" + tex("@r0:r1")) == "-mm -ll");
    CHECK(shares(sample, tex("@r0:r1")) == "---");
    const auto offset = [](const char* word) {
        return std::string("IADD_IMM.i32 r6, 0x0, #") + word +
               "\nTEX_SINGLE.slot0.f.32.2d.texel_offset.zero.wait0 @r20:r21:r22:r23, @r4:r5:r6, "
               "u0\n";
    };
    CHECK(shares(sample, offset("0x201") + offset("0x202")) == "-mm -ll");
    CHECK(shares(sample, offset("0x0") + tex("@r4:r5")) == "--m --l");
    CHECK(shares(sample, tex("@r0:r1") + "BRANCHZ.eq r2.h0, offset:next\nNOP\nnext: " +
                             tex("@r0:r1")) == "--- ---");

    // Fetches share coordinates with each other, and the level also with messages that have a
    // sampler.
    const auto fetch = [](const char* x, const char* y) {
        return std::string("IADD_IMM.i32 r4, 0x0, #") + x + "\nIADD_IMM.i32 r5, 0x0, #" + y +
               "\nTEX_FETCH.slot0.f.32.rgba.2d.wait0 @r20:r21:r22:r23, @r4:r5, u0\n";
    };
    CHECK(shares(sample, fetch("0x3", "0x2") + fetch("0x7", "0x1")) == "--m --l");
    CHECK(shares(sample, tex("@r0:r1") + fetch("0x3", "0x2")) == "--m --l");
    const std::string same_column =
        "IADD_IMM.i32 r5, 0x0, #0x1\nTEX_FETCH.slot0.f.32.rgba.2d.wait0 "
        "@r20:r21:r22:r23, @r4:r5, u0\n";
    CHECK(shares(sample, fetch("0x3", "0x2") + same_column) == "m-m l-l");
    CHECK(shares(sample, tex("@r4:r5") + fetch("0x3", "0x2") + same_column) == "--m m-l l-l");
    const auto fetch_by = [](const char* word) {
        return std::string("IADD_IMM.i32 r6, 0x0, #") + word +
               "\nTEX_FETCH.slot0.f.32.rgba.2d.texel_offset.wait0 @r20:r21:r22:r23, @r4:r5:r6, "
               "u0\n";
    };
    CHECK(shares(sample, fetch_by("0x201") + fetch_by("0x302")) == "--m --l");
    CHECK(shares(sample, fetch_by("0x201") + fetch_by("0x202")) == "-mm -ll");
    CHECK(shares(sample, fetch_by("0x100") + same_column) == "m-m l-l");
    CHECK(shares(sample, fetch_by("0x1000000") + fetch_by("0x1000000")) == "--- ---");
    SampleCase pixels(random, TextureKind::Tex2DMs, Format::R8G8B8A8_UNORM, sizes, state, 4);
    CHECK(shares(pixels, fetch_by("0x0") + fetch_by("0x30000")) == "mmm lll");
    for (unsigned r = 8; r < 12; ++r)
        sample.test.body += "MOV.i32 " + reg(r) + ", 0x0\n";
    sample.test.body += fetch("0x3", "0x2") + add_results() + tex("@r0:r1") + add_results() +
                        fetch("0x8", "0x1") + add_results() + fetch("0x7", "0x5") + add_results();
    fill_coordinates(sample.test, random, 4, 1.0F);
    check(sample);

    state.modes.wrap_s = exec::Wrap::ClampToBorder;  // whether texels are outside is kept elsewhere
    SampleCase border(random, TextureKind::Tex2D, Format::R8G8B8A8_UNORM, sizes, state);
    CHECK(shares(border, tex("@r0:r1") + tex("@r0:r1")) == "--- ---");

    state.modes.wrap_s = exec::Wrap::Repeat;
    state.modes.mip_filter = exec::MipFilter::Nearest;  // the level follows from both coordinates
    SampleCase levels(random, TextureKind::Tex2D, Format::R8G8B8A8_UNORM, {{8, 8, 1}, {4, 4, 1}},
                      state);
    levels.texture.descriptor.first_level = 0;
    levels.texture.descriptor.level_count = 2;
    levels.set_keys();
    CHECK(shares(levels, tex("@r0:r1") + tex("@r0:r1")) == "--- ---");
}

TEST_CASE("more coordinates than the frame has places") {
    Random random(2);
    exec::SamplerDescriptor state;
    state.modes.mip_filter = exec::MipFilter::None;
    state.modes.min_filter = state.modes.mag_filter = Filter::Linear;
    SampleCase sample(random, TextureKind::Tex2D, Format::R8G8B8A8_UNORM, {{16, 16, 1}}, state);
    sample.test.body = "MOV.i32 r4, r0\nMOV.i32 r5, r1\n";
    for (unsigned r = 8; r < 12; ++r)
        sample.test.body += "MOV.i32 " + reg(r) + ", 0x0\n";
    for (unsigned k = 0; k < 24; ++k)
        for (unsigned twice = 0; twice < 2; ++twice)
            sample.test.body +=
                (twice == 0 ? "FADD.f32 r4, r4, r2\nFADD.f32 r5, r5, r3\n" : std::string()) +
                "TEX_SINGLE.slot0.f.32.2d.zero.wait0 @r20:r21:r22:r23, @r4:r5, u0\n" +
                add_results();
    fill_coordinates(sample.test, random, 4, 1.0F);
    check(sample);
}

}  // namespace valkyr::test
