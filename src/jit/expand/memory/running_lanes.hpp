// Running lanes: compares what the running lanes of a part hold.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// The lanes of the part that run, as bits from 0 on; bits of later parts may follow.
Scalar running_lanes(EmitContext& c);

/// Jumps if the mask has a running lane of the part.
void jump_if_any(EmitContext& c, Mask mask, Label label);

/// The word that all running lanes of the part have. Jumps if they differ. If none runs, the result
/// is any word.
/// copy  the words, stored in the frame
Scalar first_running(EmitContext& c, Vec words, Address copy, Label differ);

}  // namespace valkyr::jit
