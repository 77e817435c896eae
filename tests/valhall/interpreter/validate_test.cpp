// Validate test: every static rule has programs that obey it and programs that violate it.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "valhall/validator/validate.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;
using exec::Stage;

namespace {

Program program_of(Stage stage, std::string_view text) {
    Program program;
    program.info.stage = stage;
    program.words = test::words_of(text);
    program.fau.resize(8);
    return program;
}

/// "V4@1 V13@2": rules and words of all diagnostics.
std::string findings(Stage stage, std::string_view text) {
    std::string result;
    for (const Diagnostic& d : validate(program_of(stage, text))) {
        result += result.empty() ? "" : " ";
        result += std::string(d.rule) + "@" + std::to_string(d.word_index);
    }
    return result;
}
std::string compute(std::string_view text) {
    return findings(Stage::Compute, text);
}
std::string vertex(std::string_view text) {
    return findings(Stage::Vertex, text);
}
std::string fragment(std::string_view text) {
    return findings(Stage::Fragment, text);
}

/// The end of a fragment program that is legal by itself: 7 words.
const std::string kEnd = R"(
    NOP.wait0126
    ATEST.wait0 @r60, r60, r3, atest_datum.w0
    NOP.wait
    BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0
    MOV.i32 r48, 0x0
    BRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1
)";

}  // namespace

