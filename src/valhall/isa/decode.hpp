// Decoder: turns a machine word into an instruction.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "valhall/isa/instr.hpp"

namespace valkyr::valhall {

/// Unpacks a word, strictly: encode() turns every decoded instruction back into the same word.
/// Modifiers that the instruction does not have are 0. The all-zero word ends a program and is no
/// instruction.
/// errors   BadEncoding: unassigned opcode, a set bit that no field covers, a wrong constant bit,
///          a page that no source uses, or a rule of check_instr.hpp
/// source   xml/valhall.xml
VALKYR_API Result<Instr> decode(uint64_t word);

}  // namespace valkyr::valhall
