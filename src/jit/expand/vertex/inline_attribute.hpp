// Inline LD_ATTR: loads rows of vertex data and decodes their channels.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// LD_ATTR*: inline is an attribute (a known number below kMaxAttributes) whose format the key
/// knows, if there is an expansion for that.
MessageChoice choose_attribute(const MessageSource& m);

/// The message of the attribute with that number.
exec::AttributeMessage attribute_message(const valhall::Instr& instr, uint32_t index);

void expand_attribute(EmitContext& c);

}  // namespace valkyr::jit
