// Trap argument: reads --trap, and prints what a trap has found.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/debug/trap/trap_log.hpp"

#include <functional>
#include <string>

namespace valkyr::app {

/// Adds --trap, which is returned, and --trap-count; `options` must outlive the parsing.
Option add_trap_arguments(Command command, debug::TrapOptions& options);

/// Prints the findings to standard error, each with the command that opens the debugger there.
/// name        of the command, for messages: "valkyr replay"
/// debug_with  the words before the options that choose the lane, "valkyr debug a.trace --frame 2";
///             empty: nothing can be debugged
/// returns     whether there are findings
bool print_findings(const debug::TrapLog& log,
                    const std::string& name,
                    const std::function<std::string(const debug::TrapFinding&)>& debug_with);

}  // namespace valkyr::app
