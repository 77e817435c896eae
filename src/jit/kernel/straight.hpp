// Straight kernels: finds programs that have one basic block and call no routine.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Whether the emitter of a step may call a routine.
bool may_call(const Step& step);

/// Whether a program has one basic block and calls no routine.
bool is_straight(const GuestProgram& program);

}  // namespace valkyr::jit
