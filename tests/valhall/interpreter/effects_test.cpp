// Effects test: compares the effects in valhall.xml with the interpreter's behaviour.
// SPDX-License-Identifier: MIT
#include "tests/support/random_instr.hpp"
#include "tests/valhall/interpreter/recorder.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/executable.hpp"

#include <array>
#include <doctest/doctest.h>
#include <string_view>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

constexpr unsigned kTrials = 30;
constexpr unsigned kLane = 5;  // the running lane where one suffices
constexpr Effects kAddresses = Effect::load | Effect::store | Effect::atomic;

/// Instructions with one of these effects always send a message.
constexpr Effects kMessages = Effect::varying | Effect::texture | Effect::image_load |
                              Effect::image_store | Effect::coverage | Effect::blend |
                              Effect::tile_load | Effect::tile_store;

/// The effect that an instruction must have to send a message of this name.
Effects effect_of_message(std::string_view message) {
    struct Row {
        std::string_view message;
        Effects effects;
    };
    constexpr Row kRows[] = {
        {"attribute", Effect::unchanging},      {"varying", Effect::varying},
        {"special", Effect::varying},           {"texture", Effect::texture},
        {"image_load", Effect::image_load},     {"image_address", Effect::unchanging},
        {"convert_store", Effect::image_store}, {"atest", Effect::coverage},
        {"zs_emit", Effect::coverage},          {"blend", Effect::blend},
        {"tile_load", Effect::tile_load},       {"tile_store", Effect::tile_store},
    };
    for (const Row& row : kRows)
        if (message.starts_with(row.message))
            return row.effects;
    return {};
}

/// A random legal instruction that ends its program.
Instr random_last(Op op, valkyr::test::Random& random) {
    Instr instr = valkyr::test::random_instr(op, random);
    instr.flow = Flow::end;
    return instr;
}

/// Runs the instruction as a program, in the lanes `alive`.
void run_alone(const Instr& instr, WarpState& state, uint16_t alive, RecordingDraw& draw) {
    Program program;
    program.fau.resize(256);
    program.words = {encode(instr).value()};
    InterpreterOptions options;
    options.step_limit = 10;
    const auto interpreter = Interpreter::create(program, options);
    REQUIRE(interpreter.has_value());
    exec::Warp warp;
    warp.draw = &draw;
    state.alive = state.live = alive;
    interpreter->run_warp(state, warp);
}

void randomize(WarpState& state, valkyr::test::Random& random) {
    for (exec::Lanes& lanes : state.r)
        for (uint32_t& value : lanes.v)
            value = random.next32();
}

}  // namespace

TEST_CASE("an instruction sends the messages of its effects and no others") {
    valkyr::test::Random random(11);
    for (unsigned op = 0; op < kOpCount; ++op) {
        const OpInfo& info = op_info(static_cast<Op>(op));
        CAPTURE(info.name);
        bool sent = false;
        bool ran = false;
        for (unsigned n = 0; n < kTrials && !info.effects.any(kAddresses); ++n) {
            const Instr instr = random_last(info.op, random);
            if (!reject_reason(instr).empty())
                continue;
            WarpState state;
            randomize(state, random);
            RecordingDraw draw;
            run_alone(instr, state, 0x5A3C, draw);
            for (const std::string& line : draw.log)
                CHECK_MESSAGE(info.effects.any(effect_of_message(line)), line);
            sent = sent || !draw.log.empty();
            ran = true;
        }
        CHECK_MESSAGE((sent || !ran || !info.effects.any(kMessages)), "sends no message");
    }
}

TEST_CASE("stores and atomics change the memory at their address; loads do not") {
    valkyr::test::Random random(12);
    for (unsigned op = 0; op < kOpCount; ++op) {
        const OpInfo& info = op_info(static_cast<Op>(op));
        if (!info.effects.any(kAddresses))
            continue;
        CAPTURE(info.name);
        bool changed = false;
        for (unsigned n = 0; n < kTrials; ++n) {
            Instr instr = random_last(info.op, random);
            instr.src[0] = Source{};
            instr.imm[0] = 0;
            if (!reject_reason(instr).empty())
                continue;
            alignas(16) std::array<uint32_t, 4> memory{};
            for (uint32_t& word : memory)
                word = random.next32();
            const std::array<uint32_t, 4> before = memory;
            WarpState state;
            randomize(state, random);
            const auto address = reinterpret_cast<uintptr_t>(memory.data());
            state.r[0].v[kLane] = static_cast<uint32_t>(address);
            state.r[1].v[kLane] = static_cast<uint32_t>(address >> 32);
            RecordingDraw draw;
            run_alone(instr, state, 1U << kLane, draw);
            CHECK(draw.log.empty());
            changed = changed || memory != before;
        }
        CHECK(changed == info.effects.any(kWritesMemory));
    }
}

TEST_CASE("ALU instructions without effects give a lane the same result, whoever else runs") {
    valkyr::test::Random random(13);
    for (unsigned op = 0; op < kOpCount; ++op) {
        const OpInfo& info = op_info(static_cast<Op>(op));
        if (!is_alu(info.unit))
            continue;
        CAPTURE(info.name);
        bool differs = false;
        for (unsigned n = 0; n < kTrials; ++n) {
            const Instr instr = random_last(info.op, random);
            if (!reject_reason(instr).empty())
                continue;
            WarpState together;
            randomize(together, random);
            WarpState alone = together;
            RecordingDraw draw;
            run_alone(instr, together, 0xFFFF, draw);
            run_alone(instr, alone, 1U << kLane, draw);
            for (unsigned r = 0; r < exec::kRegisters; ++r)
                differs = differs || together.r[r].v[kLane] != alone.r[r].v[kLane];
        }
        CHECK(differs == info.effects.any(Effect::lanes));
    }
}
