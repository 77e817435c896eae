// Bench: runs assembly text on a warp with given registers, for execution tests.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"

#include "valhall/isa/encode.hpp"
#include "valhall/text/assemble.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>

namespace valkyr::valhall::test {

std::vector<uint64_t> words_of(std::string_view assembly) {
    Assembly result = assemble(assembly);
    for (const Error& error : result.errors)
        FAIL(error.format("program"));
    return std::move(result.words);
}

Bench::Bench(std::string_view assembly) {
    program.words = words_of(assembly);
    program.info.stage = exec::Stage::Compute;
    program.fau.resize(256);
    state.alive = state.live = 0xFFFF;
    warp.draw = &draw;
}

void Bench::set(unsigned r, uint32_t value) {
    std::ranges::fill(state.r[r].v, value);
}

void Bench::set_pair(unsigned r, uint64_t value) {
    set(r, static_cast<uint32_t>(value));
    set(r + 1, static_cast<uint32_t>(value >> 32));
}

uint64_t Bench::get_pair(unsigned r, unsigned lane) const {
    return uint64_t{get(r + 1, lane)} << 32 | get(r, lane);
}

void Bench::run() {
    fau.resize(256);
    draw.fau = fau.data();
    auto interpreter = Interpreter::create(program, options);
    if (!interpreter)
        FAIL(interpreter.error().text);
    interpreter->run_warp(state, warp, &faults);
}

namespace {

uint64_t evaluate(std::string_view instruction, const std::vector<uint64_t>& arguments) {
    Bench bench(std::string(instruction) + "\nNOP.end\n");
    bench.set_pair(0, 0xCCCCCCCCCCCCCCCC);
    unsigned r = 2;
    for (const uint64_t argument : arguments) {
        bench.set_pair(r, argument);
        r += 2;
    }
    bench.run();
    REQUIRE(bench.faults.empty());
    return bench.get_pair(0);
}

bool writes_pair(std::string_view instruction) {
    const auto parsed = parse_instr(instruction);
    return parsed && op_info(parsed->op).dest_is_pair;
}

}  // namespace

uint64_t eval64(std::string_view instruction, std::initializer_list<uint64_t> arguments) {
    return evaluate(instruction, arguments);
}

uint32_t eval(std::string_view instruction, std::initializer_list<uint64_t> arguments) {
    return static_cast<uint32_t>(evaluate(instruction, arguments));
}

void check_cases(std::initializer_list<Case> cases) {
    for (const Case& row : cases) {
        CAPTURE(row.instruction);
        for (const uint64_t argument : row.arguments)
            CAPTURE(argument);
        const uint64_t mask = writes_pair(row.instruction) ? ~uint64_t{0} : 0xFFFFFFFF;
        const uint64_t result = evaluate(row.instruction, row.arguments) & mask;
        CHECK_MESSAGE(result == row.expected, std::string(row.instruction), " gave ", result);
    }
}

}  // namespace valkyr::valhall::test
