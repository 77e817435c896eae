// Straight kernels: says which programs call no routine and have one basic block.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"

namespace valkyr::jit {

/// Whether the emitter of an instruction may call a routine.
bool may_call(const KernelSource& source, const valhall::Instr& instr);

/// Whether a program has one basic block and calls nothing.
bool is_straight(const KernelSource& source);

}  // namespace valkyr::jit
