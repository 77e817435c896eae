// Bench simulation: says how long a scene's frame would take with more processors.
// SPDX-License-Identifier: MIT
#include "app/bench/bench_simulation.hpp"

#include "app/cli/thread_simulation.hpp"
#include "raster/device/record_timeline.hpp"
#include "raster/device/wake_time.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <thread>

namespace valkyr::app {

namespace {

// Short frames are disturbed in all their parts: many are simulated.
constexpr unsigned kLeastFrames = 15;
constexpr unsigned kMostFrames = 200;
constexpr uint64_t kEnoughNs = 100'000'000;

/// Measures the cost of waking workers, with two threads: not every host has more processors.
Result<double> wake_time(const bench::BenchSceneInfo& scene, bench::TargetOptions options) {
    options.device.threads = 2;
    VALKYR_TRY(target, bench::BenchTarget::create(scene, options));
    return raster::wake_milliseconds(target->device());
}

/// Simulates frames with work split for `threads` and returns the shortest one: other processes
/// disturbed the longer ones.
Result<SimulatedFrame> simulate_frame(const bench::BenchSceneInfo& scene,
                                      bench::TargetOptions options,
                                      unsigned threads,
                                      double wake_ms) {
    options.device.threads = 1;
    options.device.plan_threads = threads;
    VALKYR_TRY(target, bench::BenchTarget::create(scene, options));
    std::vector<SimulatedFrame> frames;
    uint64_t spent = 0;
    for (unsigned i = 0; i < kLeastFrames || (i < kMostFrames && spent < kEnoughNs); ++i) {
        raster::Timeline timeline;
        VALKYR_TRY_VOID(raster::record_timeline(target->device(), &timeline));
        const uint64_t begin = raster::timeline_clock_ns();
        VALKYR_TRY_VOID(target->render(i));
        const uint64_t end = raster::timeline_clock_ns();
        spent += end - begin;
        VALKYR_TRY_VOID(raster::record_timeline(target->device(), nullptr));
        frames.push_back(simulate_threads(timeline, begin, end, threads, wake_ms));
    }
    return *std::min_element(
        frames.begin(), frames.end(),
        [](const SimulatedFrame& x, const SimulatedFrame& y) { return x.total() < y.total(); });
}

Result<double> measured_frame(const bench::BenchSceneInfo& scene,
                              bench::TargetOptions options,
                              const bench::Duration& duration,
                              unsigned threads) {
    options.device.threads = threads;
    VALKYR_TRY(target, bench::BenchTarget::create(scene, options));
    VALKYR_TRY(times, bench::measure(*target, duration));
    return *std::min_element(times.wall_ms.begin(), times.wall_ms.end());
}

}  // namespace

Result<void> print_simulation(const bench::BenchSceneInfo& scene,
                              const bench::TargetOptions& options,
                              const bench::Duration& duration,
                              std::vector<unsigned> threads) {
    threads.insert(threads.begin(), 1);
    VALKYR_TRY(wake_ms, wake_time(scene, options));
    fmt::print("{}\n{}", scene.name, simulation_header());
    double one = 0;
    for (const unsigned count : threads) {
        VALKYR_TRY(frame, simulate_frame(scene, options, count, wake_ms));
        if (one == 0)
            one = frame.total();
        fmt::print("{}", simulation_row(count, frame, one));
        if (count > std::thread::hardware_concurrency())
            continue;
        VALKYR_TRY(measured, measured_frame(scene, options, duration, count));
        fmt::print("{:>8} {:>10.3f}\n", "measured", measured);
    }
    return {};
}

}  // namespace valkyr::app
