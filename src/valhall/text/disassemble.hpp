// Disassembler: turns instructions and machine words into canonical assembly text.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "valhall/isa/instr.hpp"

#include <string>

namespace valkyr::valhall {

/// The canonical text of an instruction that check_instr accepts: parse_instr() gives it back,
/// except that small constant 21, the second zero, is printed like constant 0.
VALKYR_API std::string disassemble(const Instr& instr);

/// Appends the canonical text of an instruction.
VALKYR_API void append_text(std::string& out, const Instr& instr);

/// Decodes a word and returns its canonical text.
/// errors   those of decode()
VALKYR_API Result<std::string> disassemble(uint64_t word);

}  // namespace valkyr::valhall
