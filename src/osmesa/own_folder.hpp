// Own folder: finds files that are installed or built beside this library.
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>

namespace valkyr::osmesa {

/// The first of these paths, relative to the folder of libOSMesa, that there is; empty: none.
/// mode  as of access()
std::string beside_library(std::initializer_list<const char*> paths, int mode);

}  // namespace valkyr::osmesa
