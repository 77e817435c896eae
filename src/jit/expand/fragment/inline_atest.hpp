// Inline ATEST and ZS_EMIT: expands the late tests of a fragment.
// SPDX-License-Identifier: MIT
//
// Inline if the end of a fragment is (expands_fragment()). The datum's state is taken from
// the key, with which it agrees; only the alpha reference is read.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

MessageChoice choose_atest(const MessageSource& m);
MessageChoice choose_zs_emit(const MessageSource& m);

/// Emits the current instruction: Atest and AtestTests.
void expand_atest(EmitContext& c);
/// AtestPass.
void pass_atest(EmitContext& c);
void expand_zs_emit(EmitContext& c);

}  // namespace valkyr::jit
