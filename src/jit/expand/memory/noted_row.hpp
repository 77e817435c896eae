// Noted row: hands the address of a row of texels from LEA_TEX to the message that accesses it.
// SPDX-License-Identifier: MIT
//
// LEA_TEX knows whether the texels of all lanes lie as those of a block or row (image_rows.hpp).
// It notes so in the frame; a store or atomic of these addresses need not compare them again.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Where the frame has the address of lane 0's texel, or in fragment kernels of the block's first
/// one; 0: there is no row.
inline Address row_note(const EmitContext& c) {
    return VALKYR_FRAME(noted_row).plus(static_cast<int32_t>(c.part * sizeof(uint64_t)));
}
/// Where it has, in fragment kernels, the address of the numbers of the lanes' texels in the block.
inline Address order_note(const EmitContext& c) {
    return VALKYR_FRAME(noted_order).plus(static_cast<int32_t>(c.part * sizeof(uint64_t)));
}

/// Notes that there is no row.
void note_no_row(EmitContext& c);

/// Whether the last LEA_TEX of the block before this message made its address, source 0, and notes
/// a row.
bool takes_row(const MessageSource& m);

/// Whether the host has rows, and the message takes_row().
bool has_noted_row(const EmitContext& c);

/// Loads row_note(). Jumps if no row is noted, or if not all lanes store. Only if
/// has_noted_row().
Scalar noted_row(EmitContext& c, Label otherwise);

/// d = the numbers of the lanes' texels in the block; only behind noted_row().
void load_noted_order(EmitContext& c, Vec d);

}  // namespace valkyr::jit
