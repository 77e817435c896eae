// Inline BLEND: expands stores and blends of colours.
// SPDX-License-Identifier: MIT
//
// Results have the bits of docs/rules/formats.md (Blending). Mode and target come from the key,
// with which the descriptor agrees: mode "off" if there is no format, opaque only if the key has no
// blending, logic operation or channel mask.
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

// Each function emits the current BLEND as blend_choice.hpp chose. BlendOff emits nothing.

/// Emits the expansions BlendBytes and BlendConstant.
void expand_blend_bytes(EmitContext& c);
void expand_blend_small_bytes(EmitContext& c);
void expand_blend_numbers(EmitContext& c);

}  // namespace valkyr::jit
