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
// A new command is one row in commands.inc and its file in CMakeLists.txt. The files of commands
// are compiled together (CLI11 costs 15 seconds a translation unit), so their private names differ.
#pragma once

#include "app/cli/exit_codes.hpp"

#include <CLI/CLI.hpp>
#include <functional>

namespace valkyr::app {

/// The work of a parsed command; returns the exit code.
using Run = std::function<int()>;

#define VALKYR_COMMAND(name) void add_##name##_command(CLI::App& app, Run& run);
#include "app/commands.inc"
#undef VALKYR_COMMAND

}  // namespace valkyr::app
