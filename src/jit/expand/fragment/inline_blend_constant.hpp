// Constant colours: encodes colours that all pixels share, once a call.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_bytes.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

using ConstantColor = std::array<valhall::Source, 4>;
/// The colour of the BLEND at step `at`, if moves in its block take it from constants and uniforms.
std::optional<ConstantColor> constant_color(const GuestProgram& program, uint32_t at);

/// Encodes the colours of all BLENDs whose expansion is BlendConstant, into the frame, before the
/// loop of a call.
void prepare_constant_colors(EmitContext& c);

/// The prepared colour: as texels for a target that does not blend, as terms for one that blends by
/// terms, else as bytes in temporaries.
Operand constant_texels(EmitContext& c, unsigned target);
ByteBlendTermOperands constant_terms(EmitContext& c, unsigned target);
WideBytes constant_bytes(EmitContext& c, unsigned target);

}  // namespace valkyr::jit
