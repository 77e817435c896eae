// Bench simulation: says how long a scene's frame would take with more processors.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_target.hpp"

#include <vector>

namespace valkyr::app {

/// Prints a table of simulated frames (thread_simulation.hpp), a row a number of threads, beside
/// what a frame really takes where the processor has so many. errors  whatever the device or the
/// scene refuses
Result<void> print_simulation(const bench::BenchSceneInfo& scene,
                              const bench::TargetOptions& options,
                              const bench::Duration& duration,
                              std::vector<unsigned> threads);

}  // namespace valkyr::app
