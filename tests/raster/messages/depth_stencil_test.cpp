// Depth stencil test: checks ATEST and ZS_EMIT by truth tables, codes, samples and counts.
// SPDX-License-Identifier: MIT
#include "raster/formats/depth_codes.hpp"
#include "tests/raster/messages/fixture.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::CompareFunc;
using exec::Format;
using exec::StencilOp;

namespace {

constexpr uint64_t kAlways = 7ULL << 16;
constexpr uint64_t kLateZs = 2;

/// Whether a comparison holds if the first value is below, equal to or above the second.
constexpr std::array<std::array<bool, 3>, 8> kTruth{{
    {false, false, false},  // Never
    {true, false, false},   // Less
    {false, true, false},   // Equal
    {true, true, false},    // LessEqual
    {false, false, true},   // Greater
    {true, false, true},    // NotEqual
    {false, true, true},    // GreaterEqual
    {true, true, true},     // Always
}};

uint32_t atest(FragmentFixture& f, uint64_t datum, float alpha = 1, uint32_t coverage = 1) {
    Lanes out{};
    f.draw.environment->atest(f.warp, splat(coverage), splat(alpha), datum, &out);
    return out.v[0];
}

uint64_t alpha_datum(CompareFunc func, float reference) {
    return static_cast<uint64_t>(func) << 16 | uint64_t{as_bits(reference)} << 32;
}

}  // namespace

TEST_CASE("depth: all functions against codes below, at and above the stored one") {
    for (const Format format : {Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::D32_FLOAT})
        for (unsigned func = 0; func < 8; ++func)
            for (unsigned order = 0; order < 3; ++order) {
                FragmentFixture f;
                f.key.zs.format = format;
                f.key.zs.depth_test = true;
                f.key.zs.depth_write = true;
                f.key.zs.depth_func = static_cast<CompareFunc>(func);
                f.primitive.z.a = 0.25F + 0.25F * static_cast<float>(order);
                const uint32_t stored = raster::encode_depth(format, 0.5F);
                f.depth.assign(f.depth.size(), stored);
                const bool expected = kTruth[func][order];
                CHECK(atest(f, kAlways | kLateZs) == (expected ? 1 : 0));
                CHECK(f.depth[f.element(0)] ==
                      (expected ? raster::encode_depth(format, f.primitive.z.a) : stored));
                // The early test gives an equal result.
                f.depth.assign(f.depth.size(), stored);
                Lanes coverage = splat(1U);
                f.draw.environment->early_zs(f.warp, coverage);
                CHECK(coverage.v[0] == (expected ? 1 : 0));
            }
}

TEST_CASE("depth codes: nearest unorm code, float bits, clamped range, NaN at the near end") {
    CHECK(raster::encode_depth(Format::D16_UNORM, 1.0F) == 0xFFFF);
    CHECK(raster::encode_depth(Format::D16_UNORM, 0.5F) == 0x8000);
    CHECK(raster::encode_depth(Format::D24_UNORM_S8_UINT, 1.0F) == 0xFFFFFF);
    CHECK(raster::encode_depth(Format::S8_UINT_D24_UNORM, 0.5F) == 0x800000);
    CHECK(raster::encode_depth(Format::D32_FLOAT, 0.75F) == 0x3F400000);
    CHECK(raster::encode_depth(Format::D32_FLOAT, -0.0F) == 0);
    CHECK(raster::encode_depth(Format::S8_UINT, 1.0F) == 0);
    CHECK(raster::decode_depth(Format::D24_UNORM_S8_UINT, 0xFFFFFF) == 1.0F);
    CHECK(raster::clamp_depth(-1, 0.25F, 1) == 0.25F);
    CHECK(raster::clamp_depth(2, 0, 1) == 1.0F);
    CHECK(raster::clamp_depth(std::nanf(""), 0.25F, 1) == 0.25F);
    CHECK(raster::clamp_depth(-3, -5, 1) == 0.0F);
    unsigned wrong = 0;
    for (uint32_t code = 0; code < 1U << 24; code += 37)
        wrong +=
            raster::encode_depth(Format::D24_UNORM_S8_UINT,
                                 raster::decode_depth(Format::D24_UNORM_S8_UINT, code)) != code;
    CHECK(wrong == 0);
}

