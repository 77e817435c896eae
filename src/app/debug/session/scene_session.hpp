// Scene session: plays demos and conformance scenes for the debugger.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/draw_session.hpp"

#include <string>
#include <string_view>

namespace valkyr::debug {

struct SceneRequest {
    std::string scene;   ///< "demo:cube", or the path of a conformance scene: TOPIC/NAME.scene
    double seconds = 0;  ///< demos: time of the frame
    uint32_t width = 640;
    uint32_t height = 480;
};

/// Whether the name denotes a demo or a conformance scene.
bool is_scene(std::string_view name);

/// Draws the scene.
/// errors   System, Syntax: the scene cannot be read; OutOfRange: no demo of that name
Player scene_player(SceneRequest request);

}  // namespace valkyr::debug
