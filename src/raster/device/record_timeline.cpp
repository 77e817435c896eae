// Timeline recording: connects a device to a timeline of its workers' events.
// SPDX-License-Identifier: MIT
#include "raster/device/record_timeline.hpp"

#include "raster/device/device_impl.hpp"

namespace valkyr::raster {

Result<void> record_timeline(Device& device, Timeline* timeline) {
    auto* own = dynamic_cast<DeviceImpl*>(&device);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "record_timeline: another kind of device"};
    own->set_timeline(timeline);
    return {};
}

}  // namespace valkyr::raster