TEST_CASE("depth and stencil texels come apart and together again") {
    const raster::DepthStencil value{0x123456, 0x78};
    for (const Format format :
         {Format::D24_UNORM_S8_UINT, Format::S8_UINT_D24_UNORM, Format::D32_FLOAT_S8X24_UINT}) {
        std::array<uint8_t, 8> texel{};
        raster::store_depth_stencil(format, value, texel.data());
        CHECK(raster::load_depth_stencil(format, texel.data()) == value);
    }
    std::array<uint8_t, 8> texel{};
    raster::store_depth_stencil(Format::D24_UNORM_S8_UINT, value, texel.data());
    CHECK(texel == std::array<uint8_t, 8>{0x56, 0x34, 0x12, 0x78, 0, 0, 0, 0});
}

TEST_CASE("depth is tested as codes: differences below a code's step are equal") {
    FragmentFixture f;
    f.key.zs.format = Format::D16_UNORM;
    f.key.zs.depth_test = true;
    f.key.zs.depth_func = CompareFunc::Equal;
    f.depth.assign(f.depth.size(), 0x8000);
    f.primitive.z.a = 0.5F + 0x1p-20F;
    CHECK(atest(f, kAlways | kLateZs) == 1);
}

TEST_CASE("depth: no write without the write bit or without the test; no buffer passes all") {
    FragmentFixture f;
    f.key.zs.format = Format::D32_FLOAT;
    f.key.zs.depth_write = true;
    f.primitive.z.a = 0.5F;
    CHECK(atest(f, kAlways | kLateZs) == 1);
    CHECK(f.depth[0] == 0);
    f.key.zs.depth_test = true;
    f.key.zs.depth_write = false;
    f.key.zs.depth_func = CompareFunc::Greater;
    CHECK(atest(f, kAlways | kLateZs) == 1);
    CHECK(f.depth[0] == 0);
    f.key.zs.depth_func = CompareFunc::Never;
    f.key.zs.format = Format::None;
    CHECK(atest(f, kAlways | kLateZs) == 1);
    f.key.zs.format = Format::D32_FLOAT;
    f.call.depth = nullptr;
    CHECK(atest(f, kAlways | kLateZs) == 1);
}

TEST_CASE("stencil: all functions compare the reference with the stored value under the mask") {
    for (unsigned func = 0; func < 8; ++func)
        for (unsigned order = 0; order < 3; ++order) {
            FragmentFixture f;
            f.key.zs.format = Format::S8_UINT;
            f.key.zs.stencil[0].enable = true;
            f.key.zs.stencil[0].func = static_cast<CompareFunc>(func);
            f.key.zs.stencil[0].read_mask = 0x0F;
            f.draw.stencil_reference[0] = static_cast<uint8_t>(0xA4 + order);
            f.stencil.assign(f.stencil.size(), 0x75);
            CHECK(atest(f, kAlways | kLateZs) == (kTruth[func][order] ? 1 : 0));
        }
}

TEST_CASE("stencil: all operations, in all three outcomes, under the write mask") {
    const auto expected = [](StencilOp op, int stored, int reference) {
        switch (op) {
        case StencilOp::Keep: return stored;
        case StencilOp::Zero: return 0;
        case StencilOp::Replace: return reference;
        case StencilOp::IncrementClamp: return stored == 255 ? 255 : stored + 1;
        case StencilOp::DecrementClamp: return stored == 0 ? 0 : stored - 1;
        case StencilOp::IncrementWrap: return (stored + 1) % 256;
        case StencilOp::DecrementWrap: return (stored + 255) % 256;
        case StencilOp::Invert: return 255 - stored;
        }
        return -1;
    };
    for (unsigned op = 0; op < 8; ++op)
        for (unsigned outcome = 0; outcome < 3; ++outcome)
            for (const int stored : {0, 1, 0x7F, 0xFE, 0xFF})
                for (const int mask : {0xFF, 0xF0, 0x00}) {
                    FragmentFixture f;
                    f.key.zs.format = Format::D24_UNORM_S8_UINT;
                    f.key.zs.stencil[0].enable = true;
                    f.key.zs.depth_test = true;
                    f.key.zs.depth_func = outcome == 1 ? CompareFunc::Never : CompareFunc::Always;
                    exec::StencilFace& face = f.key.zs.stencil[1];
                    f.primitive.flags = 1;  // back face
                    face.func = outcome == 0 ? CompareFunc::Never : CompareFunc::Always;
                    face.write_mask = static_cast<uint8_t>(mask);
                    (outcome == 0   ? face.fail
                     : outcome == 1 ? face.depth_fail
                                    : face.pass) = static_cast<StencilOp>(op);
                    f.draw.stencil_reference[0] = 0x11;
                    f.draw.stencil_reference[1] = 0x5A;
                    f.stencil.assign(f.stencil.size(), static_cast<uint8_t>(stored));
                    CHECK(atest(f, kAlways | kLateZs) == (outcome == 2 ? 1 : 0));
                    const int result = expected(static_cast<StencilOp>(op), stored, 0x5A);
                    REQUIRE(f.stencil[0] == ((stored & ~mask) | (result & mask)));
                }
}

