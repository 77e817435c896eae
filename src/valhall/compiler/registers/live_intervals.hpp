// Live intervals: finds where SSA values live, in layout order.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <vector>

namespace valkyr::valhall::ir {

/// One interval a value, by instruction index: a value defined outside a loop and used inside it
/// lives to the loop's end; otherwise it ends at its last use. Blocks are in source order, so no
/// interval has a hole that matters: lanes that skip a block keep their registers.
struct LiveIntervals {
    std::vector<uint32_t> start;  ///< index of the defining instruction; kNone if there is none
    std::vector<uint32_t> end;    ///< index of the last instruction that needs it
    std::vector<uint32_t> uses;   ///< how often it is read, weighted by loops
};

/// Ends early when the function's compilation is cancelled.
LiveIntervals find_live_intervals(const Function& function);

}  // namespace valkyr::valhall::ir
