// Blend choice: chooses the expansion of BLEND.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Chooses for a BLEND of 32-bit registers to a target of the draw: by the target's format
/// (inline_blend_bytes.hpp, inline_blend_numbers.hpp), the blend state, and whether the colour is a
/// constant (inline_blend_constant.hpp).
MessageChoice choose_blend(const MessageSource& m);

}  // namespace valkyr::jit
