// From an instruction to the function that executes it.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

using OpFunction = void (*)(Machine&, const Instr&);

/// The function of an instruction; never null.
OpFunction function_of(Op op);

}  // namespace valkyr::valhall::interpret
