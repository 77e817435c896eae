// Flow test: checks divergence, reconvergence, end, discard, cross-lane operations, step limit.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// A bench with lane IDs in r1.
Bench lanes_bench(std::string_view text) {
    Bench bench(text);
    bench.set_lanes(1, [](unsigned l) { return l; });
    return bench;
}

}  // namespace

TEST_CASE("a branch is taken on nonzero, with eq on zero, of the word or one half") {
    const auto taken = [](const std::string& branch, uint32_t value) {
        Bench bench(branch + ", offset:1\nIADD_IMM.i32 r0, r0, #1\nNOP.end");
        bench.set(2, value);
        bench.run();
        return bench.get(0) == 0;
    };
    CHECK(taken("BRANCHZ r2", 1));
    CHECK_FALSE(taken("BRANCHZ r2", 0));
    CHECK(taken("BRANCHZ.eq r2", 0));
    CHECK(taken("BRANCHZ r2", 0x10000));
    CHECK(taken("BRANCHZ r2.h1", 0x10000));
    CHECK_FALSE(taken("BRANCHZ r2.h0", 0x10000));
    CHECK(taken("BRANCHZ.eq r2.h0", 0x10000));
    CHECK(taken("BRANCHZ r2.and", 0x10000));
    CHECK(taken("BRANCHZ.eq 0x0", 0));
    CHECK_FALSE(taken("BRANCHZ 0x0", 0));
}

TEST_CASE("if and else run with their own lanes and meet again behind") {
    // Each side of the branch counts its lanes; behind the join, all 16 lanes run together.
    Bench bench = lanes_bench(R"(
        ICMP.u32.lt.m1 r2, r1, r3, 0x0
        BRANCHZ.eq.reconverge r2.h0, offset:else
        WMASK r4, 0xFFFFFFFF
        BRANCHZ.eq.reconverge 0x0, offset:join
        else: WMASK r5, 0xFFFFFFFF
        NOP.reconverge
        join: WMASK r6, 0xFFFFFFFF
        NOP.end
    )");
    bench.set(3, 5);
    bench.run();
    for (unsigned l = 0; l < 16; ++l) {
        CHECK(bench.get(4, l) == (l < 5 ? 0x001F : 0));
        CHECK(bench.get(5, l) == (l < 5 ? 0 : 0xFFE0));
        CHECK(bench.get(6, l) == 0xFFFF);
    }
    CHECK(bench.faults.empty());
}

TEST_CASE("lanes join the others at reconverge only") {
    // Lanes 8.. jump over two instructions. Without .reconverge, the other lanes pass the target by
    // themselves.
    const auto mask_behind = [](const std::string& last) {
        Bench bench = lanes_bench(R"(
            LSHIFT_AND.i32 r2, r1, 0x0.b00, r3
            BRANCHZ.reconverge r2.h0, offset:target
            MOV.i32 r4, r1
            )" + last + R"( r4, r1
            target: WMASK r5, 0xFFFFFFFF
            NOP.end
        )");
        bench.set(3, 8);
        bench.run();
        return bench.get(5, 0);
    };
    CHECK(mask_behind("MOV.i32.reconverge") == 0xFFFF);
    CHECK(mask_behind("MOV.i32") == 0x00FF);
}

TEST_CASE("a loop runs until its last lane leaves") {
    // Lane l adds 3 in l + 1 iterations; a nested loop doubles a counter twice per iteration.
    Bench bench = lanes_bench(R"(
        top: IADD_IMM.i32 r4, r4, #3
        MOV.i32.reconverge r6, 0x0
        inner: IADD_IMM.i32 r5, r5, #1
        IADD_IMM.i32 r6, r6, #1
        ICMP.u32.lt.m1 r7, r6, r8, 0x0
        BRANCHZ.reconverge r7.h0, offset:inner
        ICMP.u32.lt.m1 r2, r3, r1, 0x0
        IADD_IMM.i32 r3, r3, #1
        BRANCHZ.reconverge r2.h0, offset:top
        WMASK r9, 0xFFFFFFFF
        NOP.end
    )");
    bench.set(8, 2);
    bench.run();
    for (unsigned l = 0; l < 16; ++l) {
        CHECK(bench.get(4, l) == 3 * (l + 1));
        CHECK(bench.get(5, l) == 2 * (l + 1));
        CHECK(bench.get(9, l) == 0xFFFF);
    }
}

