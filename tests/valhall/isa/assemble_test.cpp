// Assemble test: checks whole files of assembly (comments, labels, errors) and error messages.
// SPDX-License-Identifier: MIT
#include "valhall/text/assemble.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// The error of one line; checks that there is one, and its column.
std::string error_of(std::string_view line, uint32_t column) {
    const auto word = assemble_line(line);
    REQUIRE_MESSAGE(!word.has_value(), std::string(line));
    CHECK_MESSAGE(word.error().pos.column == column,
                  (std::string(line) + ": " + word.error().text));
    return word.error().text;
}

}  // namespace

TEST_CASE("comments, blank lines, blanks and carriage returns do not matter") {
    const Assembly plain = assemble("NOP\nMOV.i32 r0, r1\n");
    const Assembly spaced =
        assemble("# comment\n\n  NOP \t\r\n\t# MOV.i32 r5, r6\n   \nMOV.i32\t r0 ,\tr1");
    REQUIRE(plain.errors.empty());
    REQUIRE(spaced.errors.empty());
    CHECK(plain.words == spaced.words);
    CHECK(plain.lines == std::vector<uint32_t>{1, 2});
    CHECK(spaced.lines == std::vector<uint32_t>{3, 6});
}

TEST_CASE("an empty file is an empty program") {
    for (const char* text : {"", "\n", "# only a comment", "label:\n"}) {
        const Assembly result = assemble(text);
        CHECK(result.words.empty());
        CHECK(result.errors.empty());
    }
}

TEST_CASE("labels count instructions from the one after the branch") {
    const Assembly named =
        assemble("start: NOP\n"
                 "loop:\n"
                 "  # the body\n"
                 "  BRANCHZ r0.h0, offset:loop\n"
                 "  BRANCHZ r0.h0, offset:end\n"
                 "  BRANCHZ r0.h0, offset:start\n"
                 "  BLEND.slot0.f32 @r0, blend_descriptor_0.w0, r60, target:end\n"
                 "  NOP\n"
                 "a: b: end: NOP.end\n"
                 "after:\n");
    const Assembly numbered = assemble("NOP\n"
                                       "BRANCHZ r0.h0, offset:-1\n"
                                       "BRANCHZ r0.h0, offset:3\n"
                                       "BRANCHZ r0.h0, offset:-4\n"
                                       "BLEND.slot0.f32 @r0, blend_descriptor_0.w0, r60, target:1\n"
                                       "NOP\n"
                                       "NOP.end\n");
    REQUIRE(named.errors.empty());
    REQUIRE(numbered.errors.empty());
    CHECK(named.words == numbered.words);
}

TEST_CASE("bad labels are errors at their place") {
    const Assembly result =
        assemble("x: NOP\nx: NOP\nBRANCHZ r0, offset:y\nLOAD.i32.slot0 @r0, r2, offset:x\n"
                 "z: BLEND.slot0.f32 @r0, u0, r1, target:z\n1: NOP\n");
    REQUIRE(result.errors.size() == 5);
    CHECK(result.errors[0].pos == SourcePos{2, 1});
    CHECK(contains(result.errors[0].text, "'x' is defined twice"));
    CHECK(result.errors[1].pos == SourcePos{3, 20});
    CHECK(contains(result.errors[1].text, "no label 'y'"));
    CHECK(result.errors[2].pos == SourcePos{4, 32});  // a byte offset cannot be a label
    CHECK(result.errors[3].pos.line == 5);            // BLEND cannot jump backwards
    CHECK(contains(result.errors[3].text, "0..255"));
    CHECK(result.errors[4].pos == SourcePos{6, 1});
}

TEST_CASE("every line with an error is reported, up to the limit") {
    const std::string text = "NOP\nFOO\nNOP\nMOV.i32 r64, r0\nMOV.i32 r0\n";
    const Assembly result = assemble(text);
    REQUIRE(result.errors.size() == 3);
    CHECK(result.errors[0].pos == SourcePos{2, 1});
    CHECK(result.errors[1].pos == SourcePos{4, 9});
    CHECK(result.errors[2].pos == SourcePos{5, 9});
    CHECK(result.words.size() == 1);
    CHECK(assemble(text, 2).errors.size() == 2);
}

