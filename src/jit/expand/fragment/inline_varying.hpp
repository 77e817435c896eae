// Inline LD_VAR*: expands interpolation.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

struct PositionNeeds;

/// Adds what the expansion of this instruction will read.
void add_varying_needs(const KernelSource& c, const valhall::Instr& instr, PositionNeeds& needs);

/// Emits the current instruction, whose message is known; false: a routine must do it.
/// Inline: 32-bit results of 32-bit memory, flat, linear and perspective, at any position.
bool expand_varying(EmitContext& c, const exec::VaryingMessage& message);

/// Whether expand_varying() does an instruction that needs no source to know its message.
bool expands_varying(const KernelSource& c, const valhall::Instr& instr);

/// The same for LD_VAR_SPECIAL: all inline.
bool expand_varying_special(EmitContext& c);

}  // namespace valkyr::jit
