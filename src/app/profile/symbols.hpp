// Symbols: names the functions of this program and of its libraries by their addresses.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace valkyr::profile {

/// Functions of the program come from the symbol table of its file, static ones included; those of
/// libraries from what they export.
class Symbols {
public:
    /// A program without a symbol table has no names.
    Symbols();
    /// "valkyr::raster::walk_run"; "libc.so.6"; "(unknown)". Parameters are left out.
    [[nodiscard]] std::string name_of(uintptr_t address) const;

private:
    struct Function {
        uintptr_t end = 0;
        std::string name;
    };
    std::map<uintptr_t, Function> functions_;  ///< by their first byte
};

}  // namespace valkyr::profile
