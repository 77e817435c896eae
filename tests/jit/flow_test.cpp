// Control flow: divergent branches and loops, uniform branches, lanes that end early.
// SPDX-License-Identifier: MIT
#include "jit/harness.hpp"
#include "jit/random_program.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr unsigned kDataRegisters = 8;  // r0..r7 hold data; r8.. are loop counters
constexpr unsigned kConditionRegister = 14;
constexpr unsigned kLimitRegister = 15;

/// Random structured programs in source order, as compilers make them.
class ProgramMaker {
public:
    explicit ProgramMaker(uint64_t seed)
        : random_(seed) {}

    std::string make() {
        sequence(0);
        text_ += "NOP.end\n";
        return text_;
    }

private:
    void line(const std::string& instruction) { text_ += instruction + "\n"; }
    std::string data() { return "r" + std::to_string(random_.below(kDataRegisters)); }
    std::string label() { return "l" + std::to_string(labels_++); }

    void sequence(unsigned depth) {
        for (unsigned n = 1 + random_.below(4); n > 0; --n)
            statement(depth);
    }

    void statement(unsigned depth) {
        const uint32_t kind = depth < 4 ? random_.below(8) : 7;
        switch (kind) {
        case 0:
        case 1: return branch(depth, random_.one_in(2));
        case 2: return loop(depth);
        case 3: return depth > 0 && random_.one_in(4) ? line("NOP.end") : arithmetic();
        case 4: return uniform_branch(depth);
        default: return arithmetic();
        }
    }

    void arithmetic() {
        RandomInstrOptions options;
        options.registers = kDataRegisters;
        options.uniforms = kTestUniforms;
        options.flows = false;
        options.last_use = false;
        text_ += random_alu_line(random_, options);
    }

    void compare(const std::string& a, const std::string& b) {
        static constexpr const char* kConditions[] = {"lt", "ge", "eq", "ne"};
        line("ICMP.u32." + std::string(kConditions[random_.below(4)]) + ".m1 r" +
             std::to_string(kConditionRegister) + ", " + a + ", " + b + ", 0x0");
    }

    void jump_if(const std::string& to, bool on_zero) {
        line(std::string(on_zero ? "BRANCHZ.eq" : "BRANCHZ") + ".reconverge r" +
             std::to_string(kConditionRegister) + ".h0, offset:" + to);
    }

    void branch(unsigned depth, bool has_else) {
        const std::string otherwise = label();
        const std::string end = label();
        compare(data(), data());
        jump_if(otherwise, random_.one_in(2));
        sequence(depth + 1);
        if (has_else)
            line("BRANCHZ.eq.reconverge 0x0, offset:" + end);
        else
            line("NOP.reconverge");
        text_ += otherwise + ":\n";
        if (has_else) {
            sequence(depth + 1);
            line("NOP.reconverge");
        }
        text_ += end + ":\n";
        line("NOP");
    }

    /// All lanes go the same way: the condition comes from uniforms alone.
    void uniform_branch(unsigned depth) {
        const std::string end = label();
        const std::string u = "u" + std::to_string(random_.below(kTestUniforms));
        compare(u, u);
        jump_if(end, random_.one_in(2));
        sequence(depth + 1);
        line("NOP.reconverge");
        text_ += end + ":\n";
        line("NOP");
    }

    /// Up to eight rounds, a number that differs from lane to lane, with breaks and continues.
    void loop(unsigned depth) {
        const std::string counter = "r" + std::to_string(kDataRegisters + depth);
        const std::string limit = "r" + std::to_string(kLimitRegister);
        const std::string head = label();
        const std::string next = label();
        const std::string exit = label();
        line("IADD_IMM.i32 " + counter + ", 0x0, #0x0");
        text_ += head + ":\n";
        sequence(depth + 1);
        if (random_.one_in(2)) {
            compare(data(), data());
            jump_if(random_.one_in(2) ? exit : next, random_.one_in(2));
            sequence(depth + 1);
        }
        line("NOP.reconverge");
        text_ += next + ":\n";
        line("IADD_IMM.i32 " + counter + ", " + counter + ", #0x1");
        line("RSHIFT_OR.i32 " + limit + ", " + data() + ", 0x1F1E1D1C.b11, 0x0");
        line("ICMP.u32.lt.m1 r" + std::to_string(kConditionRegister) + ", " + counter + ", " +
             limit + ", 0x0");
        jump_if(head, false);
        text_ += exit + ":\n";
        line("NOP");
    }

    Random random_;
    std::string text_;
    unsigned labels_ = 0;
};

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
        const ComputeCase test = case_of(ProgramMaker(seed).make(), seed);
        const std::string report = disagreement(test);
        if (report.empty() || report.starts_with("interpreter: step limit"))
            continue;
        INFO("seed ", seed);
        FAIL(disagreement(reduced(test)));
    }
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
