// Own program: names the file that this process runs.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace valkyr::app {

/// A path that starts the running program again: its own path, so that the process keeps its name,
/// or /proc/self/exe if the file has been removed or replaced.
inline std::string own_program() {
    constexpr const char* kRunning = "/proc/self/exe";
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink(kRunning, error);
    return !error && std::filesystem::exists(path, error) ? path.string() : kRunning;
}

}  // namespace valkyr::app
