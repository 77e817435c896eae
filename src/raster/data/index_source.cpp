// Index source: reads indices of a bound index buffer.
// SPDX-License-Identifier: MIT
#include "raster/data/index_source.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace valkyr::raster {
namespace {

template <typename Index>
void widen_indices(const uint8_t* from, std::span<uint32_t> to) {
    for (uint32_t& wide : to) {
        Index index;
        std::memcpy(&index, from, sizeof(index));
        wide = index;
        from += sizeof(index);
    }
}

}  // namespace

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

void fetch_indices(const IndexSource& source,
                   uint64_t first,
                   std::span<uint32_t> indices) noexcept {
    const uint64_t bound = source.count > first ? source.count - first : 0;
    const std::span<uint32_t> read = indices.first(std::min<uint64_t>(bound, indices.size()));
    std::fill(indices.begin() + static_cast<ptrdiff_t>(read.size()), indices.end(), 0);
    if (read.empty())
        return;
    switch (source.type) {
    case IndexType::None: std::iota(read.begin(), read.end(), static_cast<uint32_t>(first)); break;
    case IndexType::U8: widen_indices<uint8_t>(source.data + first, read); break;
    case IndexType::U16: widen_indices<uint16_t>(source.data + 2 * first, read); break;
    case IndexType::U32: widen_indices<uint32_t>(source.data + 4 * first, read); break;
    }
}

}  // namespace valkyr::raster
