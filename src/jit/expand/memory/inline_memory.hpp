// Inline memory accesses: LOAD and STORE of words at addresses that programs compute.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Expands a LOAD or STORE of `bits` bits at any addresses. False: nothing was emitted, call the
/// routine.
bool expand_memory_load(EmitContext& c, unsigned bits);
bool expand_memory_store(EmitContext& c, unsigned bits);

}  // namespace valkyr::jit
