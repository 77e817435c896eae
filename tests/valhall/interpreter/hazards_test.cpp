// Hazards test: checks undefined, pending and dead registers, uniform operands, resource indices.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/recorder.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// The first fault of a warp in hazard mode ("1: read of r4 ..."), or nothing. All registers start
/// defined.
std::string hazard(std::string_view text, auto prepare) {
    Bench bench(std::string(text) + "\nNOP.end");
    RecordingDraw draw;
    draw.tables.attribute_count = 4;
    bench.warp.draw = &draw;
    bench.options.hazards = true;
    prepare(bench);
    bench.fau.resize(256);
    draw.fau = bench.fau.data();
    bench.run();
    if (bench.faults.empty())
        return "";
    return std::to_string(bench.faults[0].word_index) + ": " + bench.faults[0].text;
}
std::string hazard(std::string_view text) {
    return hazard(text, [](Bench&) {});
}

constexpr char kLoad[] = "LD_ATTR_IMM.slot1.v2.f32 @r4:r5, r60, r61, index:0x0, table:0x1\n";

/// The first fault of a compute call, where only the preloaded registers are defined.
std::string undefined(std::string_view text) {
    Program program;
    program.info.stage = exec::Stage::Compute;
    program.words = words_of(std::string(text) + "\nNOP.end");
    InterpreterOptions options;
    options.hazards = true;
    const auto interpreter = Interpreter::create(program, options);
    REQUIRE(interpreter.has_value());
    exec::DrawContext draw;
    exec::ComputeCall call;
    call.draw = &draw;
    call.block[0] = 16;
    std::vector<RunFault> faults;
    interpreter->run(call, &faults);
    return faults.empty() ? "" : std::to_string(faults[0].word_index) + ": " + faults[0].text;
}

}  // namespace

TEST_CASE("a staging destination may be touched after its slot has been waited for") {
    const std::string load = kLoad;
    CHECK(hazard(load + "MOV.i32 r0, r5") == "1: read of r5 while slot 1 is pending");
    CHECK(hazard(load + "MOV.i32 r4, r0") == "1: write of r4 while slot 1 is pending");
    CHECK(hazard(load + "MOV.i32 r6, r3") == "");
    CHECK(hazard(load + "NOP.wait02\nMOV.i32 r0, r5") == "2: read of r5 while slot 1 is pending");
    CHECK(hazard(load + "NOP.wait1\nMOV.i32 r0, r5") == "");
    CHECK(hazard(load + "NOP.wait0126\nMOV.i32 r0, r5") == "");
    CHECK(hazard(load + "NOP.wait\nMOV.i32 r0, r5") == "");
}

TEST_CASE("a register is dead after its last-use mark until it is written") {
    CHECK(hazard("MOV.i32 r0, ^r1\nMOV.i32 r2, r1") == "1: read of r1 after its last use");
    CHECK(hazard("MOV.i32 r0, ^r1\nMOV.i32 r1, r0\nMOV.i32 r2, r1") == "");
    CHECK(hazard("MOV.i32 r1, ^r1\nMOV.i32 r2, r1") == "");
    CHECK(hazard("MOV.i32 r0, ^r1\nMOV.i32 r1.h0, r0\nFADD.f32 r2, r1.h0, r1.h0") == "");
    CHECK(hazard("MOV.i32 r0, ^r1\nMOV.i32 r1.h0, r0\nFADD.f32 r2, r1.h1, r1.h0") ==
          "2: read of r1 after its last use");
    CHECK(hazard("IADD.u64 r0, ^r2, r4\nMOV.i32 r6, r3") == "1: read of r3 after its last use");
}

TEST_CASE("a last-use mark waits for messages that read the register") {
    const std::string store = "ST_CVT.slot2.f32 @r8, r0, r2, offset:0x0\n";
    CHECK(hazard(store + "MOV.i32 r9, ^r8") ==
          "1: read of r8 as a last use while a message still reads it");
    CHECK(hazard(store + "NOP.wait2\nMOV.i32 r9, ^r8") == "");
    CHECK(hazard(store + "MOV.i32 r8, r9") == "");
}

TEST_CASE("registers have no value before they are written, lane by lane") {
    CHECK(undefined("MOV.i32 r0, r1") == "0: read of r1 that has no value");
    CHECK(undefined("MOV.i32 r0, r55") == "");
    CHECK(undefined("MOV.i32 r1.h0, r55\nMOV.i32 r2, r1") == "1: read of r1 that has no value");
    CHECK(undefined("MOV.i32 r1.h0, r55\nFADD.f32 r2, r1.h0, r1.h0") == "");
    const std::string one_side = R"(
        BRANCHZ.reconverge r55.h0, offset:1
        MOV.i32.reconverge r1, r55
    )";
    CHECK(undefined(one_side + "MOV.i32 r2, r1") == "2: read of r1 that has no value");
    CHECK(undefined("MOV.i32 r1, r55\n" + one_side + "MOV.i32 r2, r1") == "");
}

TEST_CASE("operands that must be uniform are checked, and resource indices") {
    const auto same = [](Bench& bench) { bench.set(2, 1U << 24 | 3); };
    const auto differ = [](Bench& bench) {
        bench.set_lanes(2, [](unsigned l) { return 1U << 24 | (l & 1); });
    };
    const std::string load = "LD_ATTR.slot0.f32 @r0, r60, r61, r2";
    CHECK(hazard(load, same) == "");
    CHECK(hazard(load, differ) == "0: an operand that must be uniform differs between lanes");
    const auto one_lane = [&](Bench& bench) {
        differ(bench);
        bench.state.alive = bench.state.live = 2;
    };
    CHECK(hazard(load, one_lane) == "");
    CHECK(hazard("LD_ATTR_IMM.slot0.f32 @r0, r60, r61, index:0x5, table:0x1") ==
          "0: LD_ATTR_IMM: resource index 5 is out of range, 4 are bound");
}
