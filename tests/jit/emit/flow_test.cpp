// Control flow test: runs divergent and uniform branches, loops, and lanes that end early.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"
#include "tests/jit/random_program.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr unsigned kMoreWarps = 7;  // of each random program

ComputeCase case_of(const std::string& text, uint64_t seed) {
    ComputeCase test;
    Random random(seed);
    fill_inputs(test, random);
    for (unsigned r = kDataRegisters; r < kInputRegisters; ++r)
        test.inputs[r] = {};
    test.body = words_of(text);
    return test;
}

void check(const std::string& text, uint64_t seed) {
    const std::string report = disagreement(case_of(text, seed));
    CHECK_MESSAGE(report.empty(), report);
}

}  // namespace

TEST_CASE("random structured programs end with the interpreter's registers") {
    for (uint64_t seed = 0; seed < rounds(150); ++seed) {
        ComputeCase test = case_of(random_structured_program(seed) + "NOP.end\n", seed);
        test.more_warps = kMoreWarps;
        const std::string report = disagreement(test);
        if (report.empty() || report.starts_with("interpreter: step limit"))
            continue;
        INFO("seed ", seed);
        FAIL(disagreement(reduced(test)));
    }
}

TEST_CASE("random structured programs end alike when some registers are not read behind them") {
    // The code behind overwrites values of waiting lanes, so the recompiler need not keep them.
    for (uint64_t seed = 0; seed < rounds(100); ++seed) {
        std::string text = random_structured_program(1000 + seed);
        Random random(seed);
        text += "NOP.reconverge\n";
        for (unsigned r = 0; r < kInputRegisters; ++r)
            if (random.one_in(2))
                text += "IADD_IMM.i32 r" + std::to_string(r) + ", 0x0, #0x7\n";
        ComputeCase test = case_of(text + "NOP.end\n", seed);
        test.more_warps = kMoreWarps;
        const std::string report = disagreement(test);
        if (report.empty() || report.starts_with("interpreter: step limit"))
            continue;
        INFO("seed ", seed);
        FAIL(disagreement(reduced(test)));
    }
}

TEST_CASE("lanes that left a loop keep what they read, whatever it still computes") {
    // r8 and r1 are read behind the loop, r2 and r3 are not.
    check(R"(
        IADD_IMM.i32 r8, 0x0, #0x0
        IADD_IMM.i32 r2, 0x0, #0x1
        RSHIFT_OR.i32 r9, r0, 0x1F1E1D1C.b11, 0x0
loop:   ICMP.u32.ge.m1 r14, r8, r9, 0x0
        BRANCHZ.reconverge r14.h0, offset:out
        IADD.u32 r3, r2, r8
        IADD.u32 r2, r3, r2
        IADD.u32 r1, r1, r3
        ICMP.u32.gt.m1 r14, r1, r4, 0x0
        BRANCHZ.reconverge r14.h0, offset:out
        IADD_IMM.i32 r8, r8, #0x1
        BRANCHZ.eq.reconverge 0x0, offset:loop
out:    IADD.u32 r5, r1, r8
        IADD_IMM.i32 r2, 0x0, #0x0
        IADD_IMM.i32 r3, 0x0, #0x0
        IADD_IMM.i32 r14, 0x0, #0x0
        NOP.end
    )",
          6);
}

TEST_CASE("lanes that leave a loop keep what they computed in it") {
    check(R"(
        IADD_IMM.i32 r8, 0x0, #0x0
        RSHIFT_OR.i32 r9, r0, 0x1F1E1D1C.b11, 0x0
loop:   IADD.u32 r1, r1, r8
        IADD_IMM.i32 r8, r8, #0x1
        ICMP.u32.lt.m1 r14, r8, r9, 0x0
        BRANCHZ.reconverge r14.h0, offset:loop
        IADD.u32 r2, r1, r8
        NOP.end
    )",
          7);
}

TEST_CASE("both sides of a branch may use one register for different things") {
    check(R"(
        ICMP.s32.lt.m1 r14, r0, r1, 0x0
        BRANCHZ.eq.reconverge r14.h0, offset:else
        IADD.u32 r7, r0, r1
        IADD.u32 r6, r7, r7
        BRANCHZ.eq.reconverge 0x0, offset:end
else:   IADD.u32 r7, r2, r3
        ISUB.u32 r5, r7, r4
        NOP.reconverge
end:    IADD.u32 r4, r5, r6
        NOP.end
    )",
          3);
}

TEST_CASE("lanes that end inside a branch do not disturb the others") {
    check(R"(
        ICMP.s32.lt.m1 r14, r0, 0x0, 0x0
        BRANCHZ.eq.reconverge r14.h0, offset:rest
        IADD.u32 r3, r1, r2
        NOP.end
rest:   IADD.u32 r3, r2, r2
        WMASK r4, 0xFFFFFFFF
        CLPER.i32.xor.umax r5, r1, 0x3020100.b1
        NOP.end
    )",
          11);
}

