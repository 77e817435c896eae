// Isolated: runs a check that may crash, hang or give up rights in a child process.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace valkyr::app {

/// A check; its value is a short description of the result.
using Check = std::function<Result<std::string>()>;

/// Runs the check in a forked child and returns its result.
/// errors  those of the check (as kind System); System: the child crashed, ended by itself or took
///         longer than `limit`, after which it is killed
Result<std::string> isolated(const Check& check,
                             std::chrono::milliseconds limit = std::chrono::seconds(10));

/// Runs a program, found by PATH, in a process group of its own, and returns its standard output
/// and standard error.
/// errors  System: it cannot be started; its exit code is not 0; it took longer than `limit`, after
///         which its group is ended: by SIGTERM and, some seconds later, by SIGKILL. The text ends
///         with the program's output.
Result<std::string> output_of(const std::vector<std::string>& program,
                              std::chrono::milliseconds limit);

}  // namespace valkyr::app
