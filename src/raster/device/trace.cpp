// Events of a frame.
// SPDX-License-Identifier: MIT
#include "raster/frame/trace.hpp"

#include "raster/device/device_impl.hpp"

#include <chrono>
#include <string_view>

namespace valkyr::raster {

double Trace::total_ms(const char* name) const {
    uint64_t sum = 0;
    for (const auto& worker : events_)
        for (const TraceEvent& event : worker)
            if (std::string_view(event.name) == name)
                sum += event.end_ns - event.begin_ns;
    return static_cast<double>(sum) * 1e-6;
}

Result<void> set_trace(Device& device, Trace* trace) {
    auto* own = dynamic_cast<DeviceImpl*>(&device);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "set_trace: another kind of device"};
    own->set_trace(trace);
    return {};
}

uint64_t trace_clock_ns() {
    const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(now.count());
}

}  // namespace valkyr::raster
