// BLEND as host code.
// SPDX-License-Identifier: MIT
//
// The rule is execution document 7.4, to the bit. The descriptor's mode and target are taken from
// the key, with which it agrees: no format, mode "off"; opaque only where the key neither blends
// nor combines nor masks channels.
#pragma once

#include "jit/lane_group.hpp"

namespace valkyr::jit {

/// Emits the current instruction; false: a routine must do it. Inline: 32-bit registers to 8-bit
/// unorm targets of four channels (inline_blend_bytes.hpp) and to the formats of inline_texel.hpp.
bool expand_blend(EmitContext& c);

/// Whether the state of a target blends with the second colour.
bool dual_source(const exec::BlendKey& key);

/// Where the colours of a BLEND come from: registers of a staging run.
struct ColorSource {
    Reg base;
    bool alpha_is_one;  ///< component 3 reads as 1
};
/// A component as 32 bits, in a register that must not be written. Release it by done_with().
Vec color_component(EmitContext& c, const ColorSource& source, unsigned component);

/// d = combination of stored bits with new ones.
void combine_bits(EmitContext& c, exec::LogicOp op, Vec d, Vec source, Operand stored);

}  // namespace valkyr::jit
