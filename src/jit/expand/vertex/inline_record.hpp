// Inline record stores: write the vertex records of consecutive lanes.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Whether the instruction is a LEA_BUF_IMM of the arena of vertex records.
bool gives_record_address(const valhall::Instr& instr);

/// Expands a STORE of so many bits a lane if it goes to the records of the warp's own vertices.
/// False: nothing was emitted, call the routine.
bool expand_record_store(EmitContext& c, unsigned bits);

}  // namespace valkyr::jit
