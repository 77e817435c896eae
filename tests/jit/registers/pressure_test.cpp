// Pressure test: programs with more live values than host registers give equal bits.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"
#include "tests/jit/random_program.hpp"
#include "valhall/text/disassemble.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr unsigned kFree = 60;  // registers that random instructions may use; r60.. control loops

RandomInstrOptions options() {
    RandomInstrOptions o;
    o.registers = kFree;
    o.uniforms = kTestUniforms;
    o.flows = false;
    o.last_use = false;
    return o;
}

/// Fills all 64 registers; the end of a compute program reads them all.
std::string fill_registers() {
    std::string text;
    for (unsigned r = kInputRegisters; r < exec::kRegisters; ++r)
        text += "IADD.u32 r" + std::to_string(r) + ", r" + std::to_string(r % kInputRegisters) +
                ", r" + std::to_string((r * 7 + 3) % kInputRegisters) + "\n";
    return text;
}

std::string several(valhall::Op op, unsigned count, Random& random) {
    std::string text;
    for (unsigned n = 0; n < count; ++n)
        if (const auto instr = random_legal(op, random, options()))
            text += valhall::disassemble(*instr) + "\n";
    return text;
}

/// A program with the instruction by itself, under a divergent branch, and in a loop that lanes
/// leave one by one.
std::string program_around(valhall::Op op, Random& random) {
    // r60 counts rounds, r61 is the condition.
    return fill_registers() + several(op, 2, random) +
           "ICMP.u32.lt.m1 r61, r0, r1, 0x0\n"
           "BRANCHZ.eq.reconverge r61.h0, offset:else\n" +
           several(op, 2, random) +
           "BRANCHZ.eq.reconverge 0x0, offset:end\n"
           "else:\n" +
           several(op, 2, random) +
           "NOP.reconverge\n"
           "end: RSHIFT_OR.i32 r60, r2, 0x1F1E1D1C.b11, 0x0\n"
           "loop:\n" +
           several(op, 2, random) +
           "IADD_IMM.i32 r60, r60, #0xFFFFFFFF\n"
           "ICMP.s32.gt.m1 r61, r60, 0x0, 0x0\n"
           "BRANCHZ.reconverge r61.h0, offset:loop\n"
           "NOP.end\n";
}

void check(const std::string& text, Random& random, const std::string& name) {
    ComputeCase test;
    fill_inputs(test, random);
    test.body = words_of(text);
    REQUIRE_MESSAGE(emission_failure(make_program(test), {}).empty(), name);
    const std::string report = disagreement(test);
    if (!report.empty())
        FAIL(name, ": ", disagreement(reduced(test)));
}

/// Bytes of host code that one more sum takes, whose operand ends with it.
unsigned bytes_of_sum(jit::Recompiler& recompiler, const std::string& before) {
    constexpr unsigned few = 10;
    constexpr unsigned many = 30;
    const auto bytes = [&](unsigned pairs) {
        std::string text = before;
        for (unsigned n = 0; n < pairs; ++n)
            text += "FADD.f32 r11, r10, r0\nFADD.f32 r10, r11, r0\n";
        ComputeCase test;
        test.body = words_of(text + "NOP.end\n");
        const auto kernel = recompiler.recompile(make_program(test), {}, {});
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        return (*kernel)->code_bytes();
    };
    return static_cast<unsigned>((bytes(many) - bytes(few)) / (2 * (many - few)));
}

}  // namespace

TEST_CASE("every ALU instruction works while all registers are live") {
    // The second program requires whole warps: with eight host lanes, a value takes two host
    // registers.
    const std::string lockstep = "CLPER.i32.xor.umax r5, r1, 0x3020100.b1\n";
    for (const valhall::OpInfo& info : valhall::all_ops()) {
        if (!is_alu_op(info))
            continue;
        Random random(0x2000 + static_cast<uint64_t>(info.op));
        for (unsigned round = 0; round < rounds(2); ++round) {
            check(program_around(info.op, random), random, std::string(info.name));
            check(lockstep + program_around(info.op, random), random,
                  std::string(info.name) + " in lockstep");
        }
    }
}

TEST_CASE("long random programs work while all registers are live") {
    for (uint64_t seed = 0; seed < rounds(30); ++seed) {
        Random random(0x3000 + seed);
        std::string text = fill_registers();
        for (unsigned n = 0; n < 60; ++n)
            text += random_alu_line(random, options());
        check(text + "NOP.end\n", random, "seed " + std::to_string(seed));
    }
}

TEST_CASE("a compute program that ends with a message gives back all registers") {
    Random random(0x4000);
    std::string fill;  // r62:r63 stays the address of the inputs
    for (unsigned r = kInputRegisters; r < 60; ++r)
        fill += "IADD.u32 r" + std::to_string(r) + ", r" + std::to_string(r % kInputRegisters) +
                ", r" + std::to_string((r * 5 + 1) % kInputRegisters) + "\n";
    for (const std::string message : {"LOAD.i32.unsigned.slot0.end @r20, r62, offset:64\n",
                                      "LOAD.i64.unsigned.slot0.end @r8:r9, r62, offset:0\n"})
        check(fill + message, random, message);
}

TEST_CASE("a compute program gives back the operands of its last instruction") {
    Random random(0x5000);
    for (const std::string last : {"FMA.f32.end r9, r8, r8, r8\n", "FADD.f32.end r9, r8, r8\n",
                                   "IADD.u32.end r9, r8, r8\n", "MOV.i32.end r9, r8\n"})
        check("IADD.u32 r8, r1, r2\n" + last, random, last);
}

TEST_CASE("an operand that ends with its instruction is not written to memory before it") {
    constexpr unsigned encoding = 3;  // numbers of registers from 8 on take more bytes
    for (const auto& recompiler : recompilers())
        CHECK(bytes_of_sum(*recompiler, fill_registers()) <=
              bytes_of_sum(*recompiler, "") + encoding);
}
