// Inline BLEND: expands stores and blends of colours.
// SPDX-License-Identifier: MIT
//
// The rule is execution document 7.4, to the bit. The descriptor's mode and target are taken from
// the key, with which it agrees: no format, mode "off"; opaque only where the key neither blends
// nor combines nor masks channels.
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits the current instruction; false: a routine must do it. Inline: 32-bit registers to 8-bit
/// unorm targets of four channels (inline_blend_bytes.hpp), and to other normalised and float
/// targets (inline_blend_numbers.hpp).
bool expand_blend(EmitContext& c);

/// Whether expand_blend() emits this instruction.
bool expands_blend(const KernelSource& c, const valhall::Instr& instr);

}  // namespace valkyr::jit
