// Report: prints why a subcommand cannot go on.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/color.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>

namespace valkyr::app {

/// Prints lines like those of compilers to standard error, their labels ("error:") in colour.
void print_errors(std::string_view lines, ColorChoice color);

/// Prints "place:line:column: error: text" to standard error (without line and column if the error
/// has none); returns kExitError.
/// place  a file's name, or the command's ("valkyr bench")
/// color  the value of --color, in commands that have it
int fail(const Error& error, const std::string& place, ColorChoice color = ColorChoice::Auto);

}  // namespace valkyr::app
