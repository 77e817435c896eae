// Replay simulation: says how long a recorded program's frames would take with more processors.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/state.hpp"
#include "virgl/capture/trace.hpp"

#include <vector>

namespace valkyr::app {

/// Prints a table of simulated times (thread_simulation.hpp), a row a number of threads, of all
/// frames of a trace but the first, which compiles, beside what they really take where the
/// processor has so many. Of clients with fewer than two frames everything counts.
/// errors  OutOfRange: no client does anything; what the trace or the device refuses
Result<void> print_simulation(const virgl::Trace& trace,
                              const raster::DeviceOptions& options,
                              std::vector<unsigned> threads);

}  // namespace valkyr::app
