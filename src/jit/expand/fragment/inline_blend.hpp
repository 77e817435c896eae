// Inline BLEND: expands stores and blends of colours.
// SPDX-License-Identifier: MIT
//
// The rule is that of docs/rules/formats.md (Blending), to the bit. The descriptor's mode and
// target are taken from the key, with which it agrees: no format, mode "off"; opaque only where the
// key neither blends nor combines nor masks channels.
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits the current instruction; false: a routine must do it (blend_choice.hpp).
bool expand_blend(EmitContext& c);

}  // namespace valkyr::jit
