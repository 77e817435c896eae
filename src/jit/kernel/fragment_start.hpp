// Fragment start: preloads the registers that a fragment warp starts with.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

struct FragmentStart {
    RegSet live;          ///< registers that the program reads before it writes them
    bool plain_coverage;  ///< one sample, one invocation a pixel
};

/// Fills them in; those without a meaning are 0.
/// coverage  by lane: the samples that this invocation covers
void preload_fragment(EmitContext& c, const FragmentStart& start, Address coverage);

}  // namespace valkyr::jit
