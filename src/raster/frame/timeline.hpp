// Timeline: notes what each worker does and when, for tools.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace valkyr::raster {

/// A piece of work of one worker. Times are of std::chrono::steady_clock, in nanoseconds.
struct TimelineEvent {
    const char* name = "";  ///< "front" a segment of primitives, "tile" a tile
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    uint32_t number = 0;  ///< number of the segment, or of the tile (row-major)
};

/// Events by worker. A worker adds only to its own list, so there is no lock.
class Timeline {
public:
    /// Room for so many workers; drops the events.
    void reset(unsigned workers) { events_.assign(workers, {}); }
    /// Without memory for it the event is left out: a destructor adds it, and pictures need it not.
    void add(unsigned worker, const TimelineEvent& event) noexcept;

    [[nodiscard]] const std::vector<std::vector<TimelineEvent>>& events() const { return events_; }
    /// Sum of the durations of events of that name, over all workers, in milliseconds.
    [[nodiscard]] double total_ms(const char* name) const;

    uint64_t primitives_hidden = 0;  ///< by hierarchical depth, counted a tile

private:
    std::vector<std::vector<TimelineEvent>> events_;
};

/// steady_clock now.
uint64_t timeline_clock_ns();

}  // namespace valkyr::raster
