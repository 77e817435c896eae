// Wide doubles: find the doubles that only operations on doubles of their run of blocks read.
// SPDX-License-Identifier: MIT
//
// Such a double's words are never taken apart: its guest registers have the two halves of its
// lanes' doubles instead (emit_double.cpp), of which NaNs may have any bits.
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Sets Step::wide. Runs after find_liveness(): a double has words if waiting lanes keep its
/// registers, or if a block reads it that control can enter from elsewhere than the one before it.
void find_wide_doubles(GuestProgram& program);

}  // namespace valkyr::jit
