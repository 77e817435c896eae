// Constant colours: encodes, once a call, colours that all pixels share.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_bytes.hpp"

#include <optional>

namespace valkyr::jit {

/// Encodes the constant colours of the program's BLENDs into the frame, once a call.
void prepare_constant_colors(EmitContext& c);

/// Whether the current BLEND stores a colour that prepare_constant_colors() left in the frame.
bool has_constant_color(const KernelSource& c, unsigned target);
/// That colour as texels (a target that does not blend); as terms (one that blends by terms); else
/// as bytes, in temporaries.
Operand constant_texels(EmitContext& c, unsigned target);
ByteBlendTermOperands constant_terms(EmitContext& c, unsigned target);
WideBytes constant_bytes(EmitContext& c, unsigned target);

}  // namespace valkyr::jit
