// Idiom test: shortened code for selections and sign changes computes equal results.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>
#include <span>
#include <string>

using namespace valkyr;
using namespace valkyr::test;

namespace {

void check_text(const std::string& text, Random& random, bool strict = false) {
    ComputeCase test;
    fill_inputs(test, random);
    test.strict_nan = strict;
    test.body = words_of(text + "NOP.end\n");
    const std::string report = disagreement(test);
    CHECK_MESSAGE(report.empty(), report);
}

size_t code_bytes(jit::Recompiler& recompiler, const std::string& text) {
    ComputeCase test;
    test.body = words_of(text + "NOP.end\n");
    const auto kernel = recompiler.recompile(make_program(test), {}, {});
    REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
    return (*kernel)->code_bytes();
}

/// Constants: counts of shifts, and masks of words with few bits.
constexpr const char* kConstants =
    "IADD_IMM.i32 r58, 0x0, #0x1\nIADD_IMM.i32 r59, 0x0, #0x2\nIADD_IMM.i32 r60, 0x0, #0x9\n"
    "IADD_IMM.i32 r61, 0x0, #0x7FFFFFFF\nIADD_IMM.i32 r62, 0x0, #0x3FFFFFFF\n"
    "IADD_IMM.i32 r63, 0x0, #0xFF\n";

/// A line of a program whose registers before rN, from r8, have values: one of `rows` with rN as
/// the result, and such registers, with some of the modifiers, for rA and rB.
std::string random_line(std::span<const char* const> rows,
                        unsigned result,
                        Random& random,
                        std::span<const char* const> modifiers) {
    std::string text = rows[random.below(static_cast<unsigned>(rows.size()))];
    const auto put = [&](const char* name, const std::string& with) {
        for (size_t at; (at = text.find(name)) != std::string::npos;)
            text.replace(at, 2, with);
    };
    const auto source = [&] {
        return "r" + std::to_string(8 + random.below(result - 8 + 1)) +
               modifiers[random.below(static_cast<unsigned>(modifiers.size()))];
    };
    put("rN", "r" + std::to_string(result));
    if (result > 8) {
        put("rA", source());
        put("rB", source());
    }
    return text + "\n";
}

/// Lines that programs are made of: the first registers come from makers, the others from steps.
struct Lines {
    std::span<const char* const> makers;
    std::span<const char* const> steps;
    std::span<const char* const> modifiers;
    const char* before = "";  ///< what each program begins with
};

void check_random_programs(const Lines& lines, Random& random) {
    for (unsigned round = 0; round < rounds(400); ++round) {
        std::string text = lines.before;
        for (unsigned r = 8; r < 28; ++r)
            text += random_line(r < 12 ? lines.makers : lines.steps, r, random, lines.modifiers);
        CAPTURE(text);
        check_text(text, random);
    }
}

}  // namespace

TEST_CASE("selections between the compared numbers, of numbers and zero") {
    Random random(91);
    constexpr const char* conditions[] = {"eq", "gt", "ge", "ne", "lt", "le"};
    constexpr const char* operands[] = {"r1, r2, r1, r2",   "r1, r2, r2, r1",   "r1, u1, r1, u1",
                                        "r1, u1, u1, r1",   "u1, r1, u1, r1",   "u1, r1, r1, u1",
                                        "r1, 0x0, r1, 0x0", "r1, 0x0, 0x0, r1", "r1, r2, r3, 0x0",
                                        "r1, r2, 0x0, r3",  "r1, r1, r1, r1",   "r1, u1, r2, r3",
                                        "u2, u3, u3, u2",   "r1, r2, r1, r3"};
    for (unsigned round = 0; round < rounds(8); ++round)
        for (const char* type : {"f32", "s32", "u32"})
            for (const char* condition : conditions)
                for (const char* operand : operands) {
                    CAPTURE(type);
                    CAPTURE(condition);
                    CAPTURE(operand);
                    const std::string name = std::string("CSEL.") + type + "." + condition + " r";
                    check_text(name + "8, " + operand + "\n" + name + "1, " + operand + "\n",
                               random);
                }
    for (const char* operand : {"r1, 0x0, r2, 0x0", "r1, r2, r2, r1", "r1, r2, 0x0, r2"})
        check_text(std::string("CSEL.f32.gtlt r8, ") + operand + "\n", random);
}

