// Program rights: finds programs into which the system preloads no library.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace valkyr::app {

/// Returns what is wrong with preloading a library into a program, for a message: its file gives it
/// the rights of another user or group (ld.so(8), secure-execution mode). Empty if nothing is, or
/// if there is no such program.
/// program  a path, or a name that is searched in PATH
[[nodiscard]] std::string hindrance_of_preloads(const std::string& program);

}  // namespace valkyr::app
