// Inline thread-local accesses: LOAD and STORE of words that lie interleaved by lane.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Chooses for a LOAD or STORE of words: inline if its address is the pointer to thread-local
/// storage or, on all paths, a sum of it with a word.
MessageChoice choose_local_access(const MessageSource& m);

/// Emit the expansions LocalFixed and LocalComputed.
void expand_local_load(EmitContext& c);
void expand_local_store(EmitContext& c);

}  // namespace valkyr::jit
