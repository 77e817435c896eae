// Simulation argument: reads --simulate-threads.
// SPDX-License-Identifier: MIT
#include "app/cli/simulation_argument.hpp"

#include "app/cli/thread_simulation.hpp"

namespace valkyr::app {

void add_simulation_argument(CLI::App& command, std::vector<unsigned>& threads) {
    command
        .add_option_function<std::string>(
            "--simulate-threads",
            [&threads](const std::string& text) {
                auto counts = parse_thread_counts(text);
                if (!counts.has_value())
                    throw CLI::ValidationError("--simulate-threads", counts.error().text);
                threads = std::move(*counts);
            },
            "Instead: how long a frame would take with so many threads, and why (4,8,16,64)")
        ->type_name("LIST");
}

}  // namespace valkyr::app
