// Blend choice: says which BLENDs are expanded inline.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"

namespace valkyr::jit {

/// Whether expand_blend() emits this BLEND: 32-bit registers to 8-bit unorm targets of four
/// channels (inline_blend_bytes.hpp), and to other normalised and float targets
/// (inline_blend_numbers.hpp).
bool expands_blend(const KernelSource& c, const valhall::Instr& instr);

}  // namespace valkyr::jit
