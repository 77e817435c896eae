// Random patches: makes tessellation shaders without races, and draws of patches.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/random_phases.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace valkyr::test {

/// A control and an evaluation shader, and patches for them: at most 16.
///
/// The control shader reads POSITION, GENERIC[0] and GENERIC[1] of the vertices; their bits may be
/// any. The evaluation shader places patch n in cell n of 4 x 4 in the window, and writes words to
/// GENERIC[0] and GENERIC[1]. If it `counts`, it adds words to the four of BUFFER[0], at most once
/// for each point.
struct RandomPatches {
    std::string control;  ///< TGSI; empty: none
    std::string evaluation;
    uint32_t vertices = 1;  ///< of a patch
    uint32_t count = 0;     ///< vertices of the draw
    bool provoking_first = false;
    bool counts = false;
    uint32_t corners = 3;  ///< of a primitive that division makes
    /// Levels of the patches if there is no control shader.
    std::array<float, 4> outer{};
    std::array<float, 2> inner{};

    static constexpr uint32_t kCells = 4;  ///< of a row or a column
};

/// Equal choices make equal shaders. All that the draw leaves behind is defined, whatever the order
/// of invocations.
RandomPatches random_patches(const Choose& below);

}  // namespace valkyr::test
