// Function tables: give a library's calls of a function another address.
// SPDX-License-Identifier: MIT
#pragma once

#include <link.h>

namespace valkyr::osmesa {

/// A library of this process, or its program.
struct LoadedLibrary {
    ElfW(Addr) address = 0;  ///< added to the addresses in its file
    const ElfW(Dyn) * dynamic = nullptr;
};

/// Whether it names the other library, by soname, as one that it needs.
bool needs(const LoadedLibrary& library, const char* other);

/// Gives all calls of a function in the library another address.
void replace_function(const LoadedLibrary& library, const char* name, const void* function);

}  // namespace valkyr::osmesa