TEST_CASE("a lane that breaks out waits at the exit while the others loop") {
    // do { if (i == lane) break; ++i } while (i < 4)
    Bench bench = lanes_bench(R"(
        top: ICMP.u32.eq.m1 r2, r3, r1, 0x0
        BRANCHZ.reconverge r2.h0, offset:exit
        IADD_IMM.i32 r3, r3, #1
        ICMP.u32.lt.m1 r4, r3, r5, 0x0
        BRANCHZ.reconverge r4.h0, offset:top
        exit: WMASK r6, 0xFFFFFFFF
        NOP.end
    )");
    bench.set(5, 4);
    bench.run();
    for (unsigned l = 0; l < 16; ++l) {
        CHECK(bench.get(3, l) == (l < 4 ? l : 4));
        CHECK(bench.get(6, l) == 0xFFFF);
    }
}

TEST_CASE("end takes the running lanes only") {
    Bench bench = lanes_bench(R"(
        BRANCHZ.reconverge r1.h0, offset:1
        MOV.i32.end r2, 0xFFFFFFFF
        MOV.i32.end r3, 0xFFFFFFFF
    )");
    bench.run();
    CHECK(bench.get(2, 0) == 0xFFFFFFFF);
    CHECK(bench.get(3, 0) == 0);
    CHECK(bench.get(2, 1) == 0);
    CHECK(bench.get(3, 15) == 0xFFFFFFFF);
    CHECK(bench.state.alive == 0);
}

TEST_CASE("DISCARD demotes: the lane goes on until .discard") {
    Bench bench = lanes_bench(R"(
        DISCARD.f32.eq r2, 0x0
        IADD_IMM.i32 r3, r3, #1
        WMASK.discard r4, 0xFFFFFFFF
        IADD_IMM.i32 r5, r5, #1
        WMASK.end r6, 0xFFFFFFFF
    )");
    bench.set_lanes(2, [](unsigned l) { return l % 4 == 3 ? 0x80000000 : f(1.0F); });
    bench.run();
    for (unsigned l = 0; l < 16; ++l) {
        const bool demoted = l % 4 == 3;
        CHECK(bench.get(3, l) == 1);
        CHECK(bench.get(4, l) == 0xFFFF);
        CHECK(bench.get(5, l) == (demoted ? 0 : 1));
        CHECK(bench.get(6, l) == (demoted ? 0 : 0x7777));
    }
}

TEST_CASE("helper lanes load but do not store, unless the access is forced") {
    alignas(16) uint32_t memory[16][4] = {};
    const auto run = [&](const std::string& access) {
        Bench bench(R"(
            LOAD.i32.slot0.wait0 @r4, r2, offset:8
            STORE.i32.slot0)" +
                    access + R"(.wait0 @r6, r2, offset:0
            NOP.end
        )");
        for (unsigned l = 0; l < 16; ++l) {
            memory[l][0] = 0;
            memory[l][2] = 100 + l;
            const auto address = reinterpret_cast<uintptr_t>(memory[l]);
            bench.state.r[2].v[l] = static_cast<uint32_t>(address);
            bench.state.r[3].v[l] = static_cast<uint32_t>(address >> 32);
        }
        bench.set(6, 7);
        bench.state.live = 0x00FF;
        bench.run();
        CHECK(bench.faults.empty());
        CHECK(bench.get(4, 15) == 115);
        return memory[15][0];
    };
    CHECK(run("") == 0);
    CHECK(run(".force") == 7);
    CHECK(memory[0][0] == 7);
}

TEST_CASE("the step limit ends a warp that loops for ever") {
    Bench bench("BRANCHZ.eq 0x0, offset:-1");
    bench.options.step_limit = 1000;
    bench.run();
    REQUIRE(bench.faults.size() == 1);
    CHECK(bench.faults[0].text == "step limit reached");
    CHECK(bench.state.alive == 0);
}

