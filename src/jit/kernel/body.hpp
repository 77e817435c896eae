// Kernel body: emits the basic blocks of a program for one warp, with divergence.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits all blocks. The caller has called regs.begin_entry(), defined the preloaded registers and
/// set Gp::Running to the starting lanes (if the program needs it). The code jumps to `end` when no
/// lane is left. If the program has resume points, `resume` is the label of the code that goes on
/// with a waiting warp; the caller jumps there instead.
void emit_body(EmitContext& c, Label end, Label resume = {});

}  // namespace valkyr::jit