TEST_CASE("stencil: a failed test keeps depth; formats without stencil pass") {
    FragmentFixture f;
    f.key.zs.format = Format::D24_UNORM_S8_UINT;
    f.key.zs.stencil[0].enable = f.key.zs.depth_test = f.key.zs.depth_write = true;
    f.key.zs.depth_func = CompareFunc::Always;
    f.key.zs.stencil[0].func = CompareFunc::Never;
    f.primitive.z.a = 1;
    CHECK(atest(f, kAlways | kLateZs) == 0);
    CHECK(f.depth[0] == 0);
    f.key.zs.format = Format::D16_UNORM;
    CHECK(atest(f, kAlways | kLateZs) == 1);
    CHECK(f.depth[0] == 0xFFFF);
}

TEST_CASE("every sample has its own depth, tested and written in its own plane") {
    FragmentFixture f(4, 1, 0);
    f.key.zs.format = Format::D32_FLOAT;
    f.key.zs.depth_test = f.key.zs.depth_write = true;
    f.key.zs.depth_func = CompareFunc::Less;
    f.primitive.z.cx = 1.0F / 16;  // z is x / 16, in 1/256 at sample positions
    f.primitive.anchor_x = 4;
    f.depth.assign(f.depth.size(), as_bits(8.0F / 256));
    // Sample positions x: 6, 14, 2, 10 sixteenths; lane 0 is pixel 4.
    CHECK(atest(f, kAlways | kLateZs, 1, 0b1111) == 0b0101);
    CHECK(f.depth[f.element(0, 0)] == as_bits(6.0F / 256));
    CHECK(f.depth[f.element(0, 1)] == as_bits(8.0F / 256));
    CHECK(f.depth[f.element(0, 2)] == as_bits(2.0F / 256));
    CHECK(f.depth[f.element(0, 3)] == as_bits(8.0F / 256));
    // Samples that are not covered are neither tested nor written.
    f.depth.assign(f.depth.size(), as_bits(8.0F / 256));
    CHECK(atest(f, kAlways | kLateZs, 1, 0b0001) == 0b0001);
    CHECK(f.depth[f.element(0, 2)] == as_bits(8.0F / 256));
}

TEST_CASE("alpha test: all functions; NaN fails all but NotEqual and Always") {
    FragmentFixture f;
    for (unsigned func = 0; func < 8; ++func) {
        for (unsigned order = 0; order < 3; ++order)
            CHECK(atest(f, alpha_datum(static_cast<CompareFunc>(func), 0.5F),
                        0.25F + 0.25F * static_cast<float>(order)) ==
                  (kTruth[func][order] ? 1 : 0));
        const bool passes = static_cast<CompareFunc>(func) == CompareFunc::NotEqual ||
                            static_cast<CompareFunc>(func) == CompareFunc::Always;
        CHECK(atest(f, alpha_datum(static_cast<CompareFunc>(func), 0.5F), std::nanf("")) ==
              (passes ? 1 : 0));
    }
}

