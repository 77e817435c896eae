// Idle IDs: find the entry registers of compute programs that no instruction reads or writes.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Sets GuestProgram::idle_ids. The ends of the program do not read these registers any more.
void find_idle_ids(GuestProgram& program, const KernelKey& key);

}  // namespace valkyr::jit
