// Barriers test: compares warps that wait at BARRIERs in recompiled and in interpreted groups.
// SPDX-License-Identifier: MIT
#include "tests/jit/kernel/groups_case.hpp"
#include "tests/jit/random_program.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::test;

namespace {

const std::string kBarrier = "BARRIER.slot7.wait\n";
/// r16: address of the invocation's word of shared memory, if groups have one dimension.
const std::string kOwnWord = "SHADDX.u64 r16, workgroup_local_pointer.w0, r55.w0, shift:0x2\n";
const std::string kEnd = "NOP.end\n";

std::string store(const std::string& r, unsigned offset = 0) {
    return "STORE.i32.slot0.wait0 @" + r + ", r16, offset:" + std::to_string(offset) + "\n";
}
std::string load(const std::string& r, unsigned offset = 0) {
    return "LOAD.i32.unsigned.slot0.wait0 @" + r + ", r16, offset:" + std::to_string(offset) + "\n";
}

/// Groups of one dimension whose lanes have 17 words of shared memory behind the last one's.
GroupShape row_of(uint32_t width, uint64_t groups = 3) {
    return {{width, 1, 1}, {4, 1, 1}, 1, groups, 4 * width + 68};
}

}  // namespace

TEST_CASE("warps see behind a BARRIER what other warps stored in front of it") {
    // Each lane reads the words of the lanes 1 and 16 places behind it.
    const std::string text = kOwnWord + "IADD.u32 r4, r60, u0\n" + store("r4") + kBarrier +
                             load("r6", 4) + load("r7", 64) + kBarrier + "IADD.u32 r8, r6, r7\n" +
                             store("r8") + kEnd;
    for (const uint32_t width : {1U, 16U, 17U, 40U, 64U, 1024U})
        for (const bool fixed : {true, false})
            agreed_groups(text, row_of(width), fixed);
    const GroupMemory memory = agreed_groups(text, row_of(64, 1));
    CHECK(memory.shared[0] == (64 + 1 + 3) + (64 + 16 + 3));
    CHECK(memory.shared[47] == (64 + 48 + 3) + (64 + 63 + 3));
    CHECK(memory.shared[63] == 0);
}

TEST_CASE("barriers in loops that all lanes run alike") {
    const std::string text =
        kOwnWord + "IADD_IMM.i32 r8, 0x0, #0x0\nMOV.i32 r4, r60\nhead:\n" + store("r4") + kBarrier +
        load("r6", 4) + kBarrier +
        "IADD.u32 r4, r4, r6\nIADD_IMM.i32 r8, r8, #0x1\nICMP.u32.lt.m1 r14, r8, u2, 0x0\n"
        "BRANCHZ.reconverge r14.h0, offset:head\n" +
        store("r4") + kEnd;
    for (const uint32_t width : {16U, 33U, 64U, 256U})
        agreed_groups(text, row_of(width));
}

TEST_CASE("values that change behind some of the BARRIERs of a loop") {
    // r4 changes between the first two, r5 in some rounds between the others, and r7 stays; all are
    // read at the end only. r6 is read and changed in each round.
    const std::string text =
        kOwnWord +
        "IADD_IMM.i32 r8, 0x0, #0x0\nMOV.i32 r4, r60\nMOV.i32 r5, r55\n"
        "IADD.u32 r7, r60, u2\nMOV.i32 r6, r60\nhead:\n" +
        store("r6") + kBarrier + "IADD_IMM.i32 r4, r4, #0x3\n" + load("r12", 4) + kBarrier +
        "IADD.u32 r6, r6, r12\nLSHIFT_AND.i32 r13, r8, 0x0.b00, u0\n"
        "BRANCHZ.reconverge r13.h0, offset:even\n"
        "IADD.u32 r5, r5, r6\n"
        "NOP.reconverge\neven: IADD_IMM.i32 r8, r8, #0x1\nICMP.u32.lt.m1 r14, r8, u2, 0x0\n"
        "BRANCHZ.reconverge r14.h0, offset:head\n"
        "IADD.u32 r4, r4, r5\nIADD.u32 r4, r4, r7\nIADD.u32 r4, r4, r6\n" +
        store("r4") + kEnd;
    for (const uint32_t width : {16U, 33U, 64U, 256U})
        agreed_groups(text, row_of(width));
}