TEST_CASE("the larger of a number and its negation, and negations") {
    Random random(92);
    for (unsigned round = 0; round < rounds(40); ++round)
        for (const bool strict : {false, true}) {
            // The first program sees signalling NaNs, the second only quiet ones.
            check_text("FMAX.f32 r8, r1, r1.neg\nFMAX.f32 r9, r2.neg, r2\n", random, strict);
            check_text("FADD.f32 r1, r1, 0x0\nFMAX.f32 r8, r1, r1.neg\nFMAX.f32 r1, r1.neg, r1\n"
                       "FADD.f32 r2, r2, 0x0\nFADD.f32 r9, r2.neg, 0x0.neg\n"
                       "FADD.f32 r2, r2.abs.neg, 0x0.neg\nFMAX.f32.clamp_0_1 r3, r2, r2.neg\n",
                       random, strict);
        }
}

TEST_CASE("minimum and maximum of zeros, infinities and NaNs") {
    Random random(93);
    for (unsigned round = 0; round < rounds(100); ++round) {
        check_text("FMIN.f32 r8, r1, r2\nFMAX.f32 r9, r1, r2\nFMIN.f32 r3, r3, r4\n"
                   "FMAX.f32 r5, r6, r5\nFMIN.f32 r7, r7, r7\n",
                   random);
    }
}

TEST_CASE("minimum and maximum of numbers, of positive ones and of any") {
    Random random(95);
    // Operands of which something is known, or nothing; zeros of both signs are frequent.
    constexpr const char* kMakers[] = {"FADD.f32.clamp_0_1 rN, r1, 0x0.neg",
                                       "FADD.f32.clamp_m1_1 rN, r2, 0x0.neg",
                                       "FADD.f32.clamp_0_inf rN, r3, r1",
                                       "U16_TO_F32 rN, r4.h00",
                                       "S16_TO_F32 rN, r5.h10",
                                       "U32_TO_F32 rN, r6",
                                       "FADD.f32 rN, r7, 0x0.neg",
                                       "MOV.i32 rN, r1",
                                       "FMAX.f32 rN, r2, 0x0",
                                       "FMIN.f32 rN, r3, 0x0",
                                       "FADD.f32.clamp_0_1 rN, r4, r4.neg",
                                       "FMA.f32 rN, r5, 0x0, 0x0.neg",
                                       "FADD.f32.clamp_m1_1 rN, 0x0.neg, r1",
                                       "MOV.i32 rN, 0x0"};
    constexpr const char* kSteps[] = {
        "FMIN.f32 rN, rA, rB",         "FMAX.f32 rN, rA, rB",
        "FMA.f32 rN, rA, rB, 0x0.neg", "FADD.f32 rN, rA, rB",
        "FROUND.f32.rtn rN, rA",       "F32_TO_U32.rtp rN, rA",
        "F32_TO_S32.rtn rN, rA",       "FMIN.f32 rN, rA, 0x3F800000.neg"};
    constexpr const char* kModifiers[] = {"", "", ".neg", ".abs", ".abs.neg"};
    check_random_programs({kMakers, kSteps, kModifiers}, random);
}

