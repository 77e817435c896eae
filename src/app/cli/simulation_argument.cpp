// Simulation argument: reads --simulate-threads.
// SPDX-License-Identifier: MIT
#include "app/cli/simulation_argument.hpp"

#include "app/cli/thread_simulation.hpp"

namespace valkyr::app {

void add_simulation_argument(Command command, std::vector<unsigned>& threads) {
    command
        .option(
            "--simulate-threads",
            [&threads](const std::string& text) -> Result<void> {
                VALKYR_TRY(counts, parse_thread_counts(text));
                threads = std::move(counts);
                return {};
            },
            "Instead: how long a frame would take with so many threads, and why (4,8,16,64)")
        .value_name("LIST");
}

}  // namespace valkyr::app
