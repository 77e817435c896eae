// Double sequences: emit the integer code of an operation on doubles.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/sequences/flow.hpp"
#include "valhall/compiler/sequences/soft_double.hpp"

#include <span>

namespace valkyr::valhall::lower {

/// Appends the instructions of an operation; the high word of a result of one word is unused.
/// flow   loops keep their state in variables 0..kDoubleVariables-1
/// words  the source words
Wide double_sequence(ir::Builder& b,
                     ir::Flow& flow,
                     DoubleOp op,
                     std::span<const ir::Operand> words);

}  // namespace valkyr::valhall::lower
