// Wake time: measures what it costs to have all workers begin and end a job.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::raster {

/// Milliseconds of a job without work, the median of some hundred that follow one another, as the
/// phases of a frame do; 0 for a device with one thread.
/// errors  InvalidState: another kind of device; OutOfMemory
Result<double> wake_milliseconds(Device& device);

}  // namespace valkyr::raster
