// Preloads: keep the libraries that a user preloads for the program out of the server.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace valkyr::app {

/// Starts this command anew, with the same arguments, without the libraries of LD_PRELOAD, if there
/// are some: in the sandbox their calls would fail, in a forked server their threads and locks
/// would be lost. Returns if there are none, or if the command cannot be started anew. Called
/// before there are threads, held signals or files that must be closed.
void leave_preloads();

/// The libraries that the user wants to be preloaded, as LD_PRELOAD names them; empty: none.
std::string wanted_preloads();

/// The variable in which leave_preloads() keeps them for wanted_preloads(); nobody else needs it.
inline constexpr const char* kWantedPreloads = "VALKYR_USER_PRELOAD";

}  // namespace valkyr::app
