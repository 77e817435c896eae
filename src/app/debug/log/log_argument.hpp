// Log argument: reads --log and --log-limit.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/debug/log/log_points.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::app {

struct LogOptions {
    std::vector<std::string> specs;  ///< empty: nothing is printed
    uint64_t limit = 1000;           ///< lines

    [[nodiscard]] bool is_set() const { return !specs.empty(); }
};

/// Adds --log, which is returned, and --log-limit; `options` must outlive the parsing.
Option add_log_arguments(Command command, LogOptions& options);

/// The log points; nothing after an error, which is printed: the command ends with kExitUsage.
/// name  of the command, for messages: "valkyr replay"
std::optional<debug::LogPoints> make_log(const LogOptions& options, const std::string& name);

/// Prints how many lines were left out, and to standard error which log points printed nothing.
/// name  of the command, for messages: "valkyr replay"
void end_log(const debug::LogPoints& points,
             const std::string& name,
             const debug::LogPoints::Print& print);

/// Prints to standard output.
void print_log(const std::string& text);

}  // namespace valkyr::app
