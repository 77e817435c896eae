// Random groups: makes compute shaders with barriers and atomics that have no races.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/random_phases.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace valkyr::test {

/// A compute shader and its work-groups, at most 6 of at most 1024 invocations.
struct RandomGroups {
    std::array<uint32_t, 3> block{1, 1, 1};  ///< invocations of a group
    std::array<uint32_t, 3> grid{1, 1, 1};   ///< groups
    uint32_t shared_bytes = 0;
    std::string text;  ///< TGSI

    /// Words of BUFFER[0], an atomic, and of BUFFER[1], one for each invocation of the grid.
    static constexpr std::array<uint32_t, 2> kBufferWords{1, 4096};
};

/// Equal choices make equal shaders. All that the shader leaves in its buffers is defined, whatever
/// the order of invocations.
RandomGroups random_groups(const Choose& below);

}  // namespace valkyr::test