TEST_CASE("a branch out of the program is a fault") {
    for (const char* text : {"BRANCHZ.eq 0x0, offset:5", "BRANCHZ.eq 0x0, offset:-9", "NOP"}) {
        Bench bench(text);
        bench.run();
        REQUIRE(bench.faults.size() == 1);
        CHECK(bench.faults[0].text == "execution left the program");
    }
}

TEST_CASE("program_counter names the next instruction, and BRANCHZI goes there") {
    Bench bench(R"(
        NOP
        IADD_IMM.i32 r48, program_counter.w0, #8
        BRANCHZI.eq.absolute 0x0, r48
        MOV.i32 r0, 0xFFFFFFFF
        NOP.end
    )");
    bench.run();
    CHECK(bench.get(48) == 24);  // word 3, the next instruction
    CHECK(bench.get(0) == 0xFFFFFFFF);
    Bench skip("IADD_IMM.i32 r48, program_counter.w0, #16\nBRANCHZI.eq.absolute 0x0, r48\n"
               "MOV.i32 r0, 0xFFFFFFFF\nNOP.end");
    skip.run();
    CHECK(skip.get(0) == 0);
}

TEST_CASE("BRANCHZI needs one target for all lanes") {
    Bench bench = lanes_bench("BRANCHZI.absolute 0xFFFFFFFF, r1\nNOP.end");
    bench.run();
    CHECK(bench.faults.size() == 1);
}

TEST_CASE("lane_id, uniforms, constants and specials as operands") {
    Bench bench("MOV.i32 r0, lane_id.w0\nMOV.i32 r1, u5\nMOV.i32 r2, 0x3F800000\n"
                "MOV.i32 r3, atest_datum.w1\nIADD.u64 r4, u6, r8\nNOP.end");
    bench.fau.resize(8);
    bench.fau[5] = 55;
    bench.fau[6] = 66;
    bench.fau[7] = 77;
    bench.draw.special[5] = 0x1122334455667788;
    bench.run();
    CHECK(bench.get(0, 13) == 13);
    CHECK(bench.get(1, 3) == 55);
    CHECK(bench.get(2) == f(1.0F));
    CHECK(bench.get(3) == 0x11223344);
    CHECK(bench.get_pair(4) == (uint64_t{77} << 32 | 66));
}

TEST_CASE("CLPER reads lanes of its subgroup") {
    const auto permuted = [](const std::string& modifiers, uint32_t operand) {
        Bench bench = lanes_bench("CLPER.i32" + modifiers + " r0, r1, r2\nNOP.end");
        bench.set(2, operand);
        bench.run();
        return bench.state.r[0];
    };
    for (unsigned l = 0; l < 16; ++l) {
        CHECK(permuted("", 18).v[l] == 2);
        CHECK(permuted(".subgroup4", 6).v[l] == (l & ~3U) + 2);
        CHECK(permuted(".subgroup4.xor", 1).v[l] == (l ^ 1));
        CHECK(permuted(".subgroup8.xor", 7).v[l] == (l ^ 7));
        CHECK(permuted(".subgroup2.xor", 3).v[l] == (l ^ 1));
        CHECK(permuted(".shift.umax", 3).v[l] == (l < 3 ? 0xFFFFFFFF : l - 3));
        CHECK(permuted(".subgroup4.shift", 1).v[l] == (l % 4 < 1 ? 0 : l - 1));
        // accumulate 4: lanes with bit 2 set read the last lane of the block before.
        CHECK(permuted(".accumulate.i1", 4).v[l] == (l & 4 ? (l & 8) | 3 : 1));
    }
}

TEST_CASE("CLPER gives its constant for lanes that do not run") {
    Bench bench = lanes_bench(R"(
        BRANCHZ.reconverge r3.h0, offset:1
        CLPER.i32.f1.end r0, r1, r2
        CLPER.v2u16.xor.v2inf.end r0, r1, r2.b00
    )");
    bench.set_lanes(3, [](unsigned l) { return l >= 8 ? 1 : 0; });
    bench.set_lanes(2, [](unsigned l) { return l >= 8 ? 8 : l + 6; });
    bench.run();
    CHECK(bench.get(0, 1) == 7);
    CHECK(bench.get(0, 2) == f(1.0F));     // lane 8 runs elsewhere
    CHECK(bench.get(0, 9) == 0x7C007C00);  // lane 1 has ended
}

