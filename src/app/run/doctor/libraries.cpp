// Libraries: finds the libraries that OpenGL programs load, and calls them without their headers.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/libraries.hpp"

#include "app/run/doctor/isolated.hpp"

#include <dlfcn.h>
#include <link.h>

namespace valkyr::app {

namespace {

/// A library that programs need.
struct Wanted {
    const char* row;
    const char* library;
    const char* package;  ///< of Debian
    Verdict without;
    bool mesa;  ///< drivers lie in its folder
};

constexpr Wanted kWanted[] = {
    {"GLX library", "libGL.so.1", "libgl1", Verdict::Missing, false},
    {"GLX of Mesa", "libGLX_mesa.so.0", "libglx-mesa0", Verdict::Missing, true},
    {"EGL library", "libEGL.so.1", "libegl1", Verdict::Note, false},
    {"EGL of Mesa", "libEGL_mesa.so.0", "libegl-mesa0", Verdict::Note, true},
};

Result<std::string> path_of(const char* name) {
    VALKYR_TRY(library, Library::open(name));
    return library.path();
}

std::string remedy_for(const Wanted& wanted) {
    const std::string install =
        "install " + std::string(wanted.library) + " (Debian: " + wanted.package + ")";
    return wanted.without == Verdict::Missing ? install : install + " for programs that use EGL";
}

}  // namespace

Result<Library> Library::open(const std::string& name) {
    void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr)
        return Error{Errc::System, {}, dlerror()};
    return Library(handle);
}

void* Library::symbol(const char* name) const {
    return dlsym(handle_, name);
}

std::string Library::path() const {
    const link_map* map = nullptr;
    return dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

LibraryFindings library_findings(const std::optional<ClientFolder>& client) {
    LibraryFindings findings;
    for (const Wanted& wanted : kWanted) {
        // Initialisers of the library run in a child process: they may crash or hang.
        const std::string name =
            client && wanted.mesa ? client->library(wanted.library) : wanted.library;
        const auto path = isolated([&] { return path_of(name.c_str()); });
        if (!path.has_value()) {
            findings.rows.push_back(
                {wanted.row, path.error().text, wanted.without, remedy_for(wanted)});
            continue;
        }
        findings.rows.push_back({wanted.row, *path, Verdict::Ok, {}});
        if (wanted.mesa && findings.mesa.empty())
            findings.mesa = *path;
    }
    return findings;
}

}  // namespace valkyr::app