TEST_CASE("divisions by numbers that are known to be 1 or more are computed like all others") {
    Random random(98);
    // Divisors from 1 on, or not, with and without an upper bound; NaNs are replaced behind the
    // division.
    constexpr const char* kMakers[] = {"FADD.f32.clamp_0_1 rN, r1, 0x0.neg",
                                       "FADD.f32.clamp_0_inf rN, r2, 0x0.neg",
                                       "FADD.f32.clamp_m1_1 rN, r3, 0x0.neg",
                                       "FMAX.f32 rN, r4, 0x3F800000",
                                       "FMIN.f32 rN, r5, 0x3F800000",
                                       "FADD.f32 rN, r6, 0x0.neg",
                                       "U16_TO_F32 rN, r7.h00",
                                       "MOV.i32 rN, 0x3F800000"};
    constexpr const char* kSteps[] = {"FADD.f32 rN, rA, 0x3F800000",
                                      "FADD.f32 rN, rA, rB",
                                      "FADD.f32.clamp_0_inf rN, rA, rB",
                                      "FMA.f32 rN, rA, rB, 0x3F800000",
                                      "FMA.f32 rN, rA, rB, 0x0.neg",
                                      "FMAX.f32 rN, rA, rB",
                                      "FMIN.f32 rN, rA, rB",
                                      "FROUND.f32.rtn rN, rA",
                                      "FRCP.f32 rN, rA",
                                      "FRSQ.f32 rN, rA",
                                      "CSEL.f32.eq rN, rA, rA, rA, rB",
                                      "CSEL.f32.lt rN, rA, rB, rA, rB",
                                      "F32_TO_U32 rN, rA"};
    constexpr const char* kModifiers[] = {""};
    check_random_programs({kMakers, kSteps, kModifiers}, random);
}

TEST_CASE("quotients by numbers from 1 on are not tested for NaN") {
    const auto bytes = [](jit::Recompiler& recompiler, const std::string& addend) {
        return code_bytes(recompiler, "FADD.f32.clamp_0_1 r8, r1, 0x0.neg\n"
                                      "FADD.f32 r9, r8, " +
                                          addend +
                                          "\nFRCP.f32 r10, r9\n"
                                          "FMA.f32 r11, r8, r10, 0x0.neg\n"
                                          "CSEL.f32.eq r12, r11, r11, r11, r10\n");
    };
    for (const auto& recompiler : recompilers())
        CHECK(bytes(*recompiler, "0x3F800000") < bytes(*recompiler, "0x3F800000.neg"));
}

TEST_CASE("floats that are known to be small become integers like all others") {
    Random random(93);
    // Sums of at most 2^30 are known, then they are not; infinities and NaNs never are.
    constexpr const char* kAddends[] = {"0x38000000.h1", "r1", "u1", "0x0.neg"};
    for (unsigned round = 0; round < rounds(60); ++round)
        for (const char* mode : {"", ".rtp", ".rtn", ".rtz"}) {
            const char* const addend = kAddends[random.below(std::size(kAddends))];
            std::string text = "U16_TO_F32 r8, r1.h" + std::string(random.one_in(2) ? "00" : "10") +
                               "\nFADD.f32 r8, r8, " + addend + "\n";
            for (unsigned n = random.below(20); n != 0; --n)
                text += "FADD.f32 r8, r8, r8\n";
            CAPTURE(text);
            check_text(text + "F32_TO_S32" + mode + " r9, r8\nF32_TO_S32" + mode +
                           " r10, r8.neg\nF32_TO_U32" + mode + " r11, r8\n",
                       random);
        }
}

