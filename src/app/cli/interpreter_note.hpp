// Interpreter note: tells that the interpreter runs shaders meant to be recompiled.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <string>

namespace valkyr::app {

/// "the interpreter runs 2 kernels: REASON"; empty if it runs none.
inline std::string interpreter_note(const raster::Statistics& statistics) {
    if (statistics.kernels_interpreted == 0)
        return {};
    return "the interpreter runs " + std::to_string(statistics.kernels_interpreted) +
           (statistics.kernels_interpreted == 1 ? " kernel: " : " kernels: ") +
           statistics.interpreter_reason;
}

}  // namespace valkyr::app
