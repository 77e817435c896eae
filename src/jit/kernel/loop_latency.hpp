// Loop latency: tells loops that wait for their own results from those that keep the host busy.
// SPDX-License-Identifier: MIT
//
// A loop that waits leaves half of the machine idle: with more lanes in other host registers (as
// further parts of every value) it takes hardly longer.
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Whether there are loops, and all that have no loop inside wait for their own results.
bool loops_wait(const GuestProgram& program);

}  // namespace valkyr::jit
