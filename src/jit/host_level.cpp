// Host levels: return the version of the assembler.
// SPDX-License-Identifier: MIT
#include "jit/host_level.hpp"

#include <asmjit/core.h>

namespace valkyr::jit {

std::string asmjit_version() {
    constexpr unsigned version = ASMJIT_LIBRARY_VERSION;
    return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xFF) + "." +
           std::to_string(version & 0xFF);
}

}  // namespace valkyr::jit
