// Immediate table: turns literals into operands that need no uniform.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

namespace valkyr::valhall::ir {

/// Makes a literal operand of source `i` of `op` a table constant, with selector and sign as the
/// slot allows. False, and unchanged, if the table does not have it.
bool use_table(Op op, unsigned i, Operand& operand);

}  // namespace valkyr::valhall::ir
