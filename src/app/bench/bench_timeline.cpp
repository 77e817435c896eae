// Bench timeline: profiles one frame of a scene.
// SPDX-License-Identifier: MIT
#include "app/bench/bench_timeline.hpp"

#include "app/cli/statistics_text.hpp"

#include <fmt/core.h>

namespace valkyr::app {

namespace {

double milliseconds(uint64_t begin, uint64_t end) {
    return static_cast<double>(end - begin) * 1e-6;
}

}  // namespace

void print_profile(const FrameProfile& p, const raster::Timeline& timeline) {
    fmt::print("{}", statistics_text(p.statistics, p.pixels));
    fmt::print("  record {:.3f} ms, front end {:.3f} ms, tiles {:.3f} ms (sums over workers), "
               "frame {:.3f} ms\n",
               milliseconds(p.begin_ns, p.recorded_ns), timeline.total_ms(raster::kTimelineSegment),
               timeline.total_ms(raster::kTimelineTile), milliseconds(p.begin_ns, p.end_ns));
}

void add_frame(raster::Timeline& timeline, const FrameProfile& profile) {
    timeline.add(0, {"record", profile.begin_ns, profile.recorded_ns, 0});
    timeline.add(0, {"render", profile.recorded_ns, profile.end_ns, 0});
}

}  // namespace valkyr::app
