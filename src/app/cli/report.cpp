// Report: prints why a subcommand cannot go on.
// SPDX-License-Identifier: MIT
#include "app/cli/report.hpp"

#include "app/cli/exit_codes.hpp"

#include <cstdio>

namespace valkyr::app {

int fail(const Error& error, const std::string& place) {
    std::fprintf(stderr, "%s\n", error.format(place).c_str());
    return kExitError;
}

}  // namespace valkyr::app
