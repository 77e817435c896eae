// Statistics text: prints what a device counted.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <cstdint>
#include <string>

namespace valkyr::app {

/// Lines with triangles, warps, quads, live lanes, overdraw and calls of message routines.
/// pixels  of the target, to compute the overdraw
std::string statistics_text(const raster::Statistics& statistics, uint64_t pixels);

}  // namespace valkyr::app
