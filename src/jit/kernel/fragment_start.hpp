// Fragment start: preloads the registers that a fragment warp starts with.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

struct FragmentStart {
    RegSet live;          ///< registers that the program reads before it writes them
    bool plain_coverage;  ///< one sample, one invocation a pixel
};

/// Defines the live registers; a register without a meaning becomes 0.
/// coverage  for each lane, the samples that this invocation covers
void preload_fragment(EmitContext& c, const FragmentStart& start, Address coverage);

}  // namespace valkyr::jit
