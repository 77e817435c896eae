// Inline record stores: write the vertex records of consecutive lanes.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Whether the instruction is a LEA_BUF_IMM of the arena of vertex records.
bool gives_record_address(const valhall::Instr& instr);

/// Chooses for a STORE to the records of the warp's own vertices. Where lanes diverge, only rows
/// are inline.
MessageChoice choose_record_store(const MessageSource& m);

/// Emit the expansions RecordRow and RecordElements.
void expand_record_row_store(EmitContext& c);
void expand_record_element_store(EmitContext& c);

}  // namespace valkyr::jit
