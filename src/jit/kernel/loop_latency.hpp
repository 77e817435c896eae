// Loop latency: finds loops that wait for their own results instead of keeping the host busy.
// SPDX-License-Identifier: MIT
//
// A loop that waits leaves half of the machine idle: it takes hardly longer with more lanes, in
// other host registers (as further parts of every value).
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Whether the program has loops, and all innermost loops wait for their own results.
bool loops_wait(const GuestProgram& program);

}  // namespace valkyr::jit
