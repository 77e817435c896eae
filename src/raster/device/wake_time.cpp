// Wake time: measures the cost of beginning and ending a job on all workers.
// SPDX-License-Identifier: MIT
#include "raster/device/wake_time.hpp"

#include "raster/device/device_impl.hpp"
#include "raster/timeline.hpp"

#include <algorithm>
#include <array>

namespace valkyr::raster {

Result<double> wake_milliseconds(Device& device) {
    auto* own = dynamic_cast<DeviceImpl*>(&device);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "wake_milliseconds: another kind of device"};
    const unsigned threads = device.options().threads;
    if (threads == 1)
        return 0.0;
    std::array<uint64_t, 301> times{};
    for (uint64_t& time : times) {
        const uint64_t begin = timeline_clock_ns();
        VALKYR_TRY_VOID(own->run_rows(threads, [](uint32_t, uint32_t) {}));
        time = timeline_clock_ns() - begin;
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return static_cast<double>(times[times.size() / 2]) * 1e-6;
}

}  // namespace valkyr::raster
