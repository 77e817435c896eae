// Loop latency test: chains of results are told from independent work.
// SPDX-License-Identifier: MIT
#include "jit/guest/flow_analysis.hpp"
#include "jit/kernel/choose_expansions.hpp"
#include "jit/kernel/loop_latency.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>
#include <string>

namespace valkyr::test {
namespace {

/// A fragment program with one texture.
jit::GuestProgram program_of(const std::string& text) {
    valhall::Program program;
    program.words = words_of(text + "NOP.end\n");
    program.info.stage = exec::Stage::Fragment;
    constexpr uint32_t handles = 4U << 27 | 3U << 11;  // narrow form: texture 0, sampler 0
    program.fau.resize(4, {valhall::FauKind::Immediate, 0, handles});
    exec::FragmentKey state{};
    state.texture_units = state.sampler_units = 1;
    state.textures[0].format = exec::Format::R8G8B8A8_UNORM;
    state.textures[0].plain_slices = true;
    jit::KernelKey key;
    key.fragment = &state;
    auto guest = jit::read_program(program, key);
    REQUIRE(guest);
    jit::find_divergence(*guest);
    jit::choose_expansions(*guest, {*guest, key});
    jit::find_liveness(*guest);
    return *guest;
}

/// Whether a program without branches waits for its own results.
bool waits(const std::string& text) {
    return jit::line_waits(program_of(text));
}

/// Whether a loop over the instructions waits for its own results.
bool loop_waits(const std::string& text) {
    return jit::loops_wait(program_of("loop: ICMP.u32.ge.m1 r60, r61, r62, 0x0\n"
                                      "BRANCHZ.eq.reconverge r60.h0, offset:out\n" +
                                      text +
                                      "IADD_IMM.i32 r61, r61, #0x1\n"
                                      "BRANCHZ.eq.reconverge 0x0, offset:loop\n"
                                      "out: "));
}

std::string repeated(unsigned times, const std::string& text) {
    std::string all;
    for (unsigned k = 0; k < times; ++k)
        all += text;
    return all;
}

}  // namespace

TEST_CASE("chains of roots wait, and those beside other work do not") {
    const std::string root = "FRSQ.f32 r0, r0\nFMA.f32 r0, r0, r0, r1\n";
    CHECK(waits(repeated(20, root)));
    CHECK_FALSE(waits(repeated(20, root + repeated(8, "FADD.f32 r2, r3, r4\n"))));
}

TEST_CASE("texture messages wait where each reads what one before gave") {
    const auto tex = [](const std::string& from) {
        return "TEX_SINGLE.slot0.f.32.2d.zero.wait0 @r4:r5:r6:r7, " + from + ", u0\n" +
               repeated(4, "FADD.f32 r8, r9, r10\n");
    };
    CHECK(waits(tex("@r0:r1") + tex("@r4:r5") + tex("@r6:r7")));
    CHECK_FALSE(waits(tex("@r0:r1") + tex("@r4:r5") + tex("@r2:r3")));
}

TEST_CASE("the processor sees several warps of short programs, and of plain sums") {
    CHECK_FALSE(waits("FRSQ.f32 r0, r0\nFADD.f32 r0, r0, r1\n"));
    CHECK_FALSE(waits("FADD.f32 r0, r0, r1\n"));
    CHECK_FALSE(waits(repeated(100, "FADD.f32 r0, r0, r1\n")));
}

TEST_CASE("branches end a chain") {
    const std::string root = "FRSQ.f32 r0, r0\n";
    CHECK_FALSE(waits(repeated(40, root) +
                      "BRANCHZ.eq r2.h0, offset:next\nNOP\nnext: " + repeated(40, root)));
}

TEST_CASE("loops wait for what rounds take from the rounds before") {
    const std::string longer = repeated(20, "FMA.f32 r1, r1, r1, r2\n");
    CHECK(loop_waits("MOV.i32 r1, r0\n" + longer + "FADD.f32 r0, r0, r1\n"));
    CHECK_FALSE(loop_waits(longer + repeated(120, "FADD.f32 r3, r4, r5\n")));
}

TEST_CASE("a sum of what follows from a counter in many steps waits for one step a round") {
    const std::string term = repeated(20, "FMA.f32 r1, r1, r1, r2\n");
    CHECK_FALSE(loop_waits("MOV.i32 r1, r61\n" + term + "FADD.f32 r0, r0, r1\n"));
}

}  // namespace valkyr::test
