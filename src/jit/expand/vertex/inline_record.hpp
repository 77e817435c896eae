// Inline record stores: write the vertex records of consecutive lanes.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// The records of consecutive lanes.
struct Records {
    Scalar first;   ///< address of the record of the part's first lane
    Scalar stride;  ///< bytes from lane to lane
};

/// Finds a record of each lane of a vertex or geometry program.
/// each    records that a lane has
/// number  of the record among them
Records find_records(EmitContext& c, uint32_t each = 1, uint32_t number = 0);
/// Stores the message's data, `bits` at `offset` of each record, lane by lane. Advances the
/// records.
void store_elements(EmitContext& c, const Records& records, unsigned bits, int32_t offset);

/// Whether the instruction is a LEA_BUF_IMM of the arena of vertex records.
bool gives_record_address(const valhall::Instr& instr);

/// Chooses for a STORE to the records of the warp's own vertices. Where lanes diverge, only rows
/// are inline.
MessageChoice choose_record_store(const MessageSource& m);

/// Emit the expansions RecordRow and RecordElements.
void expand_record_row_store(EmitContext& c);
void expand_record_element_store(EmitContext& c);

}  // namespace valkyr::jit
