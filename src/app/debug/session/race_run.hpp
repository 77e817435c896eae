// Race run: runs a work-group by the interpreter, looks for races, and describes them.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/race_check.hpp"
#include "app/debug/session/warp_case.hpp"

#include <string>
#include <string_view>

namespace valkyr::debug {

struct RaceRun {
    WarpResult result;
    std::vector<Race> races;
    std::vector<valhall::RunFault> faults;
};

/// Runs the case, which has a work-group.
/// step_limit  instructions that a warp may issue
/// errors      those of Interpreter::create
Result<RaceRun> run_race_check(const WarpCase& warp, uint64_t step_limit);

/// The names in the text of a race.
struct RacePlace {
    const valhall::Program& program;
    std::array<uint32_t, 3> block;  ///< invocations of a group
    std::string name;               ///< of the text
    bool steps = false;             ///< steps of a recording, too
};
/// The race in three lines, with the lines of the text and the words of the program.
std::string race_text(const Race& race, const RacePlace& place);
/// All of them, and their number.
/// name   of the text
/// steps  RacePlace::steps
std::string
races_text(std::span<const Race> races, const WarpCase& warp, const std::string& name, bool steps);

}  // namespace valkyr::debug
