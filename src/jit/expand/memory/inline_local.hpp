// Inline thread-local accesses: LOAD and STORE of words that lie interleaved by lane.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Expands a LOAD or STORE of `bits` bits whose address is known to be thread-local: the pointer
/// itself, or its sum with a word wherever the address comes from. False: nothing was emitted.
bool expand_local_load(EmitContext& c, unsigned bits);
bool expand_local_store(EmitContext& c, unsigned bits);

}  // namespace valkyr::jit
