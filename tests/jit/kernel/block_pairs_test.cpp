// Block pairs test: kernels that run two pixel blocks in step agree with the interpreter.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/jit/fragment_case.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Format;

/// A loop of z = z * z + c, which each lane leaves when z leaves a circle or its count ends.
std::string loop_text(Random& random) {
    std::string text =
        "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.clobber.wait0 @r0:r1:r2:r3, r61, index:0x0\n"
        "MOV.i32 r4, 0x0\nMOV.i32 r5, 0x0\nMOV.i32 r6, 0x0\n";
    if (random.one_in(4))
        text += "DISCARD.f32.lt.wait0126 r1, 0x0\n";
    text += "loop: ICMP.u32.ge.m1 r7, r6, u0, 0x0\n"
            "BRANCHZ.reconverge r7.h0, offset:out\n"
            "FMA.f32 r8, r4, r4, 0x0.neg\n"
            "FMA.f32 r9, r5, r5, 0x0.neg\n"
            "FADD.f32 r10, r8, r9\n"
            "FCMP.f32.gt.m1 r10, r10, u1, 0x0\n"
            "BRANCHZ.reconverge r10.h0, offset:out\n"
            "FMA.f32 r4, r4, u2, 0x0.neg\n"
            "FMA.f32 r5, r4, r5, r1\n"
            "FADD.f32 r4, r8, r9.neg\n"
            "FADD.f32 r4, r4, r0\n"
            "IADD_IMM.i32 r6, r6, #0x1\n"
            "BRANCHZ.eq.reconverge 0x0, offset:loop\n"
            "out: S32_TO_F32 r2, r6\n"
            "FMA.f32 r2, r2, u3, 0x0.neg\n"
            "ATEST.wait0126 @r60, r60, r3, atest_datum.w0\n"
            "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";
    return text;
}

/// Lists blocks in the rasterizer's order with gaps, so that pairs and single even and odd blocks
/// occur.
void list_blocks(Random& random, FragmentCase& test) {
    test.blocks.clear();
    for (unsigned block = 0; block < kCaseBlocks; ++block) {
        if (random.one_in(3))
            continue;
        const uint16_t mask =
            random.one_in(2) ? uint16_t{0xFFFF} : static_cast<uint16_t>(random.next32());
        test.blocks.push_back({static_cast<uint16_t>(block), mask});
    }
}

void choose_state(Random& random, exec::FragmentKey& key) {
    constexpr Format formats[] = {Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT,
                                  Format::R8_UNORM, Format::R16G16_FLOAT};
    key.blend[0].format = formats[random.below(4)];
    key.blend[0].write_mask = 0xF;
    if (random.one_in(2)) {
        key.blend[0].enable = true;
        key.blend[0].rgb_src = key.blend[0].alpha_src = exec::BlendFactor::SrcAlpha;
        key.blend[0].rgb_dst = key.blend[0].alpha_dst = exec::BlendFactor::InvSrcAlpha;
    }
    if (random.one_in(3))
        key.alpha_func = exec::CompareFunc::Greater;
    if (random.one_in(3))
        return;
    key.zs.format = random.one_in(2) ? Format::D24_UNORM_S8_UINT : Format::D32_FLOAT;
    key.zs.depth_test = key.zs.depth_write = true;
    key.zs.depth_func = exec::CompareFunc::LessEqual;
    key.zs.count_samples = random.one_in(2);
    key.zs.early = random.one_in(2);
}

}  // namespace

TEST_CASE("loops over pairs of blocks end as loops over one block") {
    Random random(71);
    for (unsigned round = 0; round < rounds(300); ++round) {
        FragmentCase test;
        choose_state(random, test.key);
        test.info.stage = exec::Stage::Fragment;
        test.info.varying_slot_count = 1;
        test.uniforms = {1 + random.below(40), as_bits(4.0F), as_bits(2.0F), as_bits(1.0F / 40)};
        test.alpha_reference = 0.3F;
        test.text = loop_text(random);
        make_primitive(test, random);
        list_blocks(random, test);
        const std::string report = disagreement(test);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

}  // namespace valkyr::test
