// Staging count: computes how many staging registers an instruction needs.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

namespace valkyr::valhall {

/// Registers that staging run `run` (index into OpInfo::staging) must have, by the format, vector
/// size, write mask and other modifiers of the instruction. An optional run may be empty.
unsigned staging_count(const Instr& instr, unsigned run);

}  // namespace valkyr::valhall
