// Random shader: generates TGSI shaders with a defined result; every read value was written.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace valkyr::test {

/// Limits of what a random shader contains.
struct RandomShaderOptions {
    unsigned instructions = 30;
    bool control_flow = false;  ///< IF, UIF, loops with a bound, SWITCH, BRK, CONT
    bool indirect = false;      ///< an array indexed by an address register
    bool discard = false;       ///< KILL_IF
    bool wide = false;          ///< doubles and 64-bit integers among the rest
    bool lanes = false;         ///< derivatives, votes, ballots, reads of other lanes
    bool memory = false;        ///< loads, stores and atomics on BUFFER[0..1]
    bool textures = false;      ///< samples and fetches
    bool subroutines = false;   ///< two of them, called anywhere
    bool geometry = false;      ///< a geometry shader: vertices by number, EMIT, ENDPRIM, streams
    unsigned temporaries = 8;
};

/// A fragment shader that reads IN[0..3] and CONST[0..7] and writes two colours; or a geometry
/// shader that reads IN[][0..3] and emits a position and two varyings. Only opcodes whose results
/// are defined to the bit.
std::string random_shader(std::mt19937& random, const RandomShaderOptions& options);

}  // namespace valkyr::test
