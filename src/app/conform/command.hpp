// Suite command: runs the command line that `valkyr conform` and conform_reference share.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/color.hpp"
#include "app/cli/command_line.hpp"
#include "app/conform/suite.hpp"

#include <string>
#include <vector>

namespace valkyr::conform {

struct CommandOptions {
    std::vector<std::string> filters;
    std::string root = "tests/pictures/conformance";
    unsigned jobs = 0;  ///< 0 = one a processor
    bool bless = false;
    std::string reason;
    bool list = false;
    bool quiet = false;
    std::string junit;
    std::string html;
    std::string json;
    app::ColorChoice color = app::ColorChoice::Auto;
    unsigned shard = 1;  ///< from 1 to `shards`: takes every `shards`-th case
    unsigned shards = 1;
};

/// Adds FILTER, --root, --jobs, --shard, --bless, --reason, --list, --quiet, --junit, --html,
/// --json and --color.
void add_options(app::Command command, CommandOptions& options);

/// Runs or lists the chosen cases, prints progress and failures, writes the reports.
/// returns  0 all passed (or skipped), 1 a failure, 2 no case fits the filters
int run_command(const CommandOptions& options, const std::vector<Configuration>& configurations);
/// Writes goldens instead (--bless), with the same reports and results.
int bless_command(const CommandOptions& options, const Configuration& configuration);

}  // namespace valkyr::conform
