// Probes: act as OpenGL programs, to check that Valkyr draws for them.
// SPDX-License-Identifier: MIT
//
// They run in a client under `valkyr run`, never in the doctor: system libraries may print, crash,
// hang or end the process.
#pragma once

#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// Creates a context without a window system, clears, and reads a pixel back.
/// returns  "OpenGL VERSION, RENDERER"
/// errors  System: something is missing or fails; another driver than Valkyr's; a wrong pixel
Result<std::string> probe_egl();

/// Does all that in a GLX context, for a window that is never mapped.
Result<std::string> probe_glx();

/// Draws, in a context as that of probe_egl(), with an array to whose elements a loop writes.
/// errors  System: as above; kWrongElements if other elements have the values
Result<std::string> probe_arrays();
inline constexpr const char* kWrongElements =
    "a loop writes to the elements behind those that its counter names";

}  // namespace valkyr::app
