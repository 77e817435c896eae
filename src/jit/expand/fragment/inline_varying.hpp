// Inline LD_VAR*: expands interpolation.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

struct PositionNeeds;

/// Chooses for LD_VAR* except LD_VAR_SPECIAL: inline with 32-bit results from 32-bit memory, in all
/// modes and at any position, if the message is known.
MessageChoice choose_varying(const MessageSource& m);
MessageChoice choose_varying_special(const MessageSource& m);

/// The message of LD_VAR* except LD_VAR_SPECIAL, if its slot is immediate or its byte offset is
/// known.
std::optional<exec::VaryingMessage> known_varying(const valhall::Instr& instr,
                                                  std::optional<uint32_t> offset);

/// Adds the positions that the expansion of this step reads.
void add_varying_needs(const KernelSource& c, const Step& step, PositionNeeds& needs);

/// Whether the expansion of this step reads the position operand: at the centre, and for planes
/// that are flat or absent, it does not.
bool reads_position(const KernelSource& c, const Step& step);

/// Each function emits the current instruction.
void expand_varying(EmitContext& c);
void expand_varying_special(EmitContext& c);

}  // namespace valkyr::jit