TEST_CASE("words of which upper bits are known to be 0 are computed like all others") {
    Random random(97);
    // Words of few bits, of 31 and of 32, and steps that keep, add or lose upper bits.
    constexpr const char* kMakers[] = {"LSHIFT_AND.i32 rN, r1, 0x0.b00, r61",
                                       "LSHIFT_AND.i32 rN, r2, 0x0.b00, r62",
                                       "LSHIFT_AND.i32 rN, r3, 0x0.b00, r63",
                                       "RSHIFT_OR.i32 rN, r4, r58.b00, 0x0",
                                       "RSHIFT_OR.i32.signed rN, r5, r58.b00, 0x0",
                                       "U16_TO_U32 rN, r6.h10",
                                       "POPCOUNT.i32 rN, r7",
                                       "CLZ.u32 rN, r1",
                                       "ICMP.s32.lt.i1 rN, r2, r3, 0x0",
                                       "MOV.i32 rN, r4",
                                       "F32_TO_U32 rN, r5",
                                       "MOV.i32 rN, r61"};
    constexpr const char* kSteps[] = {"LSHIFT_OR.i32 rN, rA, r58.b00, rB",
                                      "LSHIFT_OR.i32 rN, rA, 0x0.b00, rB",
                                      "LSHIFT_AND.i32 rN, rA, r60.b00, rB",
                                      "LSHIFT_XOR.i32 rN, rA, 0x0.b00, rB",
                                      "LSHIFT_OR.i32 rN, rA, 0x0.b00, rB.not",
                                      "LSHIFT_AND.i32.not_result rN, rA, 0x0.b00, rB",
                                      "RSHIFT_OR.i32.signed rN, rA, r59.b00, rB",
                                      "RSHIFT_AND.i32 rN, rA, rB.b00, rA",
                                      "IADD.u32 rN, rA, rB",
                                      "IADD.s32 rN, rA, rB.h1",
                                      "ISUB.u32 rN, rA, rB",
                                      "IADD_IMM.i32 rN, rA, #0x40000000",
                                      "IMUL.i32 rN, rA, rB.b0",
                                      "CSEL.u32.lt rN, rA, rB, rA, rB",
                                      "CSEL.f32.gt rN, rA, rB, rB, rA",
                                      "MUX.i32.bit rN, rA, rB, r1",
                                      "MUX.i32.neg rN, rA, rB, r2",
                                      "U32_TO_F32 rN, rA",
                                      "S32_TO_F32.rtn rN, rA",
                                      "U32_TO_F32.rtp rN, rA.h1",
                                      "FADD.f32 rN, rA, rB",
                                      "FMAX.f32 rN, rA, rB.neg",
                                      "FMA.f32 rN, rA, 0x38000000.h1, 0x0.neg",
                                      "F32_TO_U32.rtz rN, rA",
                                      "F32_TO_S32 rN, rA",
                                      "MOV.i32 rN, rA"};
    constexpr const char* kNone[] = {""};
    check_random_programs({kMakers, kSteps, kNone, kConstants}, random);
}

TEST_CASE("integers that fit into 31 bits become floats by one instruction") {
    for (const char* maker :
         {"LSHIFT_AND.i32 r8, r1, 0x0.b00, r61", "RSHIFT_OR.i32 r8, r1, r58.b00, 0x0",
          "CSEL.u32.lt r8, r1, r2, r61, 0x0", "LSHIFT_AND.i32 r8, r1, 0x0.b00, r63"}) {
        CAPTURE(maker);
        const std::string text = std::string(kConstants) + maker + "\n";
        for (const auto& recompiler : recompilers())
            CHECK(code_bytes(*recompiler, text + "U32_TO_F32 r9, r8\n") ==
                  code_bytes(*recompiler, text + "S32_TO_F32 r9, r8\n"));
    }
}

TEST_CASE("halves of a word whose value as a float is known become integers") {
    Random random(96);
    for (unsigned round = 0; round < rounds(60); ++round)
        for (const char* op : {"F16_TO_S32", "F16_TO_U32"})
            for (const char* half : {"h00", "h10"})
                check_text("FADD.f32.clamp_0_1 r8, r1, 0x0.neg\n" + std::string(op) + " r9, r8." +
                               half + "\n" + "FADD.f32.clamp_m1_1 r10, r2, 0x0.neg\n" + op +
                               " r11, r10." + half + "\n",
                           random);
}

TEST_CASE("halves become floats and integers of 32 bits") {
    Random random(94);
    for (unsigned round = 0; round < rounds(20); ++round)
        for (const char* half : {"h00", "h10", "h01", "h11"})
            for (const char* op : {"S16_TO_S32", "U16_TO_U32", "S16_TO_F32", "U16_TO_F32"}) {
                CAPTURE(half);
                CAPTURE(op);
                check_text(std::string(op) + " r8, r1." + half + "\n", random);
            }
}
