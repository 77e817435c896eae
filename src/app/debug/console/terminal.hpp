// Terminal: feeds a console from a terminal (history, completion) or from a script.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/console/console.hpp"

#include <istream>

namespace valkyr::debug {

/// Reads commands from the terminal until "quit" or the end of input. An empty line repeats the
/// last command.
/// errors  System: no line editor for this terminal
Result<void> run_terminal(Console& console);

/// Executes the lines of a script. Their text goes to standard output, errors with line numbers to
/// standard error. Returns how many lines failed.
unsigned run_script(Console& console, std::istream& lines, const std::string& name);

/// Columns of the terminal; 160 if standard output is not a terminal.
size_t terminal_width();

}  // namespace valkyr::debug
