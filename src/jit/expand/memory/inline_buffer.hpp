// Inline LD_BUFFER: loads words of constant buffers, for all lanes at once or lane by lane.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

MessageChoice choose_buffer_load(const MessageSource& m);

/// Expands a LD_BUFFER of words. A known handle of a table other than the constant buffers' is
/// treated as a run-time handle.
void expand_buffer_load(EmitContext& c);

}  // namespace valkyr::jit
