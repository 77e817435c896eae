// Preloads: keep the libraries that a user preloads for the program out of the server.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace valkyr::app {

/// If LD_PRELOAD names libraries, executes this command again without them: the sandbox would
/// refuse their calls, and a forked server would lose their threads and locks. Returns if
/// LD_PRELOAD names none, or if the execution fails. Call it before the process has threads, held
/// signals or files that must be closed.
void leave_preloads();

/// The libraries that the user's LD_PRELOAD named; empty: none.
std::string wanted_preloads();

/// The variable in which leave_preloads() keeps them for wanted_preloads().
inline constexpr const char* kWantedPreloads = "VALKYR_USER_PRELOAD";

}  // namespace valkyr::app
