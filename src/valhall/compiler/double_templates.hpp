// Double templates: compile the integer code of operations on doubles once a process.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/double_template.hpp"

namespace valkyr::valhall {

/// The template of an operation, made at its first use; any thread may ask.
const ir::DoubleTemplate& double_template(DoubleOp op);

}  // namespace valkyr::valhall
