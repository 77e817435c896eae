// Isolated: tries in a child process what may crash, hang or give up rights.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace valkyr::app {

/// A check returns a few words about what it found.
using Check = std::function<Result<std::string>()>;

/// Runs the check in a forked child and returns what it returns there.
/// errors  those of the check (as kind System); System: the child crashed, ended by itself or took
///         longer than `limit`, after which it is killed
Result<std::string> isolated(const Check& check, std::chrono::milliseconds limit);

/// Runs a program, found by PATH, in a process group of its own, and returns what it writes to
/// standard output and standard error.
/// errors  System: it cannot be started; its exit code is not 0; it took longer than `limit`, after
///         which its group is ended: by SIGTERM and, some seconds later, by SIGKILL. The text ends
///         with what it has written.
Result<std::string> output_of(const std::vector<std::string>& program,
                              std::chrono::milliseconds limit);

}  // namespace valkyr::app
