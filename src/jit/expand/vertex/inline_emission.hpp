// Inline emissions: load rows of a geometry program's input records, and store emitted ones.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Chooses for a LOAD from a record of the lane's input primitive.
MessageChoice choose_input_load(const MessageSource& m);
/// Chooses for a STORE to a record of the lane with a known number, in programs whose lanes do not
/// diverge.
MessageChoice choose_emission_store(const MessageSource& m);

/// Emit the expansions InputRow, EmittedRow and EmittedElement.
void expand_input_row_load(EmitContext& c);
void expand_emitted_row_store(EmitContext& c);
void expand_emitted_element_store(EmitContext& c);

}  // namespace valkyr::jit
