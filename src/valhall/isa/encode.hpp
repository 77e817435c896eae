// Encoder: turns an instruction into a machine word.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "valhall/isa/instr.hpp"

namespace valkyr::valhall {

/// Packs one instruction into its 64-bit word, bit 0 = lowest bit of source byte 0; words are
/// stored little-endian. Members that the instruction does not use are ignored.
/// errors   BadEncoding, naming the instruction, the operand and the rule of check_instr.hpp
/// source   xml/valhall.xml
VALKYR_API Result<uint64_t> encode(const Instr& instr);

}  // namespace valkyr::valhall
