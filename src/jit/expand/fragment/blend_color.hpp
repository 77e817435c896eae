// Blend colours: reads the colour of a BLEND and finds the lanes and samples that it writes.
// SPDX-License-Identifier: MIT
//
// The expansions of all formats use these functions (inline_blend_bytes.hpp,
// inline_blend_numbers.hpp).
#pragma once

#include "exec/entry_registers.hpp"
#include "jit/context/lane_group.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

/// The first of four registers with the second colour of dual-source blending.
inline constexpr Reg kSecondColor = exec::kSecondColorRegister;

/// The target that the descriptor operand of a BLEND names, if it is the draw's own descriptor.
std::optional<unsigned> blend_target(const valhall::Instr& instr);

/// Whether the state of a target blends. Logic operations take precedence.
bool blends(const exec::BlendKey& key);

/// The components of a colour, 32 bits each.
using Color = std::array<Temp, 4>;
/// The colour in a staging run, the first or the second one; alpha-to-one replaces component 3
/// by 1.
Color staged_color(EmitContext& c, Reg base);

/// The lanes in which the current BLEND writes this sample.
TempMask covered_lanes(EmitContext& c, const LaneGroup& group, unsigned sample);

/// d = source op stored, bit by bit.
void combine_bits(EmitContext& c, exec::LogicOp op, Vec d, Vec source, Operand stored);

}  // namespace valkyr::jit
