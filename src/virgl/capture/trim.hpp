// Trim: cuts some frames out of a trace, so that they can be played alone.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/capture/replay.hpp"
#include "virgl/capture/trace.hpp"

#include <cstdint>
#include <string>

namespace valkyr::virgl {

/// Frames of a trace, counted from 1 over all clients.
struct FrameRange {
    uint64_t first = 1;
    uint64_t last = 1;
};

/// Plays the trace up to the end of the range and writes a trace of the frames in it: the clients
/// that are there then, their settings and objects, the contents of their resources, and all that
/// they send in these frames. A query that is open at the begin counts from there on.
/// errors  OutOfRange: no such frame; those of Replay and TraceWriter
Result<void> trim(const Trace& trace,
                  const FrameRange& frames,
                  Replay::DeviceMaker make_device,
                  Observer& observer,
                  TraceWriter& writer);

}  // namespace valkyr::virgl
