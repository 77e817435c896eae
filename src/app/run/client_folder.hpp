// Client folder: finds Mesa's client in a folder of its own, and leads programs there.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace valkyr::app {

/// Absolute paths of Mesa's client libraries that are not the system's.
struct ClientFolder {
    std::string libraries;  ///< holds libGLX_mesa.so.0 or libEGL_mesa.so.0
    std::string drivers;    ///< libraries/dri
    std::string gbm;        ///< libraries/gbm
    std::string origin;     ///< what named it, for `valkyr doctor`

    [[nodiscard]] std::string library(const std::string& name) const {
        return libraries + "/" + name;
    }
};

/// The option `--client`; the environment's VALKYR_CLIENT has the same meaning.
inline constexpr const char* kClientVariable = "VALKYR_CLIENT";
/// A value that means the system's client.
inline constexpr const char* kSystemClient = "system";

/// The client that a value of --client means: a folder that holds Mesa's libraries, or a prefix or
/// root above it; kSystemClient; or nothing: VALKYR_CLIENT, else the package valkyr-client of the
/// installation that `program` belongs to, else the system's.
/// returns  nothing: the system's
/// errors   System: there is no Mesa in that folder
Result<std::optional<ClientFolder>> find_client(const std::string& wanted,
                                                const std::string& program);

/// Variables that lead the dynamic loader, libglvnd, libgbm and Mesa to the client.
/// library_path  the value of LD_LIBRARY_PATH until now
/// egl_vendor    path of a file with egl_vendor_text()
std::vector<std::pair<std::string, std::string>> client_variables(const ClientFolder& client,
                                                                  const std::string& library_path,
                                                                  const std::string& egl_vendor);

/// The text of a file that names the client's EGL to libglvnd ("ICD" in its
/// EGL/icd_enumeration.md).
std::string egl_vendor_text(const ClientFolder& client);

}  // namespace valkyr::app
