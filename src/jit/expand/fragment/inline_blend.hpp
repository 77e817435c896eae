// BLEND as host code.
// SPDX-License-Identifier: MIT
//
// The rule is execution document 7.4, to the bit. The descriptor's mode and target are taken from
// the key, with which it agrees: no format, mode "off"; opaque only where the key neither blends
// nor combines nor masks channels.
#pragma once

#include "jit/context/lane_group.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

/// Emits the current instruction; false: a routine must do it. Inline: 32-bit registers to 8-bit
/// unorm targets of four channels (inline_blend_bytes.hpp), and to other normalised and float
/// targets (inline_blend_numbers.hpp).
bool expand_blend(EmitContext& c);

/// Whether expand_blend() does this one; the target that its descriptor operand names, if it is
/// the draw's own descriptor.
bool expands_blend(const KernelSource& c, const valhall::Instr& instr);
std::optional<unsigned> blend_target(const valhall::Instr& instr);

/// Whether the state of a target blends, and with the second colour.
bool blends(const exec::BlendKey& key);
bool dual_source(const exec::BlendKey& key);

/// Components of a colour as 32 bits.
using Color = std::array<Temp, 4>;
/// The colour in a staging run; component 3 may be replaced by 1.
Color staged_color(EmitContext& c, Reg base, bool alpha_is_one);

/// Lanes whose sample the current BLEND writes.
TempMask covered_lanes(EmitContext& c, const LaneGroup& group, unsigned sample);

/// d = combination of stored bits with new ones.
void combine_bits(EmitContext& c, exec::LogicOp op, Vec d, Vec source, Operand stored);

}  // namespace valkyr::jit
