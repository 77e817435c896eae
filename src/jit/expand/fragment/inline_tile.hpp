// Inline LD_TILE and ST_TILE: expands accesses to the pixel itself.
// SPDX-License-Identifier: MIT
//
// Expanded is what shaders do: all lanes name their own pixels, one target and one sample. Which
// target and sample is decided when the message runs; for any other indices the routine is called.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

#include <functional>

namespace valkyr::jit {

/// LD_TILE and ST_TILE with a known conversion word, if some target has an expansion.
MessageChoice choose_tile_access(const MessageSource& m);

/// Emits the bare call of the tile's routine. Operands are in the frame: indices in operand[0],
/// coverage in operand[1].
using CallTileRoutine = std::function<void()>;

/// Emits the current LD_TILE, up to its results in the frame's `out`, as a call (between
/// before_call() and after_call()).
void expand_tile_load(EmitContext& c, const CallTileRoutine& routine);

/// The same for ST_TILE, whose colour is in the frame's `in`.
void expand_tile_store(EmitContext& c, const CallTileRoutine& routine);

}  // namespace valkyr::jit
