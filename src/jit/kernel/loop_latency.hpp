// Loop latency: finds code that waits for its own results instead of keeping the host busy.
// SPDX-License-Identifier: MIT
//
// Code that waits leaves half of the machine idle: it takes hardly longer with more lanes, in other
// host registers (as further parts of every value).
#pragma once

#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Whether the program has loops, and all innermost loops wait for their own results.
bool loops_wait(const GuestProgram& program);

/// Whether the program is one block whose results are mostly one chain: of arithmetic, or of
/// texture messages that read where the one before says. The processor sees too little of the next
/// warp to do that meanwhile.
bool line_waits(const GuestProgram& program);

}  // namespace valkyr::jit
