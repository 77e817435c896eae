// Mesa driver: finds the driver that sends what programs draw to our server.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/finding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace valkyr::app {

/// Where Mesa looks, the first folder first.
struct MesaFolders {
    std::vector<std::string> libraries;  ///< newer Mesa: libgallium-VERSION.so
    std::vector<std::string> drivers;    ///< Mesa up to 24.1: swrast_dri.so
};

struct MesaDriver {
    std::string path;
    std::string version;   ///< "22.3.6"; empty: the file does not tell
    bool virpipe = false;  ///< the driver that we need is inside
};

/// The folders for an environment.
/// library  path of Mesa's GLX or EGL library, beside which drivers lie; empty: not installed
MesaFolders mesa_folders(const Variables& variables, const std::string& library);

/// The driver of the first folder that has one; none: not installed.
std::optional<MesaDriver> find_mesa_driver(const MesaFolders& folders);

/// The row of the driver.
Finding driver_finding(const MesaFolders& folders);

}  // namespace valkyr::app
