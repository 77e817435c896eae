// Own folder: finds files that are installed or built beside this library.
// SPDX-License-Identifier: MIT
#include "osmesa/own_folder.hpp"

#include <dlfcn.h>
#include <unistd.h>

namespace valkyr::osmesa {

std::string beside_library(std::initializer_list<const char*> paths, int mode) {
    Dl_info self{};
    static const char here = 0;
    if (dladdr(&here, &self) == 0 || self.dli_fname == nullptr)
        return {};
    const std::string file = self.dli_fname;
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    for (const char* path : paths)
        if (access((folder + path).c_str(), mode) == 0)
            return folder + path;
    return {};
}

}  // namespace valkyr::osmesa
