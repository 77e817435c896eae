// A session about one pixel or vertex of a draw in a scene.
// SPDX-License-Identifier: MIT
#pragma once

#include "debug/debugger.hpp"
#include "debug/scene_capture.hpp"

namespace valkyr::debug {

struct SceneRequest {
    std::string scene;  ///< "demo:cube", or the path of a conformance scene: TOPIC/NAME.scene
    Target target;
    std::optional<uint32_t> draw;  ///< from 0; none: the last one that has the pixel or vertex
    std::optional<uint32_t> hit;   ///< from 0, of the draw; none: the last one that runs
    uint32_t sample = 0;
    double seconds = 0;  ///< demos: time of the frame
    uint32_t width = 640;
    uint32_t height = 480;
    jit::HostLevel level = jit::best_host_level();
};

/// Whether a name is that of a scene.
bool is_scene(std::string_view name);

/// Draws the scene with recompiled code up to the draw and takes the warp out of it. Session::hits
/// says what else there was.
/// errors   System, Syntax: the scene cannot be read; OutOfRange: no such draw or hit, a pixel
///          outside of the framebuffer; InvalidState: nothing covers the pixel
Result<std::shared_ptr<const Session>> open_scene(const SceneRequest& request);

}  // namespace valkyr::debug