TEST_CASE("lanes that branch around a BARRIER or end in front of it hold up nobody") {
    unsigned labels = 0;
    const auto around = [&] {
        const std::string behind = "l" + std::to_string(labels++);
        return "BRANCHZ.eq.reconverge r4.h0, offset:" + behind + "\n" + store("r60") + kBarrier +
               load("r6", 4) + "NOP.reconverge\n" + behind + ": NOP\n";
    };
    const std::string ends =
        "BRANCHZ.reconverge r4.h0, offset:on\nNOP.end\non: " + store("r60") + kBarrier;
    const std::string bit = "LSHIFT_AND.i32 r4, r55, 0x0.b00, u0\n";
    for (const std::string& text :
         {around(), ends, around() + kBarrier + around(), around() + around() + ends})
        for (const uint32_t width : {5U, 16U, 40U, 64U}) {
            GroupShape shape = row_of(width);
            const std::string program = kOwnWord + bit + text + store("r6") + kEnd;
            agreed_groups(program, shape);
            shape.contexts = width > exec::kLanes;
            agreed_groups(program, shape);
        }
}

TEST_CASE("values of lanes that wait at one BARRIER survive what lanes do behind another") {
    // The lanes that do not branch come to their second BARRIER while the others, which were at the
    // last one meanwhile, change r6 in all blocks that follow.
    const std::string change = "IADD_IMM.i32 r6, r6, #0x7\n";
    const std::string text = kOwnWord + "MOV.i32 r6, r60\nLSHIFT_AND.i32 r4, r55, 0x0.b00, u0\n" +
                             "BRANCHZ.eq.reconverge r4.h0, offset:behind\n" + kBarrier + kBarrier +
                             store("r6", 64) + "NOP.reconverge\nbehind: NOP\n" + kBarrier + change +
                             "ICMP.u32.lt.m1 r14, r55, u2, 0x0\n"
                             "BRANCHZ.reconverge r14.h0, offset:last\n" +
                             change + "NOP.reconverge\nlast: NOP\n" + store("r6") + kEnd;
    for (const uint32_t width : {12U, 16U, 40U})
        agreed_groups(text, row_of(width));
    const GroupMemory memory = agreed_groups(text, row_of(16, 1));
    CHECK(memory.shared[16 + 1] == 16 + 1);
    CHECK(memory.shared[16 + 4] == 0);
    CHECK(memory.shared[1] == 16 + 1 + 7);
    CHECK(memory.shared[12] == 16 + 12 + 14);
}

TEST_CASE("random structured programs with barriers agree in groups of any size") {
    const auto message = [](Random& random) {
        const std::string r = "r" + std::to_string(random.below(kDataRegisters));
        switch (random.below(3)) {
        case 0: return kBarrier;
        case 1: return store(r, 4 * random.below(17));
        default: return load(r, 4 * random.below(17));
        }
    };
    const std::string inputs = kOwnWord +
                               "MOV.i32 r0, r60\nIADD.u32 r1, r55, u2\nIADD.u32 r2, r57, u3\n"
                               "LSHIFT_AND.i32 r3, r55, 0x0.b00, u0\nMOV.i32 r4, u4\n";
    Random sizes(1);
    for (uint64_t seed = 0; seed < rounds(120); ++seed) {
        const std::string text = inputs + random_structured_program(seed, message) + kEnd;
        GroupShape shape = row_of(1 + sizes.below(80));
        shape.contexts = shape.block[0] > exec::kLanes;
        INFO("seed ", seed, ", groups of ", shape.block[0], "\n", text);
        const bool fixed = sizes.one_in(2) || shape.block[0] <= exec::kLanes;
        agreed_groups(text, shape, fixed);
    }
}

TEST_CASE("a loop over BARRIERs that never ends is ended by the watch") {
    const std::string text =
        "head:\n" + kBarrier + "BRANCHZ.eq.reconverge 0x0, offset:head\n" + kEnd;
    const valhall::Program program = group_program(text, {{40, 1, 1}, 0});
    for (const auto& recompiler : recompilers()) {
        const auto kernel = recompiler->recompile(program, {});
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        exec::LoopWatch watch;
        watch.most_rounds = 3;
        run_groups((*kernel)->entry(), row_of(40), &watch);
        CHECK(watch.runaway == 1);
    }
}
