// Report: prints why a subcommand cannot go on.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// Prints "place:line:column: error: text" to standard error (without line and column if the error
/// has none); returns kExitError.
/// place  a file's name, or the command's ("valkyr bench")
int fail(const Error& error, const std::string& place);

}  // namespace valkyr::app
