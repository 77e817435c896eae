// Evaluation: computes an ALU instruction for one lane, with the functions of the interpreter.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::valhall {

/// Values of registers r0 to r7.
using FirstRegisters = std::array<uint32_t, 8>;

/// The word that an ALU instruction without effects writes to its destination register, where r0 to
/// r7 hold the given values and all other registers hold 0. Returns nothing if the instruction has
/// effects or no destination, has no known meaning, or reads a uniform or special.
std::optional<uint32_t> evaluate(const Instr& instr, const FirstRegisters& registers);

}  // namespace valkyr::valhall
