// Bench timeline: profiles one frame of a scene (counters, time per stage, events of workers).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "raster/device/record_timeline.hpp"

#include <cstdint>
#include <string>

namespace valkyr::app {

/// A frame's counters and events.
struct FrameProfile {
    raster::Statistics statistics;
    raster::Timeline timeline;
    uint64_t begin_ns = 0;     ///< recording begins
    uint64_t recorded_ns = 0;  ///< all draws are recorded, rendering and stores remain
    uint64_t end_ns = 0;
    uint64_t pixels = 0;  ///< of the target
};

/// Triangles, warps, quads, live lanes, overdraw and time per stage, under the scene's row.
void print_profile(const FrameProfile& profile);

/// Writes the events as JSON that Perfetto and Chrome's about:tracing show, a track a worker.
/// errors  System: the file cannot be written
Result<void> write_timeline(const std::string& path, const FrameProfile& profile);

}  // namespace valkyr::app
