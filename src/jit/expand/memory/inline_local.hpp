// Inline thread-local accesses: LOAD and STORE of words that lie interleaved by lane.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// A LOAD or STORE of words whose address is known to be thread-local: the pointer itself, or its
/// sum with a word wherever the address comes from.
MessageChoice choose_local_access(const MessageSource& m);

/// LocalFixed and LocalComputed.
void expand_local_load(EmitContext& c);
void expand_local_store(EmitContext& c);

}  // namespace valkyr::jit
