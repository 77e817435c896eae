// Number blending: encodes colours of any format and blends them in binary32.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"
#include "jit/expand/fragment/blend_color.hpp"

namespace valkyr::jit {

/// Whether number_store() serves a target of this state. Its channels must be fields of words;
/// 8-bit unorm targets must not blend, as they blend in integers.
bool stores_numbers(const exec::BlendKey& key);

/// Stores the current BLEND's colour in the samples of one part.
void number_store(EmitContext& c, const LaneGroup& group, unsigned target);

}  // namespace valkyr::jit
