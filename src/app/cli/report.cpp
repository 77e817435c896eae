// Report: prints why a subcommand cannot go on.
// SPDX-License-Identifier: MIT
#include "app/cli/report.hpp"

#include "app/cli/exit_codes.hpp"

#include <cstdio>

namespace valkyr::app {

void print_errors(std::string_view lines, ColorChoice color) {
    std::fputs(Style(color, stderr).paint_labels(lines).c_str(), stderr);
}

int fail(const Error& error, const std::string& place, ColorChoice color) {
    print_errors(error.format(place) + "\n", color);
    return kExitError;
}

}  // namespace valkyr::app
