// Demo window: shows exhibits.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/demo_script.hpp"
#include "app/demo/demo_state.hpp"

namespace valkyr::app {

struct WindowOptions {
    uint32_t frames = 0;     ///< 0: until the window is closed
    DemoScript script;       ///< a step a frame, from the first one on
    std::string screenshot;  ///< PNG file of the whole window in its last frame; empty: none
};

/// Shows the current exhibit until the window is closed, the user quits, or the frames are over. A
/// window of another size gets pictures of that size.
/// errors  System: no display (the text says how to do without); whatever a device or scene refuses
Result<void> run_window(DemoState state, const WindowOptions& options);

}  // namespace valkyr::app
