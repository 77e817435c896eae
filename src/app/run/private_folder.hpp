// Private folder: makes a temporary folder and removes it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace valkyr::app {

/// A temporary folder; the destructor removes it with its content.
class PrivateFolder {
public:
    /// Makes the folder in TMPDIR, or else in /tmp.
    PrivateFolder()
        : path_(base() + "/valkyr-run-XXXXXX") {
        if (mkdtemp(path_.data()) == nullptr)
            path_.clear();
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder() {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }

    /// The path; empty if the folder could not be made (errno says why).
    [[nodiscard]] const std::string& path() const { return path_; }
    /// The paths of the library that `run` preloads and of its server's socket.
    [[nodiscard]] std::string shim() const { return path_ + "/connect.so"; }
    [[nodiscard]] std::string socket() const { return path_ + "/socket"; }
    /// The file that names the EGL library of a client of its own.
    [[nodiscard]] std::string egl_vendor() const { return path_ + "/egl_vendor.json"; }
    /// The folder of the GLSL that the program links.
    [[nodiscard]] std::string glsl() const { return path_ + "/glsl"; }

    static std::string base() {
        const char* base = std::getenv("TMPDIR");
        return base != nullptr && *base != 0 ? base : "/tmp";
    }

private:
    std::string path_;
};

}  // namespace valkyr::app
