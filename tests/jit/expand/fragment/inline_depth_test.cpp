// Inline depth test: expanded depth, stencil and coverage tests agree with the routines.
// SPDX-License-Identifier: MIT
#include "tests/jit/fragment_case.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::CompareFunc;
using exec::Format;

constexpr Format kFormats[] = {Format::D16_UNORM,
                               Format::D24_UNORM_X8_UINT,
                               Format::D24_UNORM_S8_UINT,
                               Format::S8_UINT_D24_UNORM,
                               Format::X8_UINT_D24_UNORM,
                               Format::D32_FLOAT,
                               Format::D32_FLOAT_S8X24_UINT,
                               Format::S8_UINT,
                               Format::None};
constexpr unsigned kDepthSampleCounts[] = {1, 1, 1, 2, 4, 8, 16};

CompareFunc random_func(Random& random) {
    return static_cast<CompareFunc>(random.below(8));
}

exec::StencilFace random_face(Random& random) {
    const auto op = [&] { return static_cast<exec::StencilOp>(random.below(8)); };
    exec::StencilFace face;
    face.func = random_func(random);
    face.fail = op();
    face.depth_fail = op();
    face.pass = op();
    face.read_mask = random.one_in(2) ? 0xFF : static_cast<uint8_t>(random.next32());
    face.write_mask = random.one_in(2) ? 0xFF : static_cast<uint8_t>(random.next32());
    return face;
}

exec::DepthStencilKey random_tests(Random& random) {
    exec::DepthStencilKey zs;
    zs.format = kFormats[random.below(std::size(kFormats))];
    zs.depth_test = !random.one_in(4);
    zs.depth_write = random.one_in(2);
    zs.depth_func = random_func(random);
    const bool stencil = random.one_in(3);
    zs.count_samples = random.one_in(3);
    zs.stencil[0] = random_face(random);
    zs.stencil[1] = random.one_in(4) ? random_face(random) : zs.stencil[0];
    zs.stencil[0].enable = zs.stencil[1].enable = stencil;
    return zs;
}

/// A case without a program; r0..r2 hold a varying.
FragmentCase depth_case(Random& random) {
    FragmentCase test;
    test.key.samples =
        static_cast<uint8_t>(kDepthSampleCounts[random.below(std::size(kDepthSampleCounts))]);
    test.key.zs = random_tests(random);
    test.key.blend[0].format = Format::R32G32B32A32_UINT;
    test.key.centered_samples = test.key.samples > 1 && random.one_in(5);
    test.key.per_sample = test.key.samples > 1 && random.one_in(4);
    if (random.one_in(3))
        test.key.alpha_func = random_func(random);
    test.key.alpha_to_coverage = test.key.samples > 1 && random.one_in(3);
    test.alpha_reference = random.one_in(6) ? 0.0F : 0.5F;
    test.info.stage = exec::Stage::Fragment;
    test.info.varying_slot_count = 1;
    test.stencil_reference = {static_cast<uint8_t>(random.next32()),
                              static_cast<uint8_t>(random.next32())};
    test.low_depth_codes = !random.one_in(5);
    test.text = "LD_VAR_BUF_IMM.f32.slot0.v3.src_f32.center.clobber.wait0 @r0:r1:r2, r61, "
                "index:0x0\n";
    make_primitive(test, random);
    return test;
}

void finish(FragmentCase& test, Random& random) {
    if (random.one_in(3))
        test.text += "DISCARD.f32.lt.wait0126 r1, 0x0\n";
    test.text += "ATEST.wait0126 @r60, r60, r0, atest_datum.w0\n";
    if (test.emits_depth) {
        const char* const supplied[] = {".z", ".stencil", ".z.stencil", ""};
        test.text += "ZS_EMIT.slot0" + std::string(supplied[random.below(4)]) +
                     ".wait0126 @r60, r1, r2, r60\n";
    }
    test.text += "MOV.i32 r0, r60\nMOV.i32 r1, r61\n"
                 "BLEND.slot0.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";
}

void run(unsigned seed, unsigned count, void (*change)(FragmentCase&)) {
    Random random(seed);
    for (unsigned round = 0; round < rounds(count); ++round) {
        FragmentCase test = depth_case(random);
        change(test);
        finish(test, random);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

}  // namespace

TEST_CASE("Early tests leave what the routine leaves") {
    run(21, 250, [](FragmentCase& test) { test.key.zs.early = true; });
}

TEST_CASE("Tests in ATEST leave what the routine leaves") {
    run(22, 250, [](FragmentCase&) {});
}

TEST_CASE("ZS_EMIT leaves what the routine leaves") {
    run(23, 250, [](FragmentCase& test) {
        test.emits_depth = true;
        test.info.writes_depth = true;
    });
}

}  // namespace valkyr::test
