// Timeline: stores and sums events, and reads the clock.
// SPDX-License-Identifier: MIT
#include "raster/timeline.hpp"

#include <chrono>
#include <new>
#include <string_view>

namespace valkyr::raster {

void Timeline::add_to(std::vector<TimelineEvent>& list, const TimelineEvent& event) noexcept {
    if (list.size() >= kMostEvents) {
        ++left_out_;
        return;
    }
    try {
        list.push_back(event);
    } catch (const std::bad_alloc&) {
        ++left_out_;
    }
}

void Timeline::add(unsigned worker, const TimelineEvent& event) noexcept {
    if (worker < events_.size())
        add_to(events_[worker], event);
}

void Timeline::end_frame() noexcept {
    const uint64_t now = timeline_clock_ns();
    if (active())
        add_to(frames_, {"frame", frame_begin_ns_, now, frame_});
    frame_begin_ns_ = now;
    ++frame_;
    active_.store(frames_wanted_.first <= frame_ && frame_ <= frames_wanted_.last,
                  std::memory_order_relaxed);
}

double Timeline::total_ms(const char* name) const {
    uint64_t sum = 0;
    for (const auto& worker : events_)
        for (const TimelineEvent& event : worker)
            if (std::string_view(event.name) == name)
                sum += event.end_ns - event.begin_ns;
    return static_cast<double>(sum) * 1e-6;
}

uint64_t timeline_clock_ns() {
    const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(now.count());
}

}  // namespace valkyr::raster
