// Inline memory accesses: LOAD and STORE of words at addresses that programs compute.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Expands a LOAD or STORE of `bits` bits at any addresses. False: nothing was emitted, call the
/// routine.
bool expand_memory_load(EmitContext& c, unsigned bits);
bool expand_memory_store(EmitContext& c, unsigned bits);

/// Puts the addresses of source 0 of the part's lanes in the frame.
void stage_addresses(EmitContext& c);
/// Stores words lane by lane for the lanes of the part in `lanes`, which it destroys, at the staged
/// addresses; they lie in the frame's `in`, from lane 0 of the part on.
void store_staged_words(EmitContext& c, Gp lanes, unsigned words);

}  // namespace valkyr::jit
