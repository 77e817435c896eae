// Harness: runs a program on the interpreter and on every host level, and compares.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/recompiler.hpp"
#include "tests/support/random.hpp"
#include "valhall/isa/instr.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::test {

/// Registers that a compute test program finds filled, r0 on.
inline constexpr unsigned kInputRegisters = 16;
/// FAU words that a test program may read: the first half are immediates, the rest come from the
/// draw. Behind them stands the address of the inputs.
inline constexpr unsigned kTestUniforms = 8;

/// A compute program and what it reads.
struct ComputeCase {
    std::array<exec::Lanes, kInputRegisters> inputs{};
    std::array<uint32_t, kTestUniforms> uniforms{};
    std::vector<uint64_t> body;  ///< words after the inputs are loaded; ends with .end
    uint32_t count = exec::kLanes;
    bool strict_nan = true;
    /// So many more warps run the program with random inputs and lane counts; what the first warp
    /// finds to be zero in all lanes stays so.
    unsigned more_warps = 0;
};

/// Registers after a run.
using Registers = std::array<exec::Lanes, exec::kRegisters>;

/// Recompilers for the host levels that this machine has; one for the whole test run.
const std::vector<std::unique_ptr<jit::Recompiler>>& recompilers();

/// Emits code for all levels, whatever machine this is. Empty if all take the program, else a
/// report with the level's name and its error.
std::string emission_failure(const valhall::Program& program, const jit::KernelKey& key);

/// Adds to the warps that recompiled code of random programs has run on a level, which the test
/// run prints at its end.
void count_warps(jit::HostLevel level, unsigned warps);

/// How often a random test repeats: VALKYR_JIT_ROUNDS=n multiplies the usual number, 1/n divides
/// it; at least once.
unsigned rounds(unsigned usual);

/// Random bits in which special values of integers and floats are frequent.
uint32_t interesting_word(Random& random);
void fill_inputs(ComputeCase& test, Random& random);

/// The words that load the inputs; the program of a case is these and its body.
valhall::Program make_program(const ComputeCase& test);

/// Runs the case everywhere. Empty if all agree, else a report: program, first differences.
/// nan_payloads  false: two NaNs of any payload are equal
std::string disagreement(const ComputeCase& test, bool nan_payloads = true);

/// The case with every instruction replaced by NOP that the disagreement does not need.
ComputeCase reduced(ComputeCase test, bool nan_payloads = true);

/// "FADD.f32 r0, r1, r2": for messages.
std::string text_of(uint64_t word);

/// The words of assembly text; fails the test on errors.
std::vector<uint64_t> words_of(const std::string& text);

}  // namespace valkyr::test
