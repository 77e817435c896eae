// Inline LD_BUFFER: loads words of constant buffers, for all lanes at once or lane by lane.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Expands a LD_BUFFER of `bits` bits. False: nothing was emitted, call the routine.
bool expand_buffer_load(EmitContext& c, unsigned bits);

}  // namespace valkyr::jit
