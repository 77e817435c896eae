// Inline memory accesses: LOAD and STORE of words at addresses that programs compute.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// LOAD and STORE at any addresses: words, and what a STORE takes from a part of a register.
MessageChoice choose_memory_load(const MessageSource& m);
MessageChoice choose_memory_store(const MessageSource& m);

/// MemoryWords.
void expand_memory_load(EmitContext& c);
void expand_memory_store(EmitContext& c);
/// MemoryPart.
void expand_memory_part_store(EmitContext& c);

/// Puts the addresses of source 0 of the part's lanes in the frame.
void stage_addresses(EmitContext& c);
/// Stores words lane by lane for the lanes of the part in `lanes`, which it destroys, at the staged
/// addresses; they lie in the frame's `in`, from lane 0 of the part on.
void store_staged_words(EmitContext& c, Gp lanes, unsigned words);

}  // namespace valkyr::jit
