// Race watch: follows work-groups that an interpreter runs, and checks each of them for races.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/race_check.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::debug {

/// Watches one group after the other. It cannot be moved: the interpreter's options refer to it.
class RaceWatch {
public:
    RaceWatch() = default;
    RaceWatch(const RaceWatch&) = delete;
    RaceWatch& operator=(const RaceWatch&) = delete;

    /// Options for the interpreter that runs the groups, with observers.
    /// step_limit  instructions that a warp may issue; 0: no limit
    valhall::InterpreterOptions options(uint64_t step_limit = 0);
    /// A group with this shared memory will run next.
    void begin(std::span<const uint8_t> shared);
    /// The races of the group.
    [[nodiscard]] const std::vector<Race>& races() const { return check_.races(); }

private:
    void step(const valhall::StepEvent& event);

    RaceCheck check_;
    GroupSteps steps_;
    std::span<const uint8_t> shared_;
    std::vector<valhall::LaneAccess> accesses_;  ///< of the next step
};

}  // namespace valkyr::debug
