// What the workers do when: events of a frame, for tools.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::raster {

/// A piece of work of one worker. Times are of std::chrono::steady_clock, in nanoseconds.
struct TraceEvent {
    const char* name = "";  ///< "front" a segment of primitives, "tile" a tile
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    uint32_t number = 0;  ///< of the segment, or of the tile (row-major)
};

/// Events by worker. A worker adds only to its own list, so there is no lock.
class Trace {
public:
    /// Room for so many workers; drops the events.
    void reset(unsigned workers) { events_.assign(workers, {}); }
    void add(unsigned worker, const TraceEvent& event) { events_[worker].push_back(event); }

    [[nodiscard]] const std::vector<std::vector<TraceEvent>>& events() const { return events_; }
    /// Sum of the durations of events of that name, over all workers, in milliseconds.
    [[nodiscard]] double total_ms(const char* name) const;

    uint64_t primitives_hidden = 0;  ///< by hierarchical depth, counted a tile

private:
    std::vector<std::vector<TraceEvent>> events_;
};

/// Makes a device of this library write its events into `trace` (which must live on and gets room
/// for its workers now), or stop that if it is null. errors  InvalidState: another kind of device
Result<void> set_trace(Device& device, Trace* trace);

/// steady_clock now.
uint64_t trace_clock_ns();

}  // namespace valkyr::raster
