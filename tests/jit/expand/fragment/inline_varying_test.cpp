// Inline varying test: expanded LD_VAR* gives the bits of the routines.
// SPDX-License-Identifier: MIT
#include "tests/jit/fragment_case.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

/// A case whose program writes r0..r3 bit by bit to target 0.
FragmentCase varying_case(Random& random, unsigned samples, const std::string& load) {
    FragmentCase test;
    test.key.samples = static_cast<uint8_t>(samples);
    test.key.blend[0].format = exec::Format::R32G32B32A32_UINT;
    test.key.centered_samples = samples > 1 && random.one_in(5);
    test.key.per_sample = samples > 1 && random.one_in(3);
    test.key.constant_w = random.one_in(5);
    test.key.linear_slots = random.below(16);
    test.info.stage = exec::Stage::Fragment;
    test.info.varying_slot_count = 1 + random.below(4);
    for (exec::VaryingSlot& slot : test.info.varyings)
        slot.written = !random.one_in(8);
    test.text = load;
    test.text += "ATEST.wait0126 @r60, r60, 0x3F800000, atest_datum.w0\n"
                 "BLEND.slot0.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";
    for (uint32_t& word : test.uniforms)
        word = random.next32();
    make_primitive(test, random);
    return test;
}

constexpr unsigned kVaryingSampleCounts[] = {1, 1, 2, 4, 8, 16};
constexpr const char* kSampleModes[] = {"center", "centroid", "sample", "explicit"};

}  // namespace

TEST_CASE("LD_VAR_BUF_IMM gives the routine's bits in every mode and position") {
    Random random(11);
    take_routine_calls();
    for (unsigned round = 0; round < rounds(300); ++round) {
        const unsigned samples =
            kVaryingSampleCounts[random.below(std::size(kVaryingSampleCounts))];
        const std::string mode = kSampleModes[random.below(4)];
        const bool flat = random.one_in(4);
        const std::string position = mode == "explicit" ? "r59" : "r61";
        const FragmentCase test = varying_case(
            random, samples,
            "LD_VAR_BUF_IMM.f32.slot0.v4." + std::string(flat ? "src_flat32" : "src_f32") + "." +
                mode + ".clobber.wait0 @r0:r1:r2:r3, " + position +
                ", index:" + std::to_string(4 * random.below(18)) + "\n");
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("LD_VAR_SPECIAL gives the routine's bits") {
    Random random(12);
    for (unsigned round = 0; round < rounds(60); ++round) {
        const unsigned samples =
            kVaryingSampleCounts[random.below(std::size(kVaryingSampleCounts))];
        const std::string mode = kSampleModes[random.below(3)];
        const FragmentCase test = varying_case(
            random, samples,
            "LD_VAR_SPECIAL.v2.f32." + mode + ".clobber.slot0.wait0 @r0:r1, r61, index:0x0\n" +
                "LD_VAR_SPECIAL.f32." + mode + ".clobber.slot0.wait0 @r2, r61, index:0x2\n" +
                "LD_VAR_SPECIAL.f32." + mode + ".clobber.slot0.wait0 @r3, r61, index:0x3\n");
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("all that a fragment warp starts with can be live at once") {
    // Whole warps of one sample each; with eight host lanes, a value takes two host registers.
    std::string sums = "CLPER.i32.xor.umax r5, r1, 0x3020100.b1\n"
                       "IADD.u32 r0, r57, r58\n"
                       "IADD.u32 r1, r59, r61\n"
                       "MOV.i32 r2, r60\n";
    for (unsigned r = 4; r < 57; ++r)
        sums += "IADD.u32 r3, r3, r" + std::to_string(r) + "\n";
    Random random(13);
    for (unsigned samples : kVaryingSampleCounts) {
        FragmentCase test = varying_case(random, samples, sums);
        test.key.per_sample = samples > 1;
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

}  // namespace valkyr::test
