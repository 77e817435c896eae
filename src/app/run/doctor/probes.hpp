// Probes: do what OpenGL programs do, to see whether Valkyr draws for them.
// SPDX-License-Identifier: MIT
//
// They are for a program under `valkyr run`: libraries of the system may print, crash, hang or end
// the process.
#pragma once

#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// Creates a context without a window system, clears, and reads a pixel back.
/// returns  "OpenGL VERSION, RENDERER"
/// errors  System: what is missing or fails; a driver that is not ours; a wrong pixel
Result<std::string> probe_egl();

/// The same for a window on the display, which is shown nowhere.
Result<std::string> probe_glx();

}  // namespace valkyr::app
