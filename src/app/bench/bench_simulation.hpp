// Bench simulation: says how long a scene's frame would take with more processors.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_target.hpp"

#include <vector>

namespace valkyr::app {

/// Prints a table of simulated frames (thread_simulation.hpp), one row per number of threads. Where
/// the processor has that many, the measured time of a frame follows.
/// errors  those of the device and of the scene
Result<void> print_simulation(const bench::BenchSceneInfo& scene,
                              const bench::TargetOptions& options,
                              const bench::Duration& duration,
                              std::vector<unsigned> threads);

}  // namespace valkyr::app
