// Replay simulation: says how long a recorded program's frames would take with more processors.
// SPDX-License-Identifier: MIT
#include "app/run/replay_simulation.hpp"

#include "app/cli/thread_simulation.hpp"
#include "gpu/create_device.hpp"
#include "raster/device/wake_time.hpp"
#include "virgl/capture/replay.hpp"

#include <algorithm>
#include <deque>
#include <fmt/core.h>
#include <thread>

namespace valkyr::app {

namespace {

constexpr unsigned kRounds = 5;

/// Keeps the timelines of all clients and prints no messages.
class TimelineObserver final : public virgl::Observer {
public:
    void log(std::string_view, std::string_view) override {}
    void shader(std::string_view, std::string_view) override {}
    bool wants_frame(uint64_t) override { return false; }
    void frame(uint64_t, const virgl::FramePixels&) override {}
    void finished(std::string_view, const virgl::Figures&) override {}
    raster::Timeline* timeline() override { return &timelines.emplace_back(); }

    std::deque<raster::Timeline> timelines;
};

/// One event that covers a client's whole timeline, as if it were a frame.
raster::TimelineEvent whole_of(const raster::Timeline& timeline) {
    raster::TimelineEvent whole{"frame", UINT64_MAX, 0, 0};
    for (const auto& worker : timeline.events())
        for (const raster::TimelineEvent& event : worker) {
            whole.begin_ns = std::min(whole.begin_ns, event.begin_ns);
            whole.end_ns = std::max(whole.end_ns, event.end_ns);
        }
    whole.begin_ns = std::min(whole.begin_ns, whole.end_ns);
    return whole;
}

/// Calls look(timeline, frame) for every frame of each client but the first. A client with fewer
/// than two frames counts as one frame.
template <typename Look>
Result<void>
replay_frames(const virgl::Trace& trace, const raster::DeviceOptions& options, Look look) {
    TimelineObserver observer;
    virgl::Replay replay(trace, options, observer);
    VALKYR_TRY_VOID(replay.run());
    for (const raster::Timeline& timeline : observer.timelines) {
        if (timeline.frames().size() < 2)
            look(timeline, whole_of(timeline));
        for (size_t i = 1; i < timeline.frames().size(); ++i)
            look(timeline, timeline.frames()[i]);
    }
    return {};
}

/// Simulates several rounds and returns the shortest one: other processes disturbed the longer
/// ones.
Result<SimulatedFrame> simulate_frames(const virgl::Trace& trace,
                                       raster::DeviceOptions options,
                                       unsigned threads,
                                       double wake_ms) {
    options.threads = 1;
    options.plan_threads = threads;
    SimulatedFrame least;
    for (unsigned round = 0; round < kRounds; ++round) {
        SimulatedFrame sum;
        VALKYR_TRY_VOID(replay_frames(
            trace, options,
            [&](const raster::Timeline& timeline, const raster::TimelineEvent& frame) {
                sum += simulate_threads(timeline, frame.begin_ns, frame.end_ns, threads, wake_ms);
            }));
        if (round == 0 || sum.total() < least.total())
            least = sum;
    }
    return least;
}

Result<double>
measured_frames(const virgl::Trace& trace, raster::DeviceOptions options, unsigned threads) {
    options.threads = threads;
    double least = 0;
    for (unsigned round = 0; round < kRounds; ++round) {
        double sum = 0;
        VALKYR_TRY_VOID(replay_frames(
            trace, options, [&](const raster::Timeline&, const raster::TimelineEvent& frame) {
                sum += static_cast<double>(frame.end_ns - frame.begin_ns) * 1e-6;
            }));
        least = round == 0 ? sum : std::min(least, sum);
    }
    return least;
}

/// Measures the cost of waking workers, with two threads: not every host has more processors.
Result<double> wake_time(raster::DeviceOptions options) {
    options.threads = 2;
    VALKYR_TRY(device, gpu::create_device(options));
    return raster::wake_milliseconds(*device);
}

}  // namespace

Result<void> print_simulation(const virgl::Trace& trace,
                              const raster::DeviceOptions& options,
                              std::vector<unsigned> threads) {
    threads.insert(threads.begin(), 1);
    VALKYR_TRY(wake_ms, wake_time(options));
    double one = 0;
    for (const unsigned count : threads) {
        VALKYR_TRY(frames, simulate_frames(trace, options, count, wake_ms));
        if (frames.total() == 0)
            return Error{Errc::OutOfRange, {}, "no client of the trace does anything"};
        if (one == 0) {
            one = frames.total();
            fmt::print("{}", simulation_header());
        }
        fmt::print("{}", simulation_row(count, frames, one));
        if (count > std::thread::hardware_concurrency())
            continue;
        VALKYR_TRY(measured, measured_frames(trace, options, count));
        fmt::print("{:>8} {:>10.3f}\n", "measured", measured);
    }
    return {};
}

}  // namespace valkyr::app
