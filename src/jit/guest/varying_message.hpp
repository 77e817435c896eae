// What LD_VAR* instructions ask for.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "valhall/isa/instr.hpp"

#include <optional>

namespace valkyr::jit {

/// LD_VAR_BUF*: source format and opcode say how memory and registers look.
exec::VaryingMessage buffer_message(const valhall::Instr& instr, uint32_t offset);
/// LD_VAR*: the table index is a slot of the vertex record; the register format decides between
/// floats and uninterpreted bits.
exec::VaryingMessage slot_message(const valhall::Instr& instr, uint32_t slot);

/// Whether the instruction reads a varying: LD_VAR* but LD_VAR_SPECIAL.
bool reads_varying(valhall::Op op);
/// Whether the varying that it reads is named by a source.
bool reads_indexed_varying(valhall::Op op);
/// The message if no source is needed to know it.
std::optional<exec::VaryingMessage> immediate_varying(const valhall::Instr& instr);

}  // namespace valkyr::jit
