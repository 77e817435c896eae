// Float comparison: emits the comparisons of FCMP, CSEL and DISCARD.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// d = a cond b, with the `cmp` modifier of the instruction.
void compare_f32(EmitContext& c, Mask d, Vec a, Operand b);

}  // namespace valkyr::jit
