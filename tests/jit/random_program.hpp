// Random programs for the recompiler's tests: pieces that several of them share.
// SPDX-License-Identifier: MIT
#pragma once

#include "support/random.hpp"
#include "support/random_instr.hpp"
#include "valhall/isa/instr.hpp"

#include <functional>
#include <optional>
#include <string>

namespace valkyr::test {

/// Computes with a destination alone; branches, messages and DISCARD are something else.
bool is_alu_op(const valhall::OpInfo& info);

/// An instruction of this kind that has a meaning; none if fifty attempts give none.
std::optional<valhall::Instr>
random_legal(valhall::Op op, Random& random, const RandomInstrOptions& options);

/// The assembly text of any ALU instruction, with a line end.
std::string random_alu_line(Random& random, const RandomInstrOptions& options);

/// Random structured programs compute in r0..r7, count loops in r8.. and decide in r14, r15.
inline constexpr unsigned kDataRegisters = 8;

/// Random instructions of such a program.
RandomInstrOptions structured_options();

/// A random structured program in source order, as compilers make them: branches, loops, early
/// ends, ALU instructions. Without its last NOP.end.
/// message  gives the text of other instructions, about a quarter of all; may be null
std::string random_structured_program(uint64_t seed,
                                      const std::function<std::string(Random&)>& message = {});

}  // namespace valkyr::test
