// Timeline: adds up events and reads the clock.
// SPDX-License-Identifier: MIT
#include "raster/frame/timeline.hpp"

#include <chrono>
#include <new>
#include <string_view>

namespace valkyr::raster {

void Timeline::add(unsigned worker, const TimelineEvent& event) noexcept {
    try {
        events_[worker].push_back(event);
    } catch (const std::bad_alloc&) {
        return;
    }
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
