// ALU test: every instruction with random operands and modifiers agrees on all engines.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"
#include "tests/jit/random_program.hpp"
#include "valhall/isa/encode.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

RandomInstrOptions options() {
    RandomInstrOptions o;
    o.registers = kInputRegisters;
    o.uniforms = kTestUniforms;
    o.flows = false;
    return o;
}

/// A random legal instruction of this opcode.
std::optional<uint64_t> random_word(valhall::Op op, Random& random) {
    const auto instr = random_legal(op, random, options());
    if (!instr)
        return std::nullopt;
    auto word = valhall::encode(*instr);
    REQUIRE_MESSAGE(word.has_value(), word.error().text);
    return *word;
}

uint64_t end_word() {
    static const uint64_t word = words_of("NOP.end").front();
    return word;
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

TEST_CASE("strict mode gives the same bits") {
    for (const valhall::OpInfo& info : valhall::all_ops()) {
        if (!is_alu_op(info))
            continue;
        CAPTURE(info.name);
        Random random(0x1800 + static_cast<uint64_t>(info.op));
        for (unsigned round = 0; round < rounds(8); ++round) {
            ComputeCase test;
            fill_inputs(test, random);
            test.strict_nan = true;
            auto instr = random_legal(info.op, random, options());
            if (!instr)
                break;
            auto word = valhall::encode(*instr);
            REQUIRE(word.has_value());
            test.body = {*word, end_word()};
            const std::string report = disagreement(test);
            REQUIRE_MESSAGE(report.empty(), report);
        }
    }
}
