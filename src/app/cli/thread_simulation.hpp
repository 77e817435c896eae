// Thread simulation: says how long a frame would take with more processors.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/timeline.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// Where a simulated frame's time goes, in milliseconds. The members add up to total().
struct SimulatedFrame {
    double outside = 0;     ///< outside of what follows: recording draws, clients' commands
    double passes = 0;      ///< serial part of passes, transfers and dispatches
    double wakes = 0;       ///< starting the workers and waiting for their end
    double work = 0;        ///< segments, tiles, rows and work-groups, over all threads
    double front_idle = 0;  ///< while others still work on the last segments
    double tile_idle = 0;   ///< while others still work on the last tiles
    double row_idle = 0;    ///< while others still work on the last rows
    double group_idle = 0;  ///< while others still work on the last work-groups

    [[nodiscard]] double total() const;
    SimulatedFrame& operator+=(const SimulatedFrame& other);
};

/// Deals the pieces of work in `timeline` to `threads` workers by the renderer's rules. A worker
/// that has ended a piece takes the next one: segments and work-groups in order, tiles and rows
/// from its own part of the surface first. The time between two pieces belongs to the first one,
/// because that worker spends it.
/// timeline          of a device with one thread and DeviceOptions::plan_threads = threads
/// begin_ns, end_ns  of the frame
/// threads           1 to 64
/// wake_ms           added for each phase that several threads work on
SimulatedFrame simulate_threads(const raster::Timeline& timeline,
                                uint64_t begin_ns,
                                uint64_t end_ns,
                                unsigned threads,
                                double wake_ms);

/// Parses numbers from 1 to 64 with commas between them.
/// errors  Syntax, OutOfRange
Result<std::vector<unsigned>> parse_thread_counts(std::string_view text);

/// The table's first line, and a line of it: threads, time, speed-up over `one_thread_ms`, and the
/// shares of the time in percent.
std::string simulation_header();
std::string simulation_row(unsigned threads, const SimulatedFrame& frame, double one_thread_ms);

}  // namespace valkyr::app
