// Own program: names the file that this process runs.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace valkyr::app {

/// A path by which the running program can be started again. By its own path a process keeps its
/// name; if the file has been removed or replaced since, the system's name for it still works.
inline std::string own_program() {
    constexpr const char* kRunning = "/proc/self/exe";
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink(kRunning, error);
    return !error && std::filesystem::exists(path, error) ? path.string() : kRunning;
}

}  // namespace valkyr::app
