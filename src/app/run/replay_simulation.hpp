// Replay simulation: says how long a recorded program's frames would take with more processors.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/state.hpp"
#include "virgl/capture/trace.hpp"

#include <vector>

namespace valkyr::app {

/// Prints a table of simulated times (thread_simulation.hpp) of a trace's frames, one row per
/// number of threads. Where the processor has that many, the measured time follows. The first frame
/// of each client is left out, since it compiles shaders; a client with fewer than two frames
/// counts as one frame.
/// errors  OutOfRange: no client sends commands; those of the trace and the device
Result<void> print_simulation(const virgl::Trace& trace,
                              const raster::DeviceOptions& options,
                              std::vector<unsigned> threads);

}  // namespace valkyr::app
