// Flow analysis: finds divergence, uniform branches and live registers.
// SPDX-License-Identifier: MIT
//
// Blocks run in program order and lanes wait at the entry of later blocks (smallest PC first), so
// what is live in a block is what its running lanes need and what waiting lanes keep.
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Finds loops and divergence: fills in Block::partial, uniform, join and loop_depth, and the
/// program's flags but entry_coverage. Ends early, with any facts, when it is cancelled.
void find_divergence(GuestProgram& program, Cancellation cancellation = {});

/// Facts that find_liveness() finds beyond the members of the blocks themselves.
struct FlowFacts {
    RegSet entry_live;  ///< read before written: preloaded registers, or zero
};

/// After find_divergence(), and after trim_accesses(), which says what messages read: fills in
/// Block::live_in, live_out, waited_for and masks. Ends early as well.
FlowFacts find_liveness(GuestProgram& program, Cancellation cancellation = {});

}  // namespace valkyr::jit
