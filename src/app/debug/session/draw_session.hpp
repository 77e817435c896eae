// Draw session: finds a pixel, vertex, primitive or patch among the draws of a scene or trace.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"
#include "app/debug/session/draw_log.hpp"

#include <functional>
#include <optional>

namespace valkyr::debug {

struct DrawRequest {
    std::string what;              ///< "demo:cube"; "gears.trace, frame 2"
    std::string whole = "scene";   ///< what contains the draws: "scene", "frame"
    Target target;                 ///< list_draws: may be none
    std::optional<uint32_t> draw;  ///< from 0; none: the last one that has the target
    std::optional<uint32_t> hit;   ///< from 0, of the draw; none: the last one that runs
    uint32_t sample = 0;
    std::shared_ptr<const GlslSources> glsl;  ///< of the recorded program; may be null
    jit::HostLevel level = jit::best_host_level();
};

/// Plays a scene or trace on devices that write to the log; returns the owner of the devices.
using Player = std::function<Result<std::shared_ptr<void>>(DrawLog& log)>;

/// Plays with recompiled code up to the draw and captures its warp. Session::hits lists all warps
/// that have the target.
/// errors   those of the player; OutOfRange: no such draw or hit, a pixel outside of the
///          framebuffer; InvalidState: nothing covers the pixel
Result<std::shared_ptr<const Session>> open_draw(const DrawRequest& request, const Player& play);

/// A line on each draw: its primitives, its shaders, and its effect on the target.
/// errors   those of the player
Result<std::vector<std::string>> list_draws(const DrawRequest& request, const Player& play);

}  // namespace valkyr::debug
