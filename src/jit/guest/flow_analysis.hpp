// Flow analysis: finds divergence, uniform branches and live registers.
// SPDX-License-Identifier: MIT
//
// Blocks run in program order and lanes wait at the entry of later blocks (smallest PC first), so
// what is live in a block is what its running lanes need and what waiting lanes keep.
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Facts that analyse_flow() finds beyond the members of the blocks themselves.
struct FlowFacts {
    RegSet entry_live;  ///< read before written: preloaded registers, or zero
};

/// Fills in Block::partial, uniform, join, loop_depth, live_in, live_out and the program's flags.
/// Ends early, with any facts, when it is cancelled.
FlowFacts analyse_flow(GuestProgram& program, Cancellation cancellation = {});

}  // namespace valkyr::jit
