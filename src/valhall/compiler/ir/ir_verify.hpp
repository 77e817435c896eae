// IR verifier: checks the rules of the IR between passes in debug builds and in tests.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <string>

namespace valkyr::valhall::ir {

/// Returns nothing if the function (before register allocation) keeps these rules, else the first
/// breach:
///
/// 1. Blocks cover the instructions in order and without gaps; each ends with its only terminator.
/// 2. Phis stand first, with one input a predecessor.
/// 3. Predecessors and successors agree; an edge from a branch leads to a block with no other
///    predecessor, so that moves for phis have a place.
/// 4. Each value is defined once, before its uses in every path (uses in phis: at the edge).
/// 5. Only loops jump backwards: from their last block to their first.
/// 6. Instructions have as many sources as the tables say, and results where they have some.
/// 7. Float modifiers stand only on sources that take them.
std::string verify(const Function& function);

}  // namespace valkyr::valhall::ir