TEST_CASE("in lockstep a source that the result replaces may signal in every lane") {
    // CLPER over 16 lanes makes values of several host registers. In each of them, the minimum of a
    // number and a signalling NaN must be the number.
    ComputeCase test = case_of("FMIN.f32 r3, r1, r3.abs\n"
                               "CLPER.v4s8.smin r7, r2, 0x40000000.b3210\nNOP.end\n",
                               1);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        test.inputs[1].v[lane] = 0x3F800000 + lane;
        test.inputs[3].v[lane] = 0x7FA00000;
    }
    for (const bool strict : {false, true}) {
        test.strict_nan = strict;
        const std::string report = disagreement(test);
        CHECK_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("in lockstep a known number is counted up once") {
    check("WMASK r5, r6\n"
          "IADD_IMM.i32 r3, 0x0, #0x7\n"
          "IADD_IMM.i32 r3, r3, #0x1\n"
          "IADD_IMM.i32 r2, 0x0, #0x8040\n"
          "S8_TO_S32 r2, r2.b1\n"
          "NOP.end\n",
          8);
}

TEST_CASE("a branch that all running lanes take asks no lane that has ended or waits") {
    // r6 is uniform in the lanes that go on. Lane 0 has changed its r6 before it ended (first
    // program) or waited behind the loop (second program).
    const std::string start = "IADD_IMM.i32 r6, 0x0, #0x3\n"
                              "ICMP.u32.lt.m1 r14, r3, r0, 0x0\n"
                              "BRANCHZ.eq.reconverge r14.h0, offset:others\n"
                              "IADD_IMM.i32 r6, r7, #0x0\n";
    const std::string others = "others: IADD_IMM.i32 r8, 0x0, #0x0\n"
                               "loop: IADD_IMM.i32 r8, r8, #0x1\n"
                               "ICMP.u32.lt.m1 r14, r8, r6, 0x0\n"
                               "BRANCHZ.reconverge r14.h0, offset:loop\n";
    for (const std::string& text : {start + "NOP.end\n" + others + "NOP.end\n",
                                    start + "BRANCHZ.eq.reconverge 0x0, offset:behind\n" + others +
                                        "NOP.reconverge\nbehind: IADD.u32 r5, r6, r8\nNOP.end\n"}) {
        ComputeCase test = case_of(text, 3);
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            test.inputs[0].v[lane] = lane % 4 == 0 ? 9 : 0;
            test.inputs[3].v[lane] = 5;
            test.inputs[7].v[lane] = lane % 8;
        }
        const std::string report = disagreement(test);
        CHECK_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("a warp of fewer lanes leaves the rest alone") {
    for (uint32_t count : {1U, 5U, 8U, 11U, 16U}) {
        ComputeCase test = case_of("WMASK r3, 0xFFFFFFFF\nIADD.u32 r4, r3, r1\nNOP.end\n", 2);
        test.count = count;
        const std::string report = disagreement(test);
        CHECK_MESSAGE(report.empty(), report);
    }
}

TEST_CASE("a library routine returns to its caller, wherever that is") {
    check(R"(
        BRANCHZ.eq.reconverge 0x0, offset:main
twice:  IADD.u32 r0, r0, r0
        BRANCHZI.eq.absolute.reconverge 0x0, r13
main:   IADD_IMM.i32 r13, program_counter.w0, #0x8
        BRANCHZ.eq.reconverge 0x0, offset:twice
        IADD.u32 r1, r0, r1
        IADD_IMM.i32 r13, program_counter.w0, #0x8
        BRANCHZ.eq.reconverge 0x0, offset:twice
        IADD.u32 r2, r0, r2
        NOP.end
    )",
          5);
}

TEST_CASE("a return that only some lanes take leaves the others behind it") {
    // The routine doubles r0 once or twice; lanes with an odd r2 return early.
    check(R"(
        BRANCHZ.eq.reconverge 0x0, offset:main
twice:  IADD.u32 r0, r0, r0
        IADD_IMM.i32 r12, 0x0, #0x1
        LSHIFT_AND.i32 r14, r2, 0x0.b00, r12
        BRANCHZI.absolute.reconverge r14, r13
        IADD.u32 r0, r0, r0
        BRANCHZI.eq.absolute.reconverge 0x0, r13
main:   IADD_IMM.i32 r13, program_counter.w0, #0x8
        BRANCHZ.eq.reconverge 0x0, offset:twice
        IADD.u32 r1, r0, r1
        IADD_IMM.i32 r13, program_counter.w0, #0x8
        BRANCHZ.eq.reconverge 0x0, offset:twice
        IADD.u32 r2, r0, r2
        WMASK r3, 0xFFFFFFFF
        NOP.end
    )",
          9);
}

TEST_CASE("some lanes jump back to an address that they all hold") {
    check(R"(
        IADD_IMM.i32 r8, 0x0, #0x0
        RSHIFT_OR.i32 r9, r0, 0x1F1E1D1C.b11, 0x0
        IADD_IMM.i32 r13, program_counter.w0, #0x0
        IADD.u32 r1, r1, r8
        IADD_IMM.i32 r8, r8, #0x1
        ICMP.u32.lt.m1 r14, r8, r9, 0x0
        BRANCHZI.absolute.reconverge r14.h0, r13
        IADD.u32 r2, r1, r8
        NOP.end
    )",
          4);
}
