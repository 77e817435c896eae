// Random program: makes random instructions and programs for several tests.
// SPDX-License-Identifier: MIT
#include "tests/jit/random_program.hpp"

#include "valhall/isa/executable.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <cstdlib>

namespace valkyr::test {

bool is_alu_op(const valhall::OpInfo& info) {
    return info.has_dest && valhall::is_alu(info.unit);
}

std::optional<valhall::Instr>
random_legal(valhall::Op op, Random& random, const RandomInstrOptions& options) {
    for (unsigned attempt = 0; attempt < 50; ++attempt) {
        const valhall::Instr instr = random_instr(op, random, options);
        if (valhall::reject_reason(instr).empty())
            return instr;
    }
    return std::nullopt;
}

namespace {

valhall::Instr random_alu(Random& random, const RandomInstrOptions& options) {
    for (;;) {
        const auto op = static_cast<valhall::Op>(random.below(valhall::kOpCount));
        if (!is_alu_op(valhall::op_info(op)))
            continue;
        if (const auto instr = random_legal(op, random, options))
            return *instr;
    }
}

}  // namespace

std::string random_alu_line(Random& random, const RandomInstrOptions& options) {
    return valhall::disassemble(random_alu(random, options)) + "\n";
}

namespace {

constexpr unsigned kConditionRegister = 14;
constexpr unsigned kLimitRegister = 15;

/// Random structured programs.
class ProgramMaker {
public:
    ProgramMaker(uint64_t seed, const std::function<std::string(Random&)>& message)
        : random_(seed)
        , message_(message) {}

    std::string make() {
        sequence(0);
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
        case 3: return depth > 0 && random_.one_in(4) ? line("NOP.end") : simple();
        case 4: return uniform_branch(depth);
        default: return simple();
        }
    }

    void simple() {
        if (message_ && random_.one_in(2))
            text_ += message_(random_);
        else
            text_ += random_alu_line(random_, structured_options());
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

    /// A branch that all lanes take alike: the condition depends only on uniforms.
    void uniform_branch(unsigned depth) {
        const std::string end = label();
        const std::string u = "u" + std::to_string(random_.below(8));
        compare(u, u);
        jump_if(end, random_.one_in(2));
        sequence(depth + 1);
        line("NOP.reconverge");
        text_ += end + ":\n";
        line("NOP");
    }

    /// A loop of up to eight iterations, different for each lane, with breaks and continues.
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
    const std::function<std::string(Random&)>& message_;
    std::string text_;
    unsigned labels_ = 0;
};

}  // namespace

RandomInstrOptions structured_options() {
    RandomInstrOptions options;
    options.registers = kDataRegisters;
    options.uniforms = 8;
    options.flows = false;
    options.last_use = false;
    return options;
}

std::string random_structured_program(uint64_t seed,
                                      const std::function<std::string(Random&)>& message) {
    return ProgramMaker(seed, message).make();
}

}  // namespace valkyr::test
