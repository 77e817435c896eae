// Timeline recording: connects a device to a timeline of its workers' events.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "raster/timeline.hpp"

namespace valkyr::raster {

/// Makes a device of this library write its events into `timeline`, which must outlive the device;
/// makes room for the device's workers in it. Null ends the recording.
/// errors  InvalidState: another kind of device
Result<void> record_timeline(Device& device, Timeline* timeline);

}  // namespace valkyr::raster
