// Measuring: plays a frame until its profile is known.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/draw_session.hpp"
#include "app/profile/profile.hpp"
#include "raster/state.hpp"

#include <chrono>
#include <optional>

namespace valkyr::profile {

struct Request {
    std::string what;
    std::optional<uint32_t> draw;  ///< this draw alone, from 0
    bool draws = false;            ///< time each draw of the frame
    double least_seconds = 1;      ///< of timed frames
    std::chrono::microseconds period{100};
    raster::DeviceOptions device;  ///< threads are set to 1, and the tap
};

/// Plays the frame for its times, again and again, and then once by the interpreter for its counts.
/// errors  those of the player; OutOfRange: no such draw; System: no timer; Unsupported: no
///         recompiler for this processor
Result<Profile> measure(const Request& request, const debug::Player& play);

}  // namespace valkyr::profile
