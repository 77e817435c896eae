// Inline ATEST and ZS_EMIT: expands the late tests of a fragment.
// SPDX-License-Identifier: MIT
//
// They are inline if expands_fragment() is true. The state comes from the key, with which the datum
// agrees; only the alpha reference is read from the datum.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

MessageChoice choose_atest(const MessageSource& m);
MessageChoice choose_zs_emit(const MessageSource& m);

/// Emits the expansions Atest and AtestTests.
void expand_atest(EmitContext& c);
/// Emits the expansion AtestPass.
void pass_atest(EmitContext& c);
void expand_zs_emit(EmitContext& c);

}  // namespace valkyr::jit
