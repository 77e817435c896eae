// Barrier values: finds the registers that a warp must save at its BARRIERs, and load behind them.
// SPDX-License-Identifier: MIT
//
// Saved values stay in the memory of the warp. When it waits again, it saves only values that may
// have changed since it went on, and it loads only those that code needs before the next BARRIER.
#pragma once

#include "jit/guest/guest_program.hpp"

#include <vector>

namespace valkyr::jit {

/// By resume point.
struct BarrierValues {
    std::vector<RegSet> first;  ///< saved by a warp that waits for the first time
    std::vector<RegSet> again;  ///< saved by a warp that has waited before
    std::vector<RegSet> load;   ///< loaded by a warp that goes on
};

/// Runs after find_liveness(). If lanes may be parked at one of the BARRIERs apart from others, all
/// values that are live are saved and loaded.
BarrierValues find_barrier_values(const GuestProgram& program);

}  // namespace valkyr::jit
