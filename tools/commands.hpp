// The subcommands of valkyr: each file cmd_*.cpp adds one to the command line.
// SPDX-License-Identifier: MIT
//
// A command's function declares its options on `app` and, in the subcommand's callback, sets `run`
// to what shall happen after the whole command line has been accepted:
//
//     void add_echo_command(CLI::App& app, Run& run) {
//         auto* command = app.add_subcommand("echo", "Print a file");
//         auto options = std::make_shared<EchoOptions>();
//         command->add_option("FILE", options->file, "Input file, - for standard
//         input")->required(); command->callback([options, &run] { run = [options] { return
//         echo(*options); }; });
//     }
//
// A new command is one row in commands.inc and its file in CMakeLists.txt.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace valkyr::tools {

/// Exit codes of the program.
inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;  ///< bad input, failed check, refused by the machine
inline constexpr int kExitUsage = 2;  ///< the command line itself is wrong

/// The work of a parsed command; returns the exit code.
using Run = std::function<int()>;

#define VALKYR_COMMAND(name) void add_##name##_command(CLI::App& app, Run& run);
#include "commands.inc"
#undef VALKYR_COMMAND

}  // namespace valkyr::tools
