// Terminal: feeds a console from a terminal (history, completion) or from a script.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/console/console.hpp"

#include <istream>

namespace valkyr::debug {

/// Reads commands from a person until "quit" or the end of input. An empty line repeats the last
/// command. errors  System: no line editor for this terminal
Result<void> run_terminal(Console& console);

/// Carries out the lines of a script; what they print goes to standard output, errors with the
/// line's number to standard error. Returns how many failed.
unsigned run_script(Console& console, std::istream& lines, const std::string& name);

/// Characters a line of the terminal; 160 if standard output is none.
size_t terminal_width();

}  // namespace valkyr::debug
