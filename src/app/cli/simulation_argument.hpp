// Simulation argument: reads --simulate-threads.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"

#include <vector>

namespace valkyr::app {

/// Adds the option; `threads` stays empty without it and must outlive the parsing.
void add_simulation_argument(Command command, std::vector<unsigned>& threads);

}  // namespace valkyr::app
