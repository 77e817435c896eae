// Tile conversion: chooses the host level of conversions.
// SPDX-License-Identifier: MIT
#include "raster/convert/convert.hpp"

#include "raster/simd/choose_level.hpp"

namespace valkyr::raster {

#define VALKYR_DECLARE(level, unused)                                                              \
    namespace level {                                                                              \
    extern const ConvertTiles kConvertTiles;                                                       \
    }
VALKYR_HOST_LEVELS(VALKYR_DECLARE)

#define VALKYR_VERSION(level, host_level) {HostLevel::host_level, level::kConvertTiles},
ConvertTiles convert_tiles_of(Host host) {
    const LevelVersion<ConvertTiles> versions[] = {VALKYR_HOST_LEVELS(VALKYR_VERSION)};
    return choose_level(versions, host);
}

}  // namespace valkyr::raster