TEST_CASE("errors name the operand and the rule, at the operand's column") {
    CHECK(contains(error_of("FMA.f32 r0, r1, r2, r99", 21),
                   "source 2 (C): register 'r99' out of range, r0..r63"));
    CHECK(
        contains(error_of("FMA.f32 r0, r1, r2", 9), "takes 4 operands (destination, source 0 (A)"));
    CHECK(contains(error_of("IADD.u64 r1, r2, r4", 10),
                   "destination: a 64-bit result needs an even register"));
    CHECK(contains(error_of("IADD.u64 r0, r2, r5", 18),
                   "source 1 (B): a 64-bit read needs an even register"));
    CHECK(contains(error_of("FADD.f32 r0, u0, u2", 1), "64-bit slots, at most 1"));
    CHECK(contains(error_of("  FADD.f32 r0, u0, u64", 3), "one page"));
    CHECK(contains(error_of("ICMP.u32.eq r0, r1, r2, r3", 1),
                   "modifier result_type is missing, one of .i1 .f1"));
    CHECK(contains(error_of("MOV.i32.clamp_0_1 r0, r1", 9), "has no modifier 'clamp_0_1'"));
    CHECK(contains(error_of("MOV.i32.clump r0, r1", 9), "unknown modifier 'clump'"));
    CHECK(contains(error_of("NOP.wait0.end", 11), "'end' is given twice"));
    CHECK(contains(error_of("S8_TO_S32 r0, r1", 15),
                   "needs one of the selectors .b0, .b1, .b2, .b3"));
    CHECK(contains(error_of("FADD.f32 r0, r1.b0, r2", 17),
                   "takes one of the selectors .h0, .h1, got 'b0'"));
    CHECK(contains(error_of("MOV.i32 r0, r1.h0", 16), "takes no selector"));
    CHECK(contains(error_of("MOV.i32 r0, lane_id", 13), "needs .w0 or .w1 first"));
    CHECK(contains(error_of("MOV.i32 r0, 0x12", 13), "not one of the 32 small constants"));
    CHECK(
        contains(error_of("LOAD.i64.slot0 @r1:r2, r4, offset:0", 16), "must start at an even one"));
    CHECK(contains(error_of("LOAD.i64.slot0 @r0:r2, r4, offset:0", 20), "must be consecutive"));
    CHECK(contains(error_of("LOAD.i64.slot0 @r0, r4, offset:40000", 25),
                   "out of range, -32768..32767"));
    CHECK(contains(error_of("LOAD.i64.slot0 @r0, r4, #4", 25), "expected offset:<number>"));
}

TEST_CASE("unprintable text is shown harmlessly and shortened") {
    const std::string text = error_of(std::string("\x1b[31m\0\xff", 7) + std::string(1000, 'x'), 1);
    CHECK(text.size() < 100);
    for (const char c : text)
        CHECK((c >= ' ' && c <= '~'));
}

TEST_CASE("what the grammar allows beside the canonical form") {
    const struct {
        const char* written;
        const char* canonical;
    } pairs[] = {
        {"FADD.f32.end.clamp_0_1 r0, r1, r2", "FADD.f32.clamp_0_1.end r0, r1, r2"},
        {"FADD.f32 r0, r1.h1.abs.neg, r2", "FADD.f32 r0, r1.neg.abs.h1, r2"},
        {"FADD.f32 r0, r1, 0x000000003f800000", "FADD.f32 r0, r1, 0x3F800000"},
        {"FROUND.f32.rte r0, r1", "FROUND.f32 r0, r1"},
        {"FADD.v2f16 r0, r1.h01, r2", "FADD.v2f16 r0, r1, r2"},
        {"LSHIFT_OR.i32 r0, r1, r2.b00, r3.not", "LSHIFT_OR.i32 r0, r1, r2.b00, r3.not"},
        {"LOAD.i32.slot0.w0 @r0, r2, offset:-0x10", "LOAD.i32.slot0 @r0, r2, offset:-16"},
        {"IADD_IMM.i32 r0, r1, #16", "IADD_IMM.i32 r0, r1, #0x10"},
        {"WMASK.subgroup16 r0, r1", "WMASK r0, r1"},
        {"TEX_DUAL.2d.32.slot0.16.f.zero @r0, @r2:r3, u0",
         "TEX_DUAL.slot0.f.32.16.2d.zero @r0, @r2:r3, u0"},
        {"VAR_TEX_SINGLE.16.32.slot0.center_store.f.2d.zero @r0, u0, r2",
         "VAR_TEX_SINGLE.slot0.center_store.f.16.32.2d.zero @r0, u0, r2"},
        {"IADD.u64 r0, thread_local_pointer.w0.w0, r2",
         "IADD.u64 r0, thread_local_pointer.w0.w0, r2"},
    };
    for (const auto& pair : pairs) {
        const auto written = assemble_line(pair.written);
        const auto canonical = assemble_line(pair.canonical);
        REQUIRE_MESSAGE(written.has_value(), pair.written);
        REQUIRE_MESSAGE(canonical.has_value(), pair.canonical);
        CHECK_MESSAGE(*written == *canonical, pair.written);
    }
}
