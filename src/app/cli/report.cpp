// Report: prints why a subcommand cannot go on.
// SPDX-License-Identifier: MIT
#include "app/cli/report.hpp"

#include "app/cli/exit_codes.hpp"

#include <cstdio>

namespace valkyr::app {

void print_errors(std::string_view lines, const Style& style) {
    std::fputs(style.paint_labels(lines).c_str(), stderr);
}

int fail(const Error& error, const std::string& place, const Style& style) {
    print_errors(error.format(place) + "\n", style);
    return kExitError;
}

}  // namespace valkyr::app
