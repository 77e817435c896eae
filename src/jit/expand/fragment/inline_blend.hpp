// Inline BLEND: expands stores and blends of colours.
// SPDX-License-Identifier: MIT
//
// The rule is that of docs/rules/formats.md (Blending), to the bit. The descriptor's mode and
// target are taken from the key, with which it agrees: no format, mode "off"; opaque only where the
// key neither blends nor combines nor masks channels.
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

// The expansions of the current BLEND, as blend_choice.hpp chooses them. BlendOff emits nothing.

/// BlendBytes and BlendConstant.
void expand_blend_bytes(EmitContext& c);
void expand_blend_small_bytes(EmitContext& c);
void expand_blend_numbers(EmitContext& c);

}  // namespace valkyr::jit
