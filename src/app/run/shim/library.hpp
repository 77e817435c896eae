// Shim library: says whose code calls, and finds functions of libraries that the program has.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <dlfcn.h>
#include <initializer_list>

namespace valkyr::shim {

/// Whether code lies in a library whose path contains one of these names.
inline bool is_code_of(const void* code, std::initializer_list<const char*> names) {
    Dl_info info{};
    if (dladdr(code, &info) == 0 || info.dli_fname == nullptr)
        return false;
    for (const char* name : names)
        if (std::strstr(info.dli_fname, name) != nullptr)
            return true;
    return false;
}

/// A function of a library, or null if the program has not loaded it. A global search would not
/// find libraries that were loaded with RTLD_LOCAL.
/// more_flags  0: loads the library if the program has not
template <typename Function>
Function loaded_function(const char* library, const char* name, int more_flags = RTLD_NOLOAD) {
    void* const handle = dlopen(library, RTLD_LAZY | more_flags);
    return handle != nullptr ? reinterpret_cast<Function>(dlsym(handle, name)) : nullptr;
}

}  // namespace valkyr::shim
