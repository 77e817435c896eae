// Table of instruction functions: finds the function that executes an instruction.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

using OpFunction = void (*)(Machine&, const Instr&);

/// The function of an instruction; never null.
OpFunction function_of(Op op);

}  // namespace valkyr::valhall::interpret
