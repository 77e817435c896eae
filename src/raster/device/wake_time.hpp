// Wake time: measures the cost of beginning and ending a job on all workers.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::raster {

/// Returns the milliseconds of an empty job: the median of some hundred jobs in sequence, like the
/// phases of a frame; 0 for a device with one thread.
/// errors  InvalidState: another kind of device; OutOfMemory
Result<double> wake_milliseconds(Device& device);

}  // namespace valkyr::raster
