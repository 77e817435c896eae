// Inline memory accesses: LOAD and STORE of words at addresses that programs compute.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Choose for LOAD and STORE at any addresses: inline for words, and for STORE of bytes and
/// half-words.
MessageChoice choose_memory_load(const MessageSource& m);
MessageChoice choose_memory_store(const MessageSource& m);

/// Emit the expansion MemoryWords.
void expand_memory_load(EmitContext& c);
void expand_memory_store(EmitContext& c);
/// Emits the expansion MemoryPart.
void expand_memory_part_store(EmitContext& c);

/// Stores words lane by lane at the staged addresses, for the lanes of the part in `lanes`, which
/// it destroys. The words are in the frame's `in`, from lane 0 of the part on.
void store_staged_words(EmitContext& c, Gp lanes, unsigned words);

}  // namespace valkyr::jit
