// Constant colours: encodes, once a call, colours that all pixels share.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_bytes.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

using ConstantColor = std::array<valhall::Source, 4>;
/// The colour of the BLEND that is step `at`, if moves in its block make it of constants and
/// uniforms.
std::optional<ConstantColor> constant_color(const GuestProgram& program, uint32_t at);

/// Encodes the colours of the program's BLENDs whose expansion is BlendConstant into the frame,
/// once a call.
void prepare_constant_colors(EmitContext& c);

/// The colour that prepare_constant_colors() left there, as texels (a target that does not blend);
/// as terms (one that blends by terms); else as bytes, in temporaries.
Operand constant_texels(EmitContext& c, unsigned target);
ByteBlendTermOperands constant_terms(EmitContext& c, unsigned target);
WideBytes constant_bytes(EmitContext& c, unsigned target);

}  // namespace valkyr::jit