TEST_CASE("alpha to coverage keeps the first round(alpha * samples) samples") {
    FragmentFixture f(4);
    const uint64_t datum = kAlways | 1 | 4 << 8;
    const auto covered = [&](float alpha) { return atest(f, datum, alpha, 0b1111); };
    CHECK(covered(0) == 0);
    CHECK(covered(0.125F) == 0);  // a tie goes to the even count
    CHECK(covered(0.2F) == 0b0001);
    CHECK(covered(0.375F) == 0b0011);
    CHECK(covered(0.7F) == 0b0111);
    CHECK(covered(5) == 0b1111);
    CHECK(covered(-5) == 0);
    CHECK(covered(std::nanf("")) == 0);
    CHECK(atest(f, datum, 0.5F, 0b1010) == 0b0010);
}

TEST_CASE("ATEST: helpers lose their coverage; without the late bit nothing is tested") {
    FragmentFixture f;
    f.key.zs.format = Format::D32_FLOAT;
    f.key.zs.depth_test = true;
    f.key.zs.depth_func = CompareFunc::Never;
    CHECK(atest(f, kAlways) == 1);
    f.warp.live = 0xFFFE;
    CHECK(atest(f, kAlways) == 0);
}

TEST_CASE("ZS_EMIT: the shader's depth and stencil replace the rasterizer's") {
    FragmentFixture f(2);
    f.key.zs.format = Format::D24_UNORM_S8_UINT;
    f.key.zs.depth_test = f.key.zs.depth_write = f.key.zs.stencil[0].enable = true;
    f.key.zs.depth_func = CompareFunc::Always;
    f.key.zs.stencil[0].pass = StencilOp::Replace;
    f.draw.stencil_reference[0] = 9;
    f.primitive.z.a = 0.25F;
    const auto emit = [&](const Lanes* depth, const Lanes* stencil) {
        Lanes out{};
        f.draw.environment->zs_emit(f.warp, depth, stencil, splat(3U), &out);
        return out.v[0];
    };
    const Lanes depth = splat(2.0F);
    const Lanes stencil = splat(0xFFFFFF07U);
    CHECK(emit(&depth, nullptr) == 3);
    CHECK(f.depth[f.element(0, 0)] == 0xFFFFFF);
    CHECK(f.depth[f.element(0, 1)] == 0xFFFFFF);
    CHECK(f.stencil[0] == 9);
    CHECK(emit(nullptr, &stencil) == 3);
    CHECK(f.depth[0] == raster::encode_depth(Format::D24_UNORM_S8_UINT, 0.25F));
    CHECK(f.stencil[0] == 7);
    const Lanes nan = splat(std::nanf(""));
    CHECK(emit(&nan, nullptr) == 3);
    CHECK(f.depth[0] == 0);
}

TEST_CASE("depth is clamped to the primitive's range") {
    FragmentFixture f;
    f.key.zs.format = Format::D32_FLOAT;
    f.key.zs.depth_test = f.key.zs.depth_write = true;
    f.key.zs.depth_func = CompareFunc::Always;
    f.primitive.depth_min = 0.25F;
    f.primitive.depth_max = 0.5F;
    f.primitive.z.a = 0.75F;
    atest(f, kAlways | kLateZs);
    CHECK(f.depth[0] == as_bits(0.5F));
    f.primitive.z.a = -1;
    atest(f, kAlways | kLateZs);
    CHECK(f.depth[0] == as_bits(0.25F));
}

TEST_CASE("samples that pass are counted where the test is, if a query is open") {
    FragmentFixture f(4);
    f.key.zs.count_samples = true;
    f.warp.running = 0x000F;
    CHECK(atest(f, kAlways | kLateZs, 1, 0b1101) == 0b1101);
    CHECK(f.call.samples_passed == 12);
    atest(f, kAlways, 1, 0b1101);
    CHECK(f.call.samples_passed == 12);
    Lanes coverage = splat(0b0001U);
    f.draw.environment->early_zs(f.warp, coverage);
    CHECK(f.call.samples_passed == 16);
    CHECK(coverage.v[5] == 1);  // not running: untouched
    f.key.zs.count_samples = false;
    atest(f, kAlways | kLateZs, 1, 0b1111);
    CHECK(f.call.samples_passed == 16);
}
