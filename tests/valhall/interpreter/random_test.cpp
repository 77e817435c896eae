// Random test: random programs end without a crash and keep registers of stopped lanes.
// SPDX-License-Identifier: MIT
#include "tests/support/random_instr.hpp"
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/recorder.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/executable.hpp"
#include "valhall/isa/register_access.hpp"
#include "valhall/validator/validate.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// Instructions that use registers as host addresses.
bool touches_memory(Op op) {
    return has_effect(op, Effect::load | Effect::store | Effect::atomic);
}

/// A program of `length` random instructions with arbitrary branches.
Program random_program(valkyr::test::Random& random, unsigned length, bool executable) {
    Program program;
    program.info.stage = static_cast<exec::Stage>(random.below(4));
    program.fau.resize(256);
    while (program.words.size() < length) {
        const Instr instr = valkyr::test::random_instr(random);
        if (executable && (touches_memory(instr.op) || !reject_reason(instr).empty()))
            continue;
        const auto word = encode(instr);
        REQUIRE(word.has_value());
        program.words.push_back(*word);
    }
    return program;
}

}  // namespace

TEST_CASE("the validator takes any program that decodes") {
    valkyr::test::Random random(1);
    for (int n = 0; n < 300; ++n) {
        const Program program = random_program(random, 1 + random.below(60), false);
        for (const Diagnostic& d : validate(program)) {
            CHECK(d.rule != "V2");
            CHECK(d.word_index <= program.words.size());
            CHECK_FALSE(d.text.empty());
        }
    }
}

TEST_CASE("the validator is quick on long programs") {
    valkyr::test::Random random(2);
    const Program program = random_program(random, 3000, false);
    CHECK(validate(program, 7).size() == 7);
}

TEST_CASE("the interpreter runs or refuses any program, in hazard mode too") {
    valkyr::test::Random random(3);
    for (int n = 0; n < 400; ++n) {
        const Program program = random_program(random, 1 + random.below(30), true);
        InterpreterOptions options;
        options.step_limit = 300;
        options.hazards = random.one_in(2);
        const auto interpreter = Interpreter::create(program, options);
        REQUIRE(interpreter.has_value());
        RecordingDraw draw;
        std::vector<uint32_t> fau(256);
        for (uint32_t& word : fau)
            word = random.next32();
        draw.fau = fau.data();
        exec::Warp warp;
        warp.draw = &draw;
        WarpState state;
        state.alive = static_cast<uint16_t>(random.next());
        state.live = static_cast<uint16_t>(state.alive & random.next());
        interpreter->run_warp(state, warp);
        CHECK(state.alive == 0);
    }
}

TEST_CASE("one instruction writes what register_access says, in the running lanes only") {
    valkyr::test::Random random(4);
    for (unsigned op = 0; op < kOpCount; ++op) {
        for (int n = 0; n < 20; ++n) {
            Instr instr = valkyr::test::random_instr(static_cast<Op>(op), random);
            instr.flow = Flow::end;
            if (touches_memory(instr.op) || !reject_reason(instr).empty())
                continue;
            Program program;
            program.fau.resize(256);
            program.words = {encode(instr).value()};
            const auto interpreter = Interpreter::create(program);
            REQUIRE(interpreter.has_value());
            RecordingDraw draw;
            exec::Warp warp;
            warp.draw = &draw;
            WarpState state;
            for (exec::Lanes& lanes : state.r)
                for (uint32_t& value : lanes.v)
                    value = random.next32();
            state.alive = state.live = 0x5A3C;
            const WarpState before = state;
            interpreter->run_warp(state, warp);
            uint32_t allowed[exec::kRegisters] = {};
            for (const RegisterAccess& access : RegisterAccesses(instr))
                if (access.is_write())
                    allowed[access.reg] |=
                        (access.halves & 1 ? 0xFFFFU : 0) | (access.halves & 2 ? 0xFFFF0000U : 0);
            CAPTURE(op_info(instr.op).name);
            for (unsigned r = 0; r < exec::kRegisters; ++r) {
                for (unsigned l = 0; l < exec::kLanes; ++l) {
                    const uint32_t mask = before.alive >> l & 1 ? allowed[r] : 0;
                    const uint32_t changed = state.r[r].v[l] ^ before.r[r].v[l];
                    REQUIRE((changed & ~mask) == 0);
                }
            }
        }
    }
}
