// The window front end: the listings, lanes, values and messages of a Debugger in panes.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"

namespace valkyr::debug {

struct WindowRequest {
    int width = 1500;  ///< pixels
    int height = 900;
    /// Picture file to write, without a display, instead of showing a window. Empty: show a window.
    std::string screenshot;
    std::vector<Watch> watches;  ///< shown at the start
};

/// Shows the debugger until its window is closed; F1 lists the keys.
/// errors   System: no display, or the screenshot cannot be written
Result<void> run_window(Debugger& debugger, const WindowRequest& request);

}  // namespace valkyr::debug
