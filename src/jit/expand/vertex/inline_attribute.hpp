// Inline LD_ATTR: loads rows of vertex data and decodes their channels.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Chooses for LD_ATTR*: inline if the attribute's number is known and below kMaxAttributes, and
/// the key gives a format that has an expansion.
MessageChoice choose_attribute(const MessageSource& m);

/// The message for the attribute with this number.
exec::AttributeMessage attribute_message(const valhall::Instr& instr, uint32_t index);

void expand_attribute(EmitContext& c);

}  // namespace valkyr::jit
