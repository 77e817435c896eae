// Mesa driver: finds the driver that sends a program's commands to the vtest server.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/finding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace valkyr::app {

/// The folders in which Mesa looks for drivers, in order.
struct MesaFolders {
    std::vector<std::string> libraries;  ///< newer Mesa: libgallium-VERSION.so
    std::vector<std::string> drivers;    ///< Mesa up to 24.1: swrast_dri.so
};

struct MesaDriver {
    std::string path;
    std::string version;   ///< "22.3.6"; empty: the file does not name it
    bool virpipe = false;  ///< the file contains the virpipe driver
};

/// The folders for an environment.
/// library  path of Mesa's GLX or EGL library, whose folder has drivers; empty: not installed
MesaFolders mesa_folders(const Variables& variables, const std::string& library);

/// The driver of the first folder that has one; none: not installed.
std::optional<MesaDriver> find_mesa_driver(const MesaFolders& folders);

/// The row of the driver.
Finding driver_finding(const MesaFolders& folders);

}  // namespace valkyr::app
