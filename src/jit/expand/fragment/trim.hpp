// Trimming: drops operands that no expansion reads, and moves that then have no reader.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"

namespace valkyr::jit {

/// Takes registers that the expansions of messages do not read out of the steps' accesses: colours
/// that are encoded once a call, and coverage that nothing changes (GuestProgram::entry_coverage).
/// After choose_expansions(), before find_liveness(). source.program is `program`.
void trim_accesses(GuestProgram& program, const KernelSource& source);

/// Marks moves of constants and uniforms whose value is not read. After find_liveness().
void mark_dead_moves(GuestProgram& program);

}  // namespace valkyr::jit
