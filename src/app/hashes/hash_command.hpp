// Hash command: prints the table of `valkyr conform --hashes` and what differs.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/conform/command.hpp"

#include <string>
#include <vector>

namespace valkyr::hashes {

struct HashOptions {
    bool wanted = false;
    std::vector<std::string> traces;
    std::string write;   ///< file for the list; empty: none
    std::string expect;  ///< file of the list to compare with; empty: the release's own
};

/// Adds --hashes, --hash-trace, --write-hashes and --expect-hashes.
void add_hash_options(app::Command command, HashOptions& options);

/// Hashes the works that the command's filters choose, compares them with the recorded hashes, and
/// prints the table; or writes the list, if all configurations agree.
/// returns  0 all equal, 1 a difference or an error, 2 no work fits the filters, or an option that
///          hashes do not have
int run_hashes(const HashOptions& options,
               const conform::CommandOptions& common,
               const std::vector<conform::Configuration>& configurations);

}  // namespace valkyr::hashes
