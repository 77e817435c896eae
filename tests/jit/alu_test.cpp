// Every ALU instruction with random operands and modifiers: interpreter and all host levels agree.
// SPDX-License-Identifier: MIT
#include "jit/harness.hpp"
#include "support/random_instr.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/executable.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// Computes with a destination alone; branches and DISCARD have their own tests.
bool is_alu_op(const valhall::OpInfo& info) {
    return info.has_dest && valhall::is_alu(info.unit);
}

RandomInstrOptions options() {
    RandomInstrOptions o;
    o.registers = kInputRegisters;
    o.uniforms = kTestUniforms;
    o.flows = false;
    return o;
}

/// A random instruction of this kind that has a meaning.
std::optional<uint64_t> random_word(valhall::Op op, Random& random) {
    for (unsigned attempt = 0; attempt < 50; ++attempt) {
        const valhall::Instr instr = random_instr(op, random, options());
        if (!valhall::reject_reason(instr).empty())
            continue;
        auto word = valhall::encode(instr);
        REQUIRE_MESSAGE(word.has_value(), word.error().text);
        return *word;
    }
    return std::nullopt;
}

uint64_t end_word() {
    static const uint64_t word = words_of("NOP.end").front();
    return word;
}

/// VALKYR_JIT_ROUNDS=n multiplies the work.
unsigned rounds(unsigned usual) {
    const char* text = std::getenv("VALKYR_JIT_ROUNDS");
    return usual * (text ? static_cast<unsigned>(std::max(1, std::atoi(text))) : 1);
}

}  // namespace

TEST_CASE("every ALU instruction gives the interpreter's bits on every host level") {
    for (const valhall::OpInfo& info : valhall::all_ops()) {
        if (!is_alu_op(info))
            continue;
        CAPTURE(info.name);
        Random random(0x1000 + static_cast<uint64_t>(info.op));
        for (unsigned round = 0; round < rounds(24); ++round) {
            ComputeCase test;
            fill_inputs(test, random);
            const auto word = random_word(info.op, random);
            if (!word)
                break;
            test.body = {*word, end_word()};
            const std::string report = disagreement(test);
            INFO("round ", round);
            CHECK_MESSAGE(report.empty(), report);
            if (!report.empty())
                break;
        }
    }
}
