// Triangles of an index buffer, a chunk at a time: the common case of assembly.
// SPDX-License-Identifier: MIT
#include "raster/front_end.hpp"

#include <cstring>

namespace valkyr::raster {

bool FrontEnd::add_indexed_triangles(const WorkItem& item, uint32_t p, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const uint64_t first = uint64_t{draw.first} + item.run_first + uint64_t{3} * p;
    if (first + uint64_t{3} * count > draw.indices.count)
        return false;
    switch (draw.indices.type) {
    case IndexType::U16: add_index_range<uint16_t>(item, first, p, count); return true;
    case IndexType::U32: add_index_range<uint32_t>(item, first, p, count); return true;
    default: return false;
    }
}

template <typename Index>
void FrontEnd::add_index_range(const WorkItem& item, uint64_t first, uint32_t p, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const uint8_t* source = draw.indices.data + first * sizeof(Index);
    const auto base = static_cast<uint32_t>(draw.base_vertex);
    const unsigned provoking = draw.provoking_first ? 0 : 2;
    plain_count_ = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Index indices[3];
        std::memcpy(indices, source + size_t{i} * sizeof(indices), sizeof(indices));
        PrimitiveRef& ref = primitives_[i];
        for (unsigned k = 0; k < 3; ++k)
            ref.v[k] = local_vertex(indices[k] + base);
        ref.provoking = ref.v[provoking];
        ref.id = item.first_id + p + i;
    }
    primitive_count_ = count;
}

}  // namespace valkyr::raster
