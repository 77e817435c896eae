// Loops: choose the host level of the rasterizer's own loops.
// SPDX-License-Identifier: MIT
#include "raster/loops/level.hpp"

#include "raster/simd/choose_level.hpp"

namespace valkyr::raster {

#define VALKYR_DECLARE(level, unused)                                                              \
    namespace level {                                                                              \
    extern const HostLoops kOps;                                                                   \
    }
VALKYR_HOST_LEVELS(VALKYR_DECLARE)

#define VALKYR_VERSION(level, host_level) {HostLevel::host_level, level::kOps},
const HostLoops& host_loops(Host host) {
    const LevelVersion<HostLoops> versions[] = {VALKYR_HOST_LEVELS(VALKYR_VERSION)};
    return choose_level(versions, host);
}

}  // namespace valkyr::raster
