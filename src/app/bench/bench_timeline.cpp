// Bench timeline: profiles one frame of a scene.
// SPDX-License-Identifier: MIT
#include "app/bench/bench_timeline.hpp"

#include "app/cli/file_io.hpp"
#include "app/cli/statistics_text.hpp"

#include <cstdio>
#include <fmt/core.h>

namespace valkyr::app {

namespace {

double milliseconds(uint64_t begin, uint64_t end) {
    return static_cast<double>(end - begin) * 1e-6;
}

/// A complete event ("X") on the track of a worker; times in microseconds from the frame's start.
std::string event_json(const FrameProfile& profile, size_t track, const raster::TimelineEvent& e) {
    return fmt::format("{{\"name\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, "
                       "\"ts\": {:.3f}, \"dur\": {:.3f}, \"args\": {{\"number\": {}}}}}",
                       e.name, track, milliseconds(profile.begin_ns, e.begin_ns) * 1e3,
                       milliseconds(e.begin_ns, e.end_ns) * 1e3, e.number);
}

}  // namespace

void print_profile(const FrameProfile& p) {
    fmt::print("{}", statistics_text(p.statistics, p.pixels));
    fmt::print("  record {:.3f} ms, front end {:.3f} ms, tiles {:.3f} ms (sums over workers), "
               "frame {:.3f} ms\n",
               milliseconds(p.begin_ns, p.recorded_ns), p.timeline.total_ms("front"),
               p.timeline.total_ms("tile"), milliseconds(p.begin_ns, p.end_ns));
}

Result<void> write_timeline(const std::string& path, const FrameProfile& profile) {
    std::string out = "{\"traceEvents\": [\n";
    out += event_json(profile, 0, {"record", profile.begin_ns, profile.recorded_ns, 0});
    out += ",\n" + event_json(profile, 0, {"render", profile.recorded_ns, profile.end_ns, 0});
    const auto& workers = profile.timeline.events();
    for (size_t worker = 0; worker < workers.size(); ++worker)
        for (const raster::TimelineEvent& event : workers[worker])
            out += ",\n" + event_json(profile, worker, event);
    out += "\n]}\n";
    return write_output(path, out);
}

}  // namespace valkyr::app
