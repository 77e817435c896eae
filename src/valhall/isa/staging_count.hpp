// How many staging registers an instruction needs.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::valhall {

/// Registers that staging run `run` of the instruction must have, by its format, vector size,
/// write mask and modifiers. Nothing if the run may have any length it can encode.
std::optional<unsigned> staging_count(const Instr& instr, unsigned run);

}  // namespace valkyr::valhall
