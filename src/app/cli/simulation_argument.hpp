// Simulation argument: reads --simulate-threads.
// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

namespace valkyr::app {

/// Adds the option; `threads` stays empty without it and must outlive the parsing.
void add_simulation_argument(CLI::App& command, std::vector<unsigned>& threads);

}  // namespace valkyr::app
