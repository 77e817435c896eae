// Demo window: shows exhibits.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/demo_script.hpp"
#include "app/demo/demo_state.hpp"

namespace valkyr::app {

struct WindowOptions {
    uint32_t frames = 0;     ///< 0: until the window is closed
    DemoScript script;       ///< one step per frame, from the first frame on
    std::string screenshot;  ///< picture file of the whole window in its last frame; empty: none
};

/// Shows the current exhibit until the window is closed, the user quits, or `frames` frames were
/// shown. Pictures follow the size of the window.
/// errors  System: no display (the text names the way without one); those of the device and the
///         scene
Result<void> run_window(DemoState state, const WindowOptions& options);

}  // namespace valkyr::app
