// Bench timeline: profiles one frame of a scene (counters, time per stage, events of workers).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "raster/timeline.hpp"

#include <cstdint>

namespace valkyr::app {

/// A frame's counters; its events are in a timeline.
struct FrameProfile {
    raster::Statistics statistics;
    uint64_t begin_ns = 0;     ///< recording begins
    uint64_t recorded_ns = 0;  ///< all draws are recorded, rendering and stores remain
    uint64_t end_ns = 0;
    uint64_t pixels = 0;  ///< of the target
};

/// Triangles, warps, quads, live lanes, overdraw and time per stage, under the scene's row.
void print_profile(const FrameProfile& profile, const raster::Timeline& timeline);

/// Adds the events of the recording thread in the frame.
void add_frame(raster::Timeline& timeline, const FrameProfile& profile);

}  // namespace valkyr::app
