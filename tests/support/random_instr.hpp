// Random instructions: make legal Valhall instructions for property tests and fuzzing.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/random.hpp"
#include "valhall/isa/instr.hpp"

namespace valkyr::test {

/// Limits of random instructions. The defaults allow everything that encodes.
struct RandomInstrOptions {
    unsigned registers = 64;   ///< r0 .. registers - 1; at least 8
    unsigned uniforms = 256;   ///< u0 .. uniforms - 1; 0: none
    bool constants = true;     ///< small constants
    bool second_zero = false;  ///< constant 21, which prints like constant 0
    bool specials = true;
    bool last_use = true;  ///< "^"
    bool flows = true;     ///< flows other than none
};

/// An instruction with random modifiers, operands and immediates; check_instr() accepts it.
/// All modifier and selector values that are not reserved are equally likely.
valhall::Instr random_instr(valhall::Op op, Random& random, const RandomInstrOptions& options = {});

/// A random instruction of any opcode.
valhall::Instr random_instr(Random& random, const RandomInstrOptions& options = {});

}  // namespace valkyr::test
