// NaN bits test: results are quieted exactly where their bits can be seen.
// SPDX-License-Identifier: MIT
#include "exec/state_keys.hpp"
#include "jit/guest/guest_program.hpp"
#include "jit/guest/nan_bits.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// The words whose NaN results are quieted, in a program that returns no registers.
std::vector<uint32_t> quieted(const std::string& text,
                              exec::Stage stage = exec::Stage::Compute,
                              const jit::KernelKey& key = {.returns_registers = false}) {
    valhall::Program program;
    program.info.stage = stage;
    program.words = words_of(text);
    auto guest = jit::read_program(program, key);
    REQUIRE(guest.has_value());
    jit::find_nan_bits(*guest, key);
    std::vector<uint32_t> words;
    for (const jit::Step& step : guest->steps)
        if (step.quiet_nans)
            words.push_back(step.word_index);
    return words;
}

bool first_is_quieted(const std::string& text) {
    const std::vector<uint32_t> words = quieted(text);
    return !words.empty() && words.front() == 0;
}

using Words = std::vector<uint32_t>;
const std::string kStore = "STORE.i32.slot0 @r5, r8, offset:0\nNOP.wait0\nNOP.end\n";

}  // namespace

TEST_CASE("a NaN on its way to float operations is not quieted, a stored one is") {
    CHECK(quieted("FADD.f32 r4, r0, r1\nFMA.f32 r5, r4, r4, r1\n" + kStore) == Words{1});
}

TEST_CASE("copies and selections pass the readers of their result on") {
    CHECK(quieted("FADD.f32 r4, r0, r1\nFADD.f32 r3, r0, r1\nMOV.i32 r6, r4\n"
                  "CSEL.f32.lt r5, r3, r1, r6, r2\n" +
                  kStore) == Words{0, 2, 3});
}

TEST_CASE("a lane's word is read by what reads it in another lane") {
    const std::string sum = "FADD.f32 r4, r0, r1\nMOV.i32 r6, lane_id.w0\n"
                            "CLPER.i32.subgroup4 r5, r4, r6\n";
    CHECK(first_is_quieted(sum + kStore));
    CHECK(!first_is_quieted(sum + "FADD.f32 r5, r5, r1\n" + kStore));
}

TEST_CASE("a sign from a quadrant is no reader of bits") {
    const std::string sign = "FADD.f32 r4, r0, r1\nIADD_IMM.i32 r3, 0x0, #0x80000000\n"
                             "LSHIFT_AND.i32 r6, r2, 0x0.b00, r3\n";
    const std::string change = "LSHIFT_XOR.i32 r5, r4, 0x0.b00, r6\n";
    const std::string read = "FADD.f32 r5, r5, r1\n" + kStore;
    CHECK(!first_is_quieted(sign + change + read));
    CHECK(!first_is_quieted(sign + "LSHIFT_XOR.i32 r5, r6, 0x0.b00, r4\n" + read));
    CHECK(first_is_quieted(sign + change + kStore));
    // Other bits may change, too.
    CHECK(first_is_quieted(sign + "LSHIFT_XOR.i32 r5, r4, 0x0.b00, r2\n" + read));
    CHECK(first_is_quieted(sign + "LSHIFT_XOR.i32 r5, r4, 0x3020100.b11, r6\n" + read));
    CHECK(first_is_quieted(sign + "MOV.i32 r6, r2\n" + change + read));
}

TEST_CASE("integer instructions see bits, whatever becomes of their result") {
    CHECK(quieted("FADD.f32 r4, r0, r1\nIADD.u32 r6, r4, r1\nFADD.f32 r5, r6, r6\n" + kStore) ==
          Words{0, 2});
}

TEST_CASE("a binary32 NaN is bits to readers of halves") {
    CHECK(quieted("FADD.f32 r4, r0, r1\nFADD.v2f16 r5, r4, r4\n" + kStore) == Words{0, 1});
    CHECK(quieted("FADD.v2f16 r4, r0, r1\nFADD.v2f16 r5, r4, r4\n" + kStore) == Words{1});
}

TEST_CASE("a value that is overwritten has no readers behind that") {
    CHECK(quieted("FADD.f32 r5, r0, r1\nFADD.f32 r5, r2, r1\n" + kStore) == Words{1});
}

TEST_CASE("readers in a loop count for what is computed before its jump back") {
    CHECK(quieted("FADD.f32 r5, r0, r1\nloop: STORE.i32.slot0 @r5, r8, offset:0\n"
                  "FADD.f32.wait0 r5, r5, r1\nBRANCHZ.reconverge r2.h0, offset:loop\nNOP.end\n") ==
          Words{0, 2});
}

TEST_CASE("returned registers are bits") {
    CHECK(quieted("FADD.f32 r4, r0, r1\nFADD.f32 r5, r4, r1\nNOP.end\n", exec::Stage::Compute,
                  {}) == Words{0, 1});
}

TEST_CASE("colours are bits in integer targets only") {
    const std::string blend = "FADD.f32 r0, r0, r1\nBLEND.slot0.v4.auto.end @r0:r1:r2:r3, "
                              "blend_descriptor_0.w0, r60, target:0x0\n";
    exec::FragmentKey fragment;
    fragment.blend[0].format = exec::Format::R32G32B32A32_FLOAT;
    const jit::KernelKey key{.fragment = &fragment};
    CHECK(quieted(blend, exec::Stage::Fragment, key).empty());
    fragment.blend[0].format = exec::Format::R32G32B32A32_UINT;
    CHECK(quieted(blend, exec::Stage::Fragment, key) == Words{0});
}
