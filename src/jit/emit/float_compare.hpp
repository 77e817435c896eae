// Float comparison: emits the comparisons of FCMP, CSEL and DISCARD, and bounds of numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// d = a cond b, with the `cmp` modifier of the instruction.
void compare_f32(EmitContext& c, Mask d, Vec a, Operand b);
/// d = the larger (`maximum`) or smaller one of `a` and a bound, a number, which is the result also
/// for a NaN and for a zero of the other sign.
/// may_signal  whether `a` can be a signalling NaN
void limit_f32(EmitContext& c, Vec d, Vec a, Operand bound, bool maximum, bool may_signal);

}  // namespace valkyr::jit
