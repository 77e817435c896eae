// Uniformity: finds registers that are the same in all lanes, and branches that so never diverge.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Marks conditional branches as uniform at first, and unmarks those whose condition can differ
/// between lanes under the current Block::partial. Call until it returns true, recomputing
/// Block::partial in between.
/// returns  true if no mark had to be taken back
bool confirm_uniform_branches(GuestProgram& program, Cancellation cancellation);

}  // namespace valkyr::jit
