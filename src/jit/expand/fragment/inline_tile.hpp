// Inline LD_TILE and ST_TILE: expands accesses to the pixel itself.
// SPDX-License-Identifier: MIT
//
// The expansion serves lanes that name their own pixels and agree on target and sample, as shaders
// do. The code tests this at run time and calls the routine for all other indices.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

#include <functional>

namespace valkyr::jit {

/// Chooses for LD_TILE and ST_TILE: inline with a known conversion word, if any target has an
/// expansion.
MessageChoice choose_tile_access(const MessageSource& m);

/// Emits only the call of the tile's routine. Operands are in the frame: indices in operand[0],
/// coverage in operand[1].
using CallTileRoutine = std::function<void()>;

/// Emits the current LD_TILE between before_call() and after_call(), like a call. Its results are
/// then in the frame's `out`.
void expand_tile_load(EmitContext& c, const CallTileRoutine& routine);

/// Emits the current ST_TILE likewise; its colour is in the frame's `in`.
void expand_tile_store(EmitContext& c, const CallTileRoutine& routine);

}  // namespace valkyr::jit
