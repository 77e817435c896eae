// Timeline recording: makes a device note what its workers do.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "raster/timeline.hpp"

namespace valkyr::raster {

/// Makes a device of this library write its events into `timeline`, which must outlive the device
/// and gets room for its workers now; null ends that.
/// errors  InvalidState: another kind of device
Result<void> record_timeline(Device& device, Timeline* timeline);

}  // namespace valkyr::raster
