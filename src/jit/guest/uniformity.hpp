// Uniformity: finds registers that are equal in all lanes, and branches that never diverge.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Marks conditional branches as uniform in its first call, and unmarks branches whose condition
/// can differ between lanes under the current Block::partial. Recompute Block::partial and call
/// again until it returns true.
/// returns  true if it removed no mark
bool confirm_uniform_branches(GuestProgram& program, Cancellation cancellation);

/// Marks the TEX_FETCHes whose operands are equal in all lanes, also in those that do not run
/// (Step::same_operands). Call it when divergence is known.
void mark_same_operands(GuestProgram& program, Cancellation cancellation);

}  // namespace valkyr::jit
