// Random geometry: makes geometry shaders that emit what they have read.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/random_phases.hpp"

#include <cstdint>
#include <string>

namespace valkyr::test {

/// A geometry shader, and what it emits.
///
/// It reads POSITION, GENERIC[0] and GENERIC[1] of the vertices; their bits may be any. OUT[0] is
/// POSITION: primitives of input primitive n lie in cell n modulo 16 of the 4 x 4 of
/// RandomPatches. OUT[1] and OUT[2] are words in GENERIC[0] and GENERIC[1]; further streams emit
/// words in OUT[2 + stream].
struct RandomGeometry {
    std::string text;                        ///< TGSI
    uint32_t streams = 1;                    ///< more only if it emits points
    static constexpr uint32_t kOutputs = 3;  ///< of stream 0
};

/// Equal choices make equal shaders.
/// vertices  of an input primitive: 1, 2, 3, 4 (lines with adjacency) or 6 (triangles with it)
RandomGeometry random_geometry(const Choose& below, uint32_t vertices);

}  // namespace valkyr::test
