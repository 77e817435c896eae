// Random program: makes random instructions and programs for several tests.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/random.hpp"
#include "tests/support/random_instr.hpp"
#include "valhall/isa/instr.hpp"

#include <functional>
#include <optional>
#include <string>

namespace valkyr::test {

/// Whether the instruction only computes a destination; false for branches, messages and DISCARD.
bool is_alu_op(const valhall::OpInfo& info);

/// A random legal instruction of this opcode; none after fifty failed attempts.
std::optional<valhall::Instr>
random_legal(valhall::Op op, Random& random, const RandomInstrOptions& options);

/// The assembly text of any ALU instruction, with a line end.
std::string random_alu_line(Random& random, const RandomInstrOptions& options);

/// Random structured programs compute in r0..r7, count loops in r8.. and have conditions in r14 and
/// r15.
inline constexpr unsigned kDataRegisters = 8;

/// Random instructions of such a program.
RandomInstrOptions structured_options();

/// A random structured program in source order, as compilers make them: branches, loops, early
/// ends, ALU instructions. The caller appends the last NOP.end.
/// message  makes other instructions, about a quarter of all; may be null
std::string random_structured_program(uint64_t seed,
                                      const std::function<std::string(Random&)>& message = {});

}  // namespace valkyr::test
