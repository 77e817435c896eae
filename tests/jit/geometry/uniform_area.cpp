// Uniform area: runs the prologue on the interpreter.
// SPDX-License-Identifier: MIT
#include "tests/jit/geometry/uniform_area.hpp"

#include "exec/calls.hpp"
#include "valhall/compiler/program_io.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {

std::vector<uint32_t> uniform_area(const valhall::Program& program,
                                   std::span<const uint32_t> constants,
                                   uint32_t driver_value) {
    valhall::UniformSource source;
    source.constant = [&](uint32_t /*buffer*/, uint32_t word) {
        return word < constants.size() ? constants[word] : 0;
    };
    source.driver = [&](exec::DriverValue /*value*/, uint8_t /*unit*/) { return driver_value; };
    std::vector<exec::Lanes> registers(exec::kRegisters);
    if (program.prologue) {
        const std::vector<uint32_t> words = valhall::uniform_words(*program.prologue, source);
        exec::DrawContext draw;
        draw.fau = words.data();
        draw.info = &program.prologue->info;
        exec::ComputeCall call;
        call.draw = &draw;
        call.registers = registers.data();
        auto interpreter = valhall::Interpreter::create(*program.prologue, {});
        REQUIRE(interpreter.has_value());
        interpreter->run(call);
    }
    source.prologue = registers;
    std::vector<uint32_t> words = valhall::uniform_words(program, source);
    words.resize(words.size() + 2);
    return words;
}

}  // namespace valkyr::test
