// Inline atomics: ATOM, ATOM_RETURN and ATOM1_RETURN of 32 bits as host code.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Chooses for atomics: inline for words.
MessageChoice choose_atomic(const MessageSource& m);

/// Emits the expansion MemoryAtomic.
void expand_atomic(EmitContext& c);

}  // namespace valkyr::jit
