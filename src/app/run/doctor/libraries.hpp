// Libraries: finds the libraries that OpenGL programs load, and calls them without their headers.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/client_folder.hpp"
#include "app/run/doctor/finding.hpp"
#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// A shared library that was opened by name and stays loaded.
class Library {
public:
    /// errors  System: it is not installed, or cannot be loaded
    static Result<Library> open(const std::string& name);

    /// Finds the function of that name; false: there is none.
    template <typename Function>
    bool load(const char* name, Function& function) const {
        function = reinterpret_cast<Function>(symbol(name));
        return function != nullptr;
    }
    /// The file that was loaded.
    [[nodiscard]] std::string path() const;

private:
    explicit Library(void* handle)
        : handle_(handle) {}
    [[nodiscard]] void* symbol(const char* name) const;

    void* handle_;
};

/// Rows of the libraries of GLX and EGL.
struct LibraryFindings {
    Findings rows;
    std::string mesa;  ///< path of one of Mesa's libraries; empty: there is none
};
/// client  where Mesa's libraries are; nothing: the system's
LibraryFindings library_findings(const std::optional<ClientFolder>& client = {});

}  // namespace valkyr::app
