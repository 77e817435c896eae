// Inline ATEST and ZS_EMIT: expands the late tests of a fragment.
// SPDX-License-Identifier: MIT
//
// Inline if the tests of depth and stencil are (inline_depth.hpp). The datum's state is taken from
// the key, with which it agrees; only the alpha reference is read.
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits the current instruction; false: a routine must do it.
bool expand_atest(EmitContext& c);
bool expand_zs_emit(EmitContext& c);

}  // namespace valkyr::jit
