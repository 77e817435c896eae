// Numbers: integer instructions whose sources are numbers while the text is lowered.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <cstdint>

namespace valkyr::valhall::lower {

/// An integer opcode that computes each component from one component of each source (tgsi.rst).
struct NumberOp {
    Opcode opcode;
    unsigned sources;  ///< 1 or 2
    uint32_t (*compute)(uint32_t x, uint32_t y);
};

/// The operation of an instruction without modifiers; null if it is no such one.
const NumberOp* number_op(const Instruction& inst);

}  // namespace valkyr::valhall::lower
