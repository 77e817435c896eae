// Program rights: reads the mode of a program's file.
// SPDX-License-Identifier: MIT
#include "app/run/program_rights.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace valkyr::app {

namespace {

/// The file that a shell would run; empty if there is none.
std::string find_program(const std::string& program) {
    if (program.find('/') != std::string::npos)
        return program;
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string file = (folder.empty() ? "." : folder) + "/" + program;
        std::error_code error;
        if (std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0)
            return file;
    }
    return {};
}

}  // namespace

std::string hindrance_of_preloads(const std::string& program) {
    const std::string file = find_program(program);
    struct stat status {};
    if (file.empty() || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    const bool other_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid();
    const bool other_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != getegid();
    if (!other_user && !other_group)
        return {};
    return file + " runs with the rights of another " + (other_user ? "user" : "group") +
           ", so the system preloads nothing into it: run a copy of the file without these rights, "
           "or the program itself beside 'valkyr vtest'";
}

}  // namespace valkyr::app