TEST_CASE("CLPER moves pairs and whole words") {
    Bench bench("CLPER.u64.xor r0, r2, r4.w0\nCLPER.v4u8.subgroup4 r6, r2, r4\nNOP.end");
    bench.set_lanes(2, [](unsigned l) { return l; });
    bench.set_lanes(3, [](unsigned l) { return 100 + l; });
    bench.set(4, 3);
    bench.run();
    CHECK(bench.get_pair(0, 5) == (uint64_t{106} << 32 | 6));
    CHECK(bench.get(6, 5) == 7);
}

TEST_CASE("WMASK numbers its bits from the subgroup base") {
    Bench bench =
        lanes_bench("WMASK r0, r2\nWMASK.subgroup4 r3, r2\nWMASK.subgroup2 r4, r1\nNOP.end");
    bench.set_lanes(2, [](unsigned l) { return 0xA50CU >> l & 1; });
    bench.run();
    for (unsigned l = 0; l < 16; ++l) {
        CHECK(bench.get(0, l) == 0xA50C);
        CHECK(bench.get(3, l) == (0xA50CU >> (l & ~3U) & 15));
        CHECK(bench.get(4, l) == (l < 2 ? 2 : 3));
    }
}

TEST_CASE("derivatives of a quad by CLPER") {
    // d/dx of x*x at lanes 0..3 of a quad whose x is lane bit 0: fine differences.
    Bench bench = lanes_bench(R"(
        MOV.i32 r2, lane_id.w0
        LSHIFT_AND.i32 r2, r2, 0x0.b00, r9
        CLPER.i32.subgroup4 r3, r0, r2
        IADD_IMM.i32 r4, r2, #1
        CLPER.i32.subgroup4 r4, r0, r4
        FADD.f32.end r5, r4, r3.neg
    )");
    bench.set(9, 2);  // 3 & ~axis
    bench.set_lanes(0, [](unsigned l) { return f(static_cast<float>(l * l)); });
    bench.run();
    CHECK(bench.get(5, 4) == f(25.0F - 16.0F));
    CHECK(bench.get(5, 5) == f(25.0F - 16.0F));
    CHECK(bench.get(5, 7) == f(49.0F - 36.0F));
}

TEST_CASE("on_step sees the state around every instruction") {
    Bench bench("IADD_IMM.i32 r0, r0, #1\nIADD_IMM.i32.end r0, r0, #1");
    std::string log;
    bench.options.on_step = [&](const StepEvent& event) {
        log += std::to_string(event.word_index) + ":" + std::to_string(event.before.r[0].v[3]) +
               ">" + std::to_string(event.after.r[0].v[3]) + " ";
    };
    bench.run();
    CHECK(log == "0:0>1 1:1>2 ");
}

TEST_CASE("programs that cannot run are refused by name") {
    const auto refusal = [](std::string_view text, size_t fau = 256) {
        Program program;
        program.words = words_of(text);
        program.fau.resize(fau);
        const auto result = Interpreter::create(program);
        return result.has_value() ? std::string() : result.error().text;
    };
    CHECK(refusal("NOP.end").empty());
    CHECK(refusal("FATAN_ASSIST.f32 r0, r1, r2").find("FATAN_ASSIST.f32") != std::string::npos);
    CHECK(refusal("FMA_RSCALE_SCALE16.f32 r0, r1, r2, r3, r4").find("SCALE16") !=
          std::string::npos);
    CHECK(refusal("NOP\nBRANCHZ r0.lowbits, offset:0").find("word 1") != std::string::npos);
    CHECK(refusal("MOV.i32 r0, u7", 8).empty());
    CHECK(refusal("MOV.i32 r0, u8", 8).find("u8") != std::string::npos);
    Program bad;
    bad.words = {0x8000000000000000};
    bad.source_lines = {12};
    const auto result = Interpreter::create(bad);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == Errc::BadEncoding);
    CHECK(result.error().pos.line == 12);
}