TEST_CASE("legal programs of every stage have no findings") {
    CHECK(compute("NOP.end") == "");
    CHECK(fragment(kEnd) == "");
    CHECK(vertex(R"(
        LD_ATTR_IMM.slot0.v4.f32.wait0 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1
        LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0
        STORE.i128.slot0.istream @r0:r1:r2:r3, r4, offset:0
        STORE.i128.slot0.estream.end @r0:r1:r2:r3, r4, offset:32
    )") == "");
    CHECK(findings(Stage::Blend, R"(
        BLEND.slot0.v4.f32 @r0:r1:r2:r3, u0, r60, target:0x0
        BRANCHZI.absolute r48, r48
        NOP.end
    )") == "");
}

TEST_CASE("zero words at the end are padding") {
    Program program = program_of(Stage::Compute, "NOP.end");
    program.words.resize(16);
    CHECK(validate(program).empty());
}

TEST_CASE("V1: a program ends, and nothing follows") {
    CHECK(compute("") == "V1@0");
    CHECK(compute("NOP") == "V1@0");
    CHECK(compute("NOP.end\nNOP.end") == "V1@1");
    CHECK(compute("BRANCHZ.eq 0x0, offset:-1") == "");  // an endless loop is legal
    CHECK(compute("BRANCHZ.reconverge r0.h0, offset:1\nNOP.end\nNOP.end") == "");
}

TEST_CASE("V2: words that do not decode, and only those") {
    Program program = program_of(Stage::Compute, "NOP\nNOP");
    program.words.insert(program.words.begin() + 1, 0x8000000000000000);
    const auto found = validate(program);
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == "V2");
    CHECK(found[0].word_index == 1);
}

TEST_CASE("V3: branch targets lie in the program, indirect branches have their places") {
    CHECK(compute("BRANCHZ.reconverge r0.h0, offset:1\nNOP.end") == "V3@0");
    CHECK(compute("BRANCHZ.reconverge r0.h0, offset:-2\nNOP.end") == "V3@0");
    CHECK(compute("BRANCHZ.reconverge r0.h0, offset:0\nNOP.end") == "");
    CHECK(compute("BRANCHZI.absolute r0, r48\nNOP.end") == "V3@0");
    CHECK(fragment(kEnd + "") == "");
}

TEST_CASE("V4: .reconverge on divergent branches and before their targets") {
    CHECK(compute("BRANCHZ r0.h0, offset:0\nNOP.end") == "V4@0");
    CHECK(compute("BRANCHZ u0, offset:1\nNOP\nNOP.end") == "");  // uniform
    CHECK(compute("BRANCHZ.reconverge r0.h0, offset:1\nNOP\nNOP.end") == "V4@1");
    CHECK(compute("BRANCHZ.reconverge r0.h0, offset:1\nNOP.reconverge\nNOP.end") == "");
    CHECK(compute("NOP\nBRANCHZ.reconverge r0.h0, offset:-2\nNOP.end") ==
          "");  // falls through only
    CHECK(compute("BRANCHZ.end r0.h0, offset:0\nNOP.end") == "V4@0 V4@0");
}

TEST_CASE("V5: loops have one entry") {
    CHECK(compute(R"(
        BRANCHZ u0, offset:middle
        top: NOP
        middle: NOP
        BRANCHZ u1, offset:top
        NOP.end
    )") == "V5@3");
    CHECK(compute(R"(
        NOP
        top: NOP
        BRANCHZ u1, offset:top
        NOP.end
    )") == "");
}

TEST_CASE("V6: uniforms, constants, specials") {
    CHECK(compute("MOV.i32 r0, u7\nNOP.end") == "");
    CHECK(compute("MOV.i32 r0, u8\nNOP.end") == "V6@0");
    CHECK(compute("IADD.u64 r0, u6, r2\nNOP.end") == "");
    CHECK(compute("IADD.u64 r0, u0, 0x0\nNOP.end") == "V6@0");  // three words
    CHECK(compute("IADD.u32 r0, u0, u1\nNOP.end") == "");
}

TEST_CASE("V7: blend shaders have 32 registers") {
    CHECK(findings(Stage::Blend, "MOV.i32 r16, r0\nNOP.end") == "V7@0");
    CHECK(findings(Stage::Blend, "MOV.i32 r48, r15\nNOP.end") == "");
    CHECK(compute("MOV.i32 r16, r0\nNOP.end") == "");
}

TEST_CASE("V8: staging counts") {
    CHECK(compute("LOAD.i64.slot0 @r0, r2, offset:0\nNOP.end") == "V8@0");
    CHECK(compute("LOAD.i64.slot0 @r0:r1, r2, offset:0\nNOP.end") == "");
    CHECK(compute("LOAD.i8.slot0.d0 @r0:r1, r2, offset:0\nNOP.end") == "");
    CHECK(compute("LOAD.i8.slot0.d0 @r0, r2, offset:0\nNOP.end") == "V8@0");
    CHECK(compute("STORE.i48.slot0 @r0:r1, r2, offset:0\nNOP.end") == "");
    CHECK(vertex("LD_ATTR_IMM.slot0.v3.f16 @r0:r1, r60, r61, index:0x0, table:0x1\nNOP.end") == "");
    CHECK(vertex("LD_ATTR_IMM.slot0.v3.f16 @r0, r60, r61, index:0x0, table:0x1\nNOP.end") ==
          "V8@0");
    const std::string tex = "TEX_SINGLE.slot0.f.32.2d.zero ";
    CHECK(compute(tex + "@r0:r1:r2:r3, @r4:r5, u0\nNOP.end") == "");
    CHECK(compute(tex + "@r0:r1:r2, @r4:r5, u0\nNOP.end") == "V8@0");
    CHECK(compute(tex + "@r0:r1:r2:r3, @r4, u0\nNOP.end") == "V8@0");
    CHECK(compute("TEX_SINGLE.slot0.f.16.rgb.cube.array_enable.shadow.texel_offset.explicit "
                  "@r0:r1, @r4:r5:r6:r7:r8:r9, u0\nNOP.end") == "");
    CHECK(compute("ATOM_RETURN.i32.slot0.compare.axchg @r0, @r2:r3, r4, offset:0x0\nNOP.end") ==
          "");
    CHECK(compute("ATOM_RETURN.i32.slot0.compare.axchg @r0, @r2, r4, offset:0x0\nNOP.end") ==
          "V8@0");
    CHECK(compute("ATOM1_RETURN.i32.slot0.ainc @, r4, offset:0x0\nNOP.end") == "");
}

TEST_CASE("V10: modifiers that mean nothing together") {
    CHECK(compute("ICMP.u32.lt.u1.seq r0, r1, r2, 0x0\nNOP.end") == "");
    CHECK(compute("ICMP.u32.lt.u1 r0, r1, r2, 0x0\nNOP.end") == "V10@0");
    CHECK(compute("ICMP.s32.lt.u1.seq r0, r1, r2, 0x0\nNOP.end") == "V10@0");
    CHECK(compute("ICMP.u32.lt.i1.and.seq r0, r1, r2, 0x0\nNOP.end") == "V10@0");
    CHECK(compute("ICMP.v2u16.lt.i1.seq r0, r1, r2, 0x0\nNOP.end") == "V10@0");
    CHECK(compute("ICMP.s32.total.i1 r0, r1, r2, 0x0\nNOP.end") == "V10@0");
    CHECK(compute("FCMP.f32.total.i1 r0, r1, r2, 0x0\nNOP.end") == "");
    CHECK(compute("FEXP.f32.clamp_0_1 r0, r1, r2\nNOP.end") == "V10@0");
    CHECK(compute("BRANCHZ.reconverge r0.lowbits, offset:0\nNOP.end") == "V10@0");
    CHECK(compute("IADD.u64.saturate r0, r2, r4\nNOP.end") == "V10@0");
    CHECK(compute("FATAN_ASSIST.f32 r0, r2, r4\nNOP.end") == "V10@0");
}

TEST_CASE("V11: last-use marks") {
    CHECK(compute("FADD.f32 r0, ^r1, r2\nNOP.end") == "");
    CHECK(compute("FADD.f32 r0, ^r1, r2\nMOV.i32 r0, r1\nNOP.end") == "V11@0");
    CHECK(compute("FADD.f32 r1, ^r1, r2\nMOV.i32 r0, r1\nNOP.end") == "");
    CHECK(compute("FADD.f32 r1.h0, ^r1, r2\nMOV.i32 r0, r1\nNOP.end") == "V11@0");
    CHECK(compute("top: MOV.i32 r0, ^r1\nBRANCHZ u0, offset:top\nNOP.end") == "V11@0");
    CHECK(compute("STORE.i64.slot0 @r2:r3, ^r2, offset:0\nNOP.end") == "V11@0 V11@0");
    CHECK(compute("IADD.u64 r0, ^r2, r4\nMOV.i32 r0, r3\nNOP.end") == "V11@0");
}

TEST_CASE("V12: slots") {
    CHECK(compute("LOAD.i32.slot7 @r0, r2, offset:0\nNOP.end") == "V12@0");
    CHECK(compute("BARRIER.slot7.wait\nNOP.end") == "");
    CHECK(compute("BARRIER.slot0.wait\nNOP.end") == "V12@0");
}

TEST_CASE("V13 R1: wait before a staging destination is read or overwritten") {
    CHECK(compute("LOAD.i32.slot0 @r0, r2, offset:0\nMOV.i32 r4, r0\nNOP.end") == "V13@1");
    CHECK(compute("LOAD.i32.slot0 @r0, r2, offset:0\nMOV.i32 r0, r4\nNOP.end") == "V13@1");
    CHECK(compute("LOAD.i32.slot0 @r0, r2, offset:0\nMOV.i32 r0.h1, r4\nNOP.end") == "V13@1");
    CHECK(compute("LOAD.i32.slot0.wait0 @r0, r2, offset:0\nMOV.i32 r4, r0\nNOP.end") == "");
    CHECK(compute("LOAD.i32.slot1.wait0 @r0, r2, offset:0\nMOV.i32 r4, r0\nNOP.end") == "V13@1");
    CHECK(compute("LOAD.i32.slot1 @r0, r2, offset:0\nNOP.wait012\nMOV.i32 r4, r0\nNOP.end") == "");
    // On one of two paths only.
    CHECK(compute(R"(
        BRANCHZ u0, offset:join
        LOAD.i32.slot0 @r0, r2, offset:0
        join: MOV.i32 r4, r0
        NOP.end
    )") == "V13@2");
    // Around a loop.
    CHECK(compute(R"(
        top: MOV.i32 r4, r0
        LOAD.i32.slot0 @r0, r2, offset:0
        BRANCHZ u0, offset:top
        NOP.end
    )") == "V13@0 V13@1");
}

TEST_CASE("V13 R2: last-use marks wait for messages that still read the register") {
    const std::string store = "STORE.i32.slot0 @r0, r2, offset:0\n";
    CHECK(compute(store + "MOV.i32 r4, ^r0\nNOP.end") == "V13@1");
    CHECK(compute(store + "MOV.i32.wait0 r4, r0\nMOV.i32 r5, ^r0\nNOP.end") == "");
    CHECK(compute(store + "MOV.i32 r0, r5\nNOP.end") == "");  // overwriting is interlocked
}

TEST_CASE("V13 R3: memory accesses that may touch the same bytes are ordered by waits") {
    const auto two = [](const std::string& first, const std::string& second) {
        return compute(first + "\n" + second + "\nNOP.end");
    };
    const std::string load = "LOAD.i32.slot0 @r0, r4, offset:0";
    CHECK(two(load, "LOAD.i32.slot0 @r1, r4, offset:0") == "");
    CHECK(two(load, "STORE.i32.slot0 @r1, r4, offset:0") == "V13@1");
    CHECK(two(load, "STORE.i32.slot0 @r1, r4, offset:4") == "");
    CHECK(two(load, "STORE.i32.slot0 @r1, r4, offset:3") == "V13@1");
    CHECK(two(load, "STORE.i32.slot0 @r1, r6, offset:4") == "V13@1");
    CHECK(two("STORE.i32.slot0 @r0, r4, offset:0", "STORE.i32.slot0 @r1, r4, offset:0") == "V13@1");
    CHECK(two("STORE.i32.slot0.wait0 @r0, r4, offset:0", "STORE.i32.slot0 @r1, r4, offset:0") ==
          "");
    CHECK(two("STORE.i32.slot0 @r0, r4, offset:0", "STORE.i32.slot0.force @r1, r6, offset:0") ==
          "");  // thread-local storage
    CHECK(two("ATOM.i32.slot0.aadd @r0, r4, offset:0x0", "LOAD.i32.slot0 @r1, r4, offset:0") ==
          "V13@1");
    CHECK(two("STORE.i32.slot0 @r0, r4, offset:0", "LD_BUFFER.i32.slot0 @r1, r6, 0x0") == "");
    CHECK(compute("STORE.i32.slot0 @r0, r4, offset:0\nMOV.i32 r4, r6\n"
                  "STORE.i32.slot0 @r1, r4, offset:4\nNOP.end") == "V13@2");
}

TEST_CASE("V13 R4: varying loads share one position") {
    const std::string first = "LD_VAR_BUF_IMM.f32.slot0.src_f32.center.store @r4, r61, index:0x0\n";
    const std::string again =
        "LD_VAR_BUF_IMM.f32.slot0.src_f32.center.retrieve @r5, r61, index:0x4\n";
    const std::string store = "LD_VAR_BUF_IMM.f32.slot0.src_f32.center.store @r5, r61, index:0x4\n";
    CHECK(fragment(first + again + kEnd) == "");
    CHECK(fragment(first + store + kEnd) == "V13@1");
    CHECK(fragment(first + "NOP.wait0\n" + store + kEnd) == "");
    CHECK(fragment(first + "BRANCHZ u0, offset:0\n" + kEnd) == "V13@1");
}

TEST_CASE("V13 R5 and R6: waits before BARRIER, ATEST and the tile buffer") {
    CHECK(compute("LOAD.i32.slot0 @r0, r2, offset:0\nBARRIER.slot7.wait\nNOP.end") == "V13@1");
    CHECK(compute("LOAD.i32.slot0.wait0 @r0, r2, offset:0\nBARRIER.slot7.wait\nNOP.end") == "");
    CHECK(compute("BARRIER.slot7\nNOP.end") == "V13@0");
    CHECK(fragment("NOP.wait\nLD_TILE.slot0.v4.f32.wait0 @r0:r1:r2:r3, r59, r60, u0\n" + kEnd) ==
          "");
    CHECK(fragment("LD_TILE.slot0.v4.f32.wait0 @r0:r1:r2:r3, r59, r60, u0\n" + kEnd) == "V13@0");
    const std::string atest = "ATEST.wait0 @r60, r60, r3, atest_datum.w0\n";
    CHECK(fragment("NOP.wait012\n" + atest + "NOP.end") == "V13@1");
    CHECK(fragment(atest + "NOP.end") == "V13@0");
    CHECK(fragment("NOP.wait\n" + atest + "NOP.end") == "");
    CHECK(fragment("NOP.wait0126\nATEST @r60, r60, r3, atest_datum.w0\nMOV.i32 r0, r60\nNOP.end") ==
          "V13@2");
}

TEST_CASE("V14: retrieve needs its store") {
    const std::string retrieve =
        "LD_VAR_BUF_IMM.f32.slot0.src_f32.center.retrieve.wait0 @r5, r61, index:0x4\n";
    const auto load = [](const std::string& mode) {
        return "LD_VAR_BUF_IMM.f32.slot0.src_f32." + mode + ".wait0 @r4, r61, index:0x0\n";
    };
    CHECK(fragment(retrieve + kEnd) == "V14@0");
    CHECK(fragment(load("center.store") + retrieve + kEnd) == "");
    CHECK(fragment(load("sample.store") + retrieve + kEnd) == "V14@1");
    CHECK(fragment(load("center.store") + load("center.clobber") + retrieve + kEnd) == "V14@2");
    CHECK(fragment(load("center.store") + "BRANCHZ u0, offset:0\n" + retrieve + kEnd) == "V14@2");
    const std::string z = "LD_VAR_SPECIAL.slot0.f32.center.";
    CHECK(fragment(z + "clobber.wait0 @r4, r61, index:0x3\n" + kEnd) == "");
    CHECK(fragment(z + "store.wait0 @r4, r61, index:0x3\n" + kEnd) == "V14@0");
}

TEST_CASE("V15: operands that must be uniform are not known to differ") {
    CHECK(vertex("LD_BUFFER.i32.slot0.wait0 @r0, r1, r60\nNOP.end") == "V15@0");
    CHECK(vertex("MOV.i32 r60, u0\nLD_BUFFER.i32.slot0.wait0 @r0, r1, r60\nNOP.end") == "");
    CHECK(vertex("LD_BUFFER.i32.slot0.wait0 @r0, r60, u0\nNOP.end") == "");
    CHECK(compute("LD_BUFFER.i32.slot0.wait0 @r0, r1, lane_id.w0\nNOP.end") == "V15@0");
}

TEST_CASE("V16: instructions belong to stages") {
    const std::string discard = "DISCARD.f32.eq 0x0, 0x0\n";
    CHECK(fragment(discard + kEnd) == "");
    CHECK(compute(discard + "NOP.end") == "V16@0");
    CHECK(compute("NOP.discard\nNOP.end") == "V16@0");
    CHECK(fragment("NOP.discard\n" + kEnd) == "");
    CHECK(fragment("BARRIER.slot7.wait\n" + kEnd) == "V16@0");
    CHECK(fragment("LEA_BUF_IMM.slot0 @r4:r5, r59, table:0xD, index:0x0\n" + kEnd) == "V16@0");
    CHECK(compute("LEA_BUF_IMM.slot0 @r4:r5, r59, table:0xD, index:0x0\nNOP.end") == "");
    CHECK(fragment("LD_ATTR_IMM.slot0.f32.wait0 @r0, r60, r61, index:0x0, table:0x1\n" + kEnd) ==
          "V16@0");
    CHECK(findings(Stage::Blend, "NOP.wait\nNOP.end") == "V16@0");
}

TEST_CASE("V17: one ATEST, at most one ZS_EMIT, then the BLENDs") {
    const std::string atest = "NOP.wait0126\nATEST.wait0 @r60, r60, r3, atest_datum.w0\n";
    const std::string zs = "NOP.wait0126\nZS_EMIT.z.slot0.wait0 @r60, r0, r1, r60\n";
    const std::string blend = R"(
        NOP.wait
        BLEND.slot0.v4.f32.wait @r0:r1:r2:r3, blend_descriptor_1.w0, r60, target:0x2
        IADD_IMM.i32 r48, program_counter.w0, #0x8
        BRANCHZI.eq.absolute 0x0, blend_descriptor_1.w1
    )";
    CHECK(fragment("NOP.end") == "V17@0");
    CHECK(fragment(atest + "NOP.end") == "");
    CHECK(fragment(atest + atest + "NOP.end") == "V17@3");
    CHECK(fragment(atest + zs + "NOP.end") == "");
    CHECK(fragment(zs + atest + "NOP.end") == "V17@1 V17@3");
    CHECK(fragment(atest + zs + zs + "NOP.end") == "V17@5");
    CHECK(fragment(blend + "NOP.end") == "V17@1 V17@4");
    CHECK(fragment(atest + blend + "NOP.end") == "");
    CHECK(fragment(atest + blend + blend + "NOP.end") == "V17@7");
    CHECK(fragment("BRANCHZ u0, offset:2\n" + atest + "NOP.end") == "V17@3");
}

TEST_CASE("V18: coverage stays in r60, side effects come before BLEND") {
    CHECK(fragment("NOP.wait0126\nATEST.wait0 @r59, r60, r3, atest_datum.w0\nNOP.end") == "V18@1");
    CHECK(fragment("NOP.wait0126\nATEST.wait0 @r60, r59, r3, atest_datum.w0\nNOP.end") == "V18@1");
    CHECK(fragment("NOP.wait0126\nATEST.wait0 @r60, r60, r3, atest_datum.w0\n"
                   "DISCARD.f32.eq 0x0, 0x0\nNOP.end") == "V18@2");
    CHECK(fragment(R"(
        NOP.wait0126
        ATEST.wait @r60, r60, r3, atest_datum.w0
        BLEND.slot0.v4.f32.wait @r0:r1:r2:r3, blend_descriptor_1.w0, r61, target:0x2
        IADD_IMM.i32 r48, program_counter.w0, #0x8
        BRANCHZI.eq.absolute 0x0, blend_descriptor_1.w1
        STORE.i32.slot0.end @r0, r4, offset:0
    )") == "V18@2 V18@5");
}

TEST_CASE("V19: the shape of BLEND and of its epilogue") {
    const auto program = [](const std::string& blend, const std::string& link) {
        return fragment("NOP.wait0126\nATEST.wait @r60, r60, r3, atest_datum.w0\n" + blend + "\n" +
                        link + "\nBRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1\nNOP.end");
    };
    const std::string link = "IADD_IMM.i32 r48, program_counter.w0, #0x8";
    const std::string blend = "BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, ";
    CHECK(program(blend + "target:0x2", link) == "");
    CHECK(program(blend + "target:0x1", link) == "V19@2");
    CHECK(program(blend + "target:0x2", "MOV.i32 r48, 0x0") == "V19@3");
    CHECK(program("BLEND.slot0.v4.f32 @r4:r5:r6:r7, blend_descriptor_0.w0, r60, target:0x2",
                  link) == "V19@2");
    CHECK(program("BLEND.slot0.v3.f32 @r0:r1:r2, blend_descriptor_0.w0, r60, target:0x2", link) ==
          "V19@2");
    CHECK(program("BLEND.slot0.v4.f16 @r0:r1, blend_descriptor_0.w0, r60, target:0x2", link) == "");
    CHECK(fragment("NOP.wait0126\nATEST.wait @r60, r60, r3, atest_datum.w0\n" + blend +
                   "target:0x0\nNOP.end") == "V19@2 V19@2");
}

TEST_CASE("rules are numbered, and diagnostics name place and rule") {
    const auto rules = validation_rules();
    REQUIRE(rules.size() == 22);
    for (size_t k = 0; k < rules.size(); ++k)
        CHECK(rules[k].id == "V" + std::to_string(k + 1));
    Program program = program_of(Stage::Compute, "NOP");
    program.source_name = "a.vasm";
    program.source_lines = {7};
    CHECK(format_diagnostic(validate(program).at(0), program) ==
          "a.vasm:7: error: word 0: execution runs past the last instruction without .end [V1]");
}

TEST_CASE("the number of diagnostics is limited and in the order of the words") {
    std::string text;
    for (int n = 0; n < 50; ++n)
        text += "FEXP.f32.clamp_0_1 r0, r1, r2\n";
    Program program = program_of(Stage::Compute, text + "NOP.end");
    const auto found = validate(program, 10);
    CHECK(found.size() == 10);
    CHECK(std::ranges::is_sorted(found, {}, &Diagnostic::word_index));
}
