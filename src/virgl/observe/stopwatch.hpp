// Stopwatch: adds the duration of a scope to a figure and an event to a timeline.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/timeline.hpp"

#include <cstdint>

namespace valkyr::virgl {

class Stopwatch {
public:
    /// timeline  null: none
    /// name      of the event; a literal
    explicit Stopwatch(uint64_t& total_ns,
                       raster::Timeline* timeline = nullptr,
                       const char* name = "")
        : total_ns_(total_ns)
        , timeline_(timeline)
        , event_{name, raster::timeline_clock_ns(), 0, 0} {}
    ~Stopwatch() {
        event_.end_ns = raster::timeline_clock_ns();
        total_ns_ += event_.end_ns - event_.begin_ns;
        if (timeline_ != nullptr && timeline_->active())
            timeline_->add(0, event_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    uint64_t& total_ns_;
    raster::Timeline* timeline_;
    raster::TimelineEvent event_;
};

}  // namespace valkyr::virgl
