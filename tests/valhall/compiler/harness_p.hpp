// Harness internals: declares functions that the harness's files share.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/valhall/compiler/harness.hpp"

#include <cstdint>
#include <functional>

namespace valkyr::test {

/// Instructions that a program may run.
inline constexpr uint64_t kStepLimit = 1 << 16;

/// run_tgsi() of a compute shader: the work-groups one after the other.
ShaderOutputs run_tgsi_groups(const tgsi::Shader& shader, const ShaderInputs& in);

/// Runs a call.
using GroupEngine = std::function<void(exec::ComputeCall&)>;

/// The memory of the work-groups of a call.
class GroupMemory {
public:
    explicit GroupMemory(const Groups& groups);
    GroupMemory(const GroupMemory&) = delete;
    GroupMemory& operator=(const GroupMemory&) = delete;

    /// Runs all groups, in two calls if there are several.
    void run(exec::ComputeCall& call, const GroupEngine& engine);
    [[nodiscard]] std::vector<uint8_t> shared() const;

private:
    Groups groups_;
    std::vector<exec::WarpContext> contexts_;
    std::vector<uint64_t> shared_;  ///< with a guard behind the end
};

/// Warps of a work-group.
uint32_t warps_of(const Groups& groups);

}  // namespace valkyr::test
