// Inline LD_ATTR: loads rows of vertex data and decodes their channels.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Expands the load of an attribute (a number below kMaxAttributes) if the key knows its format and
/// there is an expansion for it. False: nothing was emitted, call the routine.
bool expand_attribute(EmitContext& c, const exec::AttributeMessage& message);

}  // namespace valkyr::jit
