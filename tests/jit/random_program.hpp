// Random programs for the recompiler's tests: pieces that several of them share.
// SPDX-License-Identifier: MIT
#pragma once

#include "support/random.hpp"
#include "support/random_instr.hpp"
#include "valhall/isa/instr.hpp"

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

/// How often a random test repeats: VALKYR_JIT_ROUNDS=n multiplies the usual number.
unsigned rounds(unsigned usual);

}  // namespace valkyr::test
