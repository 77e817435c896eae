// Inline LD_VAR*: expands interpolation.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

struct PositionNeeds;

/// LD_VAR* but LD_VAR_SPECIAL: inline are 32-bit results of 32-bit memory, flat, linear and
/// perspective, at any position, if the message is known.
MessageChoice choose_varying(const MessageSource& m);
MessageChoice choose_varying_special(const MessageSource& m);

/// The message of LD_VAR* but LD_VAR_SPECIAL, if immediates name it, or its byte offset is known.
std::optional<exec::VaryingMessage> known_varying(const valhall::Instr& instr,
                                                  std::optional<uint32_t> offset);

/// Adds what the expansion of this step will read.
void add_varying_needs(const KernelSource& c, const Step& step, PositionNeeds& needs);

/// Emits the current instruction.
void expand_varying(EmitContext& c);
void expand_varying_special(EmitContext& c);

}  // namespace valkyr::jit
