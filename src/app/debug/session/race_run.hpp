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

/// The race in three lines, with the lines of the text and the words of the program; `name` is that
/// of the text's file. Recorded steps are named, too.
std::string race_text(const Race& race, const WarpCase& warp, const std::string& name, bool steps);
/// All of them, and their number.
std::string
races_text(std::span<const Race> races, const WarpCase& warp, const std::string& name, bool steps);

}  // namespace valkyr::debug
