// Spilling: values that live in thread-local storage instead of registers.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::valhall::ir {

/// Stores every value v with spilled[v] where it is made and loads it before each use; spilled phis
/// become stores at the ends of the predecessors. `never` (by value, grown as needed) marks values
/// for which spilling gains nothing any more. False if there is nothing to spill or no room.
bool spill(Function& function, const std::vector<uint8_t>& spilled, std::vector<uint8_t>& never);

}  // namespace valkyr::valhall::ir
