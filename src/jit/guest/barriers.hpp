// Barriers: end blocks at the BARRIERs of a compute program at which a warp may have to wait.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Whether warps of this program may have to wait at its BARRIERs for other warps, or lanes for
/// others of their warp. If not, a BARRIER has no effect: the only warp of a group comes to it with
/// all lanes that have not ended. Runs after find_divergence().
bool may_wait(const GuestProgram& program);

/// Makes each BARRIER the end of a block (Exit::Barrier), and the block behind it a resume point.
/// Forgets what find_divergence() found, which must run again.
void end_blocks_at_barriers(GuestProgram& program);

}  // namespace valkyr::jit
