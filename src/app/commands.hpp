// The subcommands of valkyr: each file cmd_*.cpp adds one to the command line.
// SPDX-License-Identifier: MIT
//
// A command's function declares its options, and the work that runs once the whole command line has
// been accepted:
//
//     void add_echo_command(CommandLine& line) {
//         const Command command = line.subcommand("echo", "Print a file");
//         auto options = std::make_shared<EchoOptions>();
//         command.option("FILE", options->file, "Input file, - for standard input").required();
//         command.runs([options] { return echo(*options); });
//     }
//
// A new command is one row in commands.inc and its file in the CMakeLists.txt of its folder.
#pragma once

#include "app/cli/command_line.hpp"
#include "app/cli/exit_codes.hpp"

#include <span>

namespace valkyr::app {

#define VALKYR_COMMAND(name) void add_##name##_command(CommandLine& line);
#include "app/commands.inc"
#undef VALKYR_COMMAND

/// Adds one subcommand.
using AddCommand = void (*)(CommandLine& line);

/// The subcommands of this program in the order of --help. A program links all_commands.cpp, which
/// lists all of them, or demo_commands.cpp, which lists those that show pictures.
std::span<const AddCommand> commands();

}  // namespace valkyr::app
