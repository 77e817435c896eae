// Folder check: tries the folder that `run` makes, and the library that it preloads from there.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/folder_check.hpp"

#include "app/cli/file_io.hpp"
#include "app/run/doctor/isolated.hpp"
#include "app/run/doctor/libraries.hpp"
#include "app/run/private_folder.hpp"
#include "app/run/run_shim_bytes.hpp"

#include <cerrno>
#include <cstring>
#include <sys/un.h>

namespace valkyr::app {

namespace {

/// Longest path of a socket, in characters.
constexpr size_t kMostPath = sizeof(sockaddr_un::sun_path) - 1;

Finding place_finding(const PrivateFolder& folder) {
    const std::string base = PrivateFolder::base();
    if (folder.path().empty())
        return {"folder", base + ": " + std::strerror(errno), Verdict::Missing,
                "set TMPDIR to a folder that you may write to"};
    const size_t length = folder.socket().size();
    if (length > kMostPath)
        return {"folder",
                base + ": paths of sockets would have " + std::to_string(length) +
                    " characters, more than " + std::to_string(kMostPath),
                Verdict::Missing, "set TMPDIR to a folder with a shorter path"};
    return {"folder", base, Verdict::Ok, {}};
}

/// Writes the preloaded library to the folder and loads it, as the dynamic loader does.
Result<std::string> load_shim(const std::string& path) {
    VALKYR_TRY_VOID(write_output(path, run_shim_bytes()));
    return isolated([&]() -> Result<std::string> {
        VALKYR_TRY_VOID(Library::open(path));
        return std::string("can be loaded");
    });
}

Finding shim_finding(const std::string& path) {
    const auto loaded = load_shim(path);
    if (loaded.has_value())
        return {"preloaded library", *loaded, Verdict::Ok, {}};
    return {"preloaded library", loaded.error().text, Verdict::Missing,
            "set TMPDIR to a folder with room on a file system that is not mounted noexec"};
}

}  // namespace

Findings folder_findings() {
    errno = 0;
    const PrivateFolder folder;
    Findings rows = {place_finding(folder)};
    if (!folder.path().empty())
        rows.push_back(shim_finding(folder.shim()));
    return rows;
}

}  // namespace valkyr::app
