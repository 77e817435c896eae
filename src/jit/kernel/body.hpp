// Kernel body: emits the basic blocks of a program for one warp, with divergence.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits all blocks. Before: regs.begin_entry() and the preloaded registers defined, Gp::Running
/// set to the lanes that start (if the program needs it). Control leaves to `end` when no lane is
/// left.
void emit_body(EmitContext& c, Label end);

}  // namespace valkyr::jit
