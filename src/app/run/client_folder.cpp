// Client folder: finds Mesa's client in a folder of its own, and leads programs there.
// SPDX-License-Identifier: MIT
#include "app/run/client_folder.hpp"

#include "app/cli/json_text.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace valkyr::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPackage = "lib/valkyr-client";

/// Where libraries lie below a folder, a prefix or a root.
constexpr const char* kPlaces[] = {
    "",
    kPackage,
    "usr/lib/valkyr-client",
#if defined(__x86_64__)
    "lib/x86_64-linux-gnu",
    "usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "lib/aarch64-linux-gnu",
    "usr/lib/aarch64-linux-gnu",
#endif
    "lib64",
    "usr/lib64",
    "lib",
    "usr/lib",
};

bool exists(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
}

std::optional<ClientFolder> client_in(const fs::path& folder, const std::string& origin) {
    for (const char* place : kPlaces) {
        std::error_code error;
        const fs::path path = fs::canonical(folder / place, error);
        if (error)
            continue;
        ClientFolder client{path.string(), path.string() + "/dri", path.string() + "/gbm", origin};
        if (exists(client.library("libGLX_mesa.so.0")) ||
            exists(client.library("libEGL_mesa.so.0")))
            return client;
    }
    return std::nullopt;
}

Result<std::optional<ClientFolder>> named_client(const std::string& folder,
                                                 const std::string& origin) {
    if (folder == kSystemClient)
        return std::optional<ClientFolder>();
    const auto client = client_in(folder, origin);
    if (!client)
        return Error{Errc::System,
                     {},
                     folder + ": no libGLX_mesa.so.0 or libEGL_mesa.so.0 there or in its lib (" +
                         origin + ")"};
    return client;
}

}  // namespace

Result<std::optional<ClientFolder>> find_client(const std::string& wanted,
                                                const std::string& program) {
    if (!wanted.empty())
        return named_client(wanted, "--client");
    const char* variable = std::getenv(kClientVariable);
    if (variable != nullptr && *variable != 0)
        return named_client(variable, kClientVariable);
    const fs::path prefix = fs::path(program).parent_path().parent_path();
    return client_in(prefix / kPackage, "package valkyr-client");
}

std::vector<std::pair<std::string, std::string>> client_variables(const ClientFolder& client,
                                                                  const std::string& library_path,
                                                                  const std::string& egl_vendor) {
    std::vector<std::pair<std::string, std::string>> out = {
        {"LD_LIBRARY_PATH", client.libraries + (library_path.empty() ? "" : ":" + library_path)},
        {"__GLX_VENDOR_LIBRARY_NAME", "mesa"},
        {"__EGL_VENDOR_LIBRARY_FILENAMES", egl_vendor}};
    if (exists(client.drivers))
        out.emplace_back("LIBGL_DRIVERS_PATH", client.drivers);
    if (exists(client.gbm))
        out.emplace_back("GBM_BACKENDS_PATH", client.gbm);
    return out;
}

std::string egl_vendor_text(const ClientFolder& client) {
    return "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": " +
           json_quoted(client.library("libEGL_mesa.so.0")) + "}}\n";
}

}  // namespace valkyr::app
