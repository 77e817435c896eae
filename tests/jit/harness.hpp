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

/// Registers from r0 on that hold inputs when a compute test program starts.
inline constexpr unsigned kInputRegisters = 16;
/// FAU words that a test program may read: the first half are immediates, the rest come from the
/// draw. The address of the inputs follows them.
inline constexpr unsigned kTestUniforms = 8;

/// A compute program and its inputs.
struct ComputeCase {
    std::array<exec::Lanes, kInputRegisters> inputs{};
    std::array<uint32_t, kTestUniforms> uniforms{};
    std::vector<uint64_t> body;  ///< words after the inputs are loaded; ends with .end
    uint32_t count = exec::kLanes;
    bool strict_nan = false;
    /// Further warps that run the program with random inputs and lane counts. Inputs that are zero
    /// in all lanes of the first warp stay zero.
    unsigned more_warps = 0;
};

/// Registers after a run.
using Registers = std::array<exec::Lanes, exec::kRegisters>;

/// Recompilers for the host levels of this machine, shared by the whole test run.
const std::vector<std::unique_ptr<jit::Recompiler>>& recompilers();
/// These and, where a level has two, recompilers that use the slower gather method of this machine.
std::vector<jit::Recompiler*> recompilers_by_method();

/// Emits code for all levels, including those that this machine lacks. Empty if all accept the
/// program, else a report with the level and its error.
std::string emission_failure(const valhall::Program& program, const jit::KernelKey& key);

/// Counts warps of random programs that ran as recompiled code of a level; the test run prints the
/// sums at its end.
void count_warps(jit::HostLevel level, unsigned warps);

/// How often a random test repeats: VALKYR_JIT_ROUNDS=n multiplies the usual number, 1/n divides
/// it; at least once.
unsigned rounds(unsigned usual);

/// Random bits in which special values of integers and floats are frequent.
uint32_t interesting_word(Random& random);
void fill_inputs(ComputeCase& test, Random& random);

/// The program of a case: words that load the inputs, then its body.
valhall::Program make_program(const ComputeCase& test);

/// Runs the case on all engines. Empty if they agree, else a report with the program and the first
/// differences.
std::string disagreement(const ComputeCase& test);

/// The case with every instruction replaced by NOP that the disagreement does not need.
ComputeCase reduced(ComputeCase test);

/// "FADD.f32 r0, r1, r2": for messages.
std::string text_of(uint64_t word);

/// The words of assembly text; fails the test on errors.
std::vector<uint64_t> words_of(const std::string& text);

}  // namespace valkyr::test
