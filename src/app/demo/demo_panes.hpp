// The panes over the picture: figures and keys.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/demo_state.hpp"

#include <string>

namespace valkyr::app {

/// Figures that the panes show beside the state.
struct PaneFigures {
    double frames_per_second = 0;
    FrameFigures frame;
    std::vector<ShaderNote> shaders;
    uint32_t samples = 1;
    std::string message;  ///< result of the last action; empty: none
};

/// Draws the panes that the state asks for, in the current frame of ImGui.
void draw_panes(const DemoState& state, const PaneFigures& figures);

}  // namespace valkyr::app
