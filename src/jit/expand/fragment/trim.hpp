// Trimming: drops operands that no expansion reads, and moves that then have no reader.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"

namespace valkyr::jit {

/// Removes registers from the steps' accesses that the expansions do not read: colours that are
/// encoded once a call, unchanged coverage (GuestProgram::entry_coverage), the positions of
/// varyings at the centre, and known lanes of CLPERs. Runs after choose_expansions(), before
/// find_liveness(). source.program is `program`.
void trim_accesses(GuestProgram& program, const KernelSource& source);

/// Marks moves of constants and uniforms, and lane operands of CLPERs, whose result no step reads.
/// Runs after find_liveness().
void mark_dead_steps(GuestProgram& program);

}  // namespace valkyr::jit
