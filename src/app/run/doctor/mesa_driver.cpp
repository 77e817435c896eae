// Mesa driver: finds the driver that sends a program's commands to the vtest server.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/mesa_driver.hpp"

#include "app/cli/file_io.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace valkyr::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "Mesa's driver";
constexpr std::string_view kNewDriver = "libgallium-";
constexpr std::string_view kOldDriver = "swrast_dri.so";

/// Library folders of common distributions.
constexpr const char* kLibraryFolders[] = {
#if defined(__x86_64__)
    "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "/usr/lib/aarch64-linux-gnu",
#endif
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
};

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    for (size_t begin = 0; begin < list.size();) {
        const size_t end = std::min(list.find(':', begin), list.size());
        if (end > begin)
            parts.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool is_version_character(char c) {
    return (c >= '0' && c <= '9') || c == '.';
}

/// The first version behind "Mesa ", such as "22.3.6"; empty: there is none.
std::string version_in(std::string_view bytes) {
    constexpr std::string_view kMark = "Mesa ";
    for (size_t at = 0; (at = bytes.find(kMark, at)) != bytes.npos;) {
        at += kMark.size();
        const std::string_view rest = bytes.substr(at, 16);
        const auto end = std::find_if_not(rest.begin(), rest.end(), is_version_character);
        const std::string_view version = rest.substr(0, static_cast<size_t>(end - rest.begin()));
        if (version.find('.') != version.npos && version.front() != '.')
            return std::string(version);
    }
    return {};
}

bool is_driver(const std::string& name, std::string_view beginning) {
    return name.starts_with(beginning) && name.ends_with(".so");
}

/// The file of a folder whose name starts with `beginning` and ends with ".so".
std::optional<std::string> file_of(const std::string& folder, std::string_view beginning) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (is_driver(entry->path().filename().string(), beginning))
            return entry->path().string();
    return std::nullopt;
}

std::optional<std::string> find_file(const MesaFolders& folders) {
    for (const std::string& folder : folders.libraries)
        if (auto file = file_of(folder, kNewDriver))
            return file;
    for (const std::string& folder : folders.drivers)
        if (auto file = file_of(folder, kOldDriver))
            return file;
    return std::nullopt;
}

}  // namespace

MesaFolders mesa_folders(const Variables& variables, const std::string& library) {
    MesaFolders folders;
    if (!library.empty())
        folders.libraries.push_back(fs::path(library).parent_path().string());
    else
        folders.libraries.assign(std::begin(kLibraryFolders), std::end(kLibraryFolders));
    folders.drivers = split(variables("LIBGL_DRIVERS_PATH"));
    if (!folders.drivers.empty())
        return folders;
    for (const std::string& folder : folders.libraries)
        folders.drivers.push_back(folder + "/dri");
    return folders;
}

std::optional<MesaDriver> find_mesa_driver(const MesaFolders& folders) {
    const auto path = find_file(folders);
    if (!path)
        return std::nullopt;
    MesaDriver driver{*path, {}, false};
    if (const auto bytes = read_input(*path); bytes.has_value()) {
        driver.version = version_in(*bytes);
        driver.virpipe = bytes->find("virpipe") != bytes->npos;
    }
    return driver;
}

Finding driver_finding(const MesaFolders& folders) {
    const auto driver = find_mesa_driver(folders);
    if (!driver) {
        std::string found =
            "neither " + std::string(kNewDriver) + "*.so nor " + std::string(kOldDriver) + " in";
        for (const std::string& folder : folders.drivers)
            found += " " + folder;
        return {kName, found, Verdict::Missing,
                "install Mesa's drivers (Debian: libgl1-mesa-dri); LIBGL_DRIVERS_PATH names other "
                "folders"};
    }
    const std::string found =
        driver->path + (driver->version.empty() ? "" : ", Mesa " + driver->version);
    if (!driver->virpipe)
        return {kName, found + ", without virpipe", Verdict::Missing,
                "install a Mesa that is built with its virgl driver (Debian: libgl1-mesa-dri)"};
    return {kName, found + ", has virpipe", Verdict::Ok, {}};
}

}  // namespace valkyr::app
