// Index source: reads one index of a bound index buffer.
// SPDX-License-Identifier: MIT
#include "raster/data/index_source.hpp"

#include <cstring>

namespace valkyr::raster {

uint32_t fetch_index(const IndexSource& source, uint64_t position) noexcept {
    if (position >= source.count)
        return 0;
    switch (source.type) {
    case IndexType::None: break;
    case IndexType::U8: return source.data[position];
    case IndexType::U16: {
        uint16_t value;
        std::memcpy(&value, source.data + 2 * position, sizeof(value));
        return value;
    }
    case IndexType::U32: {
        uint32_t value;
        std::memcpy(&value, source.data + 4 * position, sizeof(value));
        return value;
    }
    }
    return static_cast<uint32_t>(position);
}

}  // namespace valkyr::raster
