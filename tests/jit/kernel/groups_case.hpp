// Groups case: runs work-groups of a compute program on the interpreter and on every host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"
#include "tests/jit/harness.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace valkyr::test {

using Sizes = std::array<uint32_t, 3>;

/// A compute program of this assembly text, with kTestUniforms uniforms of the draw: words 3, 0 and
/// then 5 times their number.
valhall::Program group_program(std::string_view text, const exec::ComputeInfo& compute);

/// The groups of a call.
struct GroupShape {
    Sizes block{1, 1, 1};
    Sizes grid{1, 1, 1};
    uint64_t first = 0;
    uint64_t count = 1;
    uint32_t shared_bytes = 0;
    bool contexts = true;  ///< false: the call has none, as groups of one warp may
};

/// Memory after a call.
struct GroupMemory {
    std::vector<exec::Lanes> tls;
    std::vector<uint32_t> shared;
    Registers registers{};
};

/// Runs the groups. Shared memory and thread-local storage have equal addresses in all runs.
GroupMemory
run_groups(const exec::Kernel& kernel, const GroupShape& shape, exec::LoopWatch* watch = nullptr);

/// Runs the groups on the interpreter and on each level, and checks that all agree; returns the
/// interpreter's memory.
/// fixed  the program says the size of its groups
GroupMemory agreed_groups(std::string_view text, const GroupShape& shape, bool fixed = true);

}  // namespace valkyr::test
