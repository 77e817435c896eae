// Flow analysis: finds divergence, uniform branches and live registers.
// SPDX-License-Identifier: MIT
//
// Blocks run in program order, and lanes wait at the entry of later blocks (smallest PC first).
// Live in a block are therefore the values that its running lanes read and those of waiting lanes.
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

namespace valkyr::jit {

/// Finds loops and divergence: sets Block::partial, uniform, join and loop_depth, Step's
/// same_operands, and the program's flags except entry_coverage. When cancelled, it ends early and
/// the facts are undefined.
void find_divergence(GuestProgram& program, Cancellation cancellation = {});

/// Facts that find_liveness() finds in addition to members of blocks.
struct FlowFacts {
    RegSet entry_live;  ///< read before written: preloaded registers, or zero
};

/// Sets Block::live_in, live_out, waited_for and masks. Runs after find_divergence() and after
/// trim_accesses(), which decides what messages read. Ends early when cancelled, too.
FlowFacts find_liveness(GuestProgram& program, Cancellation cancellation = {});

}  // namespace valkyr::jit
