// Private folder: makes a folder for temporary files that goes away by itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace valkyr::app {

/// A folder of our own, which goes away with everything in it.
class PrivateFolder {
public:
    /// In the folder that TMPDIR names, else /tmp.
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

    /// Empty: it could not be made, and errno says why.
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Where `run` puts its preloaded library, and its server listens.
    [[nodiscard]] std::string shim() const { return path_ + "/connect.so"; }
    [[nodiscard]] std::string socket() const { return path_ + "/socket"; }

    static std::string base() {
        const char* base = std::getenv("TMPDIR");
        return base != nullptr && *base != 0 ? base : "/tmp";
    }

private:
    std::string path_;
};

}  // namespace valkyr::app
