// Front end: assembles the triangles of index buffers.
// SPDX-License-Identifier: MIT
//
// Meshes go in pieces of many chunks whose vertices are shaded once, as a range; other draws a
// chunk at a time.
#include "base/bits.hpp"
#include "raster/data/half_varyings.hpp"
#include "raster/front/front_end.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Indices that a piece of a draw has: [low, high].
struct IndexSpan {
    uint32_t low = UINT32_MAX;
    uint32_t high = 0;
};

template <typename Index>
uint32_t index_at(const uint8_t* source, size_t i) {
    Index index;
    std::memcpy(&index, source + i * sizeof(index), sizeof(index));
    return index;
}

void widen(IndexSpan& span, uint32_t index) {
    span.low = std::min(span.low, index);
    span.high = std::max(span.high, index);
}

template <typename Index>
IndexSpan span_of(const uint8_t* source, uint32_t triangles) {
    IndexSpan a, b, c;  // apart, so that no comparison waits for the one before
    for (size_t i = 0; i < size_t{3} * triangles; i += 3) {
        widen(a, index_at<Index>(source, i));
        widen(b, index_at<Index>(source, i + 1));
        widen(c, index_at<Index>(source, i + 2));
    }
    return {std::min({a.low, b.low, c.low}), std::max({a.high, b.high, c.high})};
}

/// Whether a piece's vertices are worth shading as a range: a mesh has half as many as triangles,
/// and more where a piece is cut out of it.
bool is_dense(const IndexSpan& span, uint32_t triangles) {
    return span.high - span.low < triangles - triangles / 4;
}

/// Vertices that nothing counts, and that may be shaded although no triangle names them.
bool may_share_vertices(const DrawRecord& draw) {
    const bool words = draw.indices.type == IndexType::U16 || draw.indices.type == IndexType::U32;
    return words && draw.primitive == Primitive::Triangles && !draw.shapes && draw.rasterize &&
           draw.counters == nullptr && !draw.selects() && !draw.vertex->info->has_side_effects;
}

}  // namespace

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

bool FrontEnd::process_mesh(const WorkItem& item, uint32_t p, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const uint64_t first = uint64_t{draw.first} + item.run_first + uint64_t{3} * p;
    if (count <= kChunkPrimitives || !may_share_vertices(draw) ||
        first + uint64_t{3} * count > draw.indices.count)
        return false;
    return draw.indices.type == IndexType::U16 ? draw_mesh<uint16_t>(item, first, p, count)
                                               : draw_mesh<uint32_t>(item, first, p, count);
}

template <typename Index>
bool FrontEnd::draw_mesh(const WorkItem& item, uint64_t first, uint32_t p, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const uint8_t* source = draw.indices.data + first * sizeof(Index);
    const IndexSpan span = span_of<Index>(source, count);
    if (!is_dense(span, count))
        return false;
    std::byte* memory = shade_range(item, span.low + static_cast<uint32_t>(draw.base_vertex),
                                    span.high - span.low + 1);
    const size_t used = output_.arena->used();
    const bool first_provokes = draw.provoking_first;
    plain_count_ = 0;
    for (uint32_t done = 0; done < count; done += primitive_count_) {
        primitive_count_ = std::min(count - done, kChunkPrimitives);
        const uint32_t id = item.first_id + p + done;
        for (uint32_t i = 0; i < primitive_count_; ++i) {
            const size_t at = size_t{3} * (done + i);
            const auto v0 = static_cast<uint16_t>(index_at<Index>(source, at) - span.low);
            const auto v1 = static_cast<uint16_t>(index_at<Index>(source, at + 1) - span.low);
            const auto v2 = static_cast<uint16_t>(index_at<Index>(source, at + 2) - span.low);
            primitives_[i] = {{v0, v1, v2}, first_provokes ? v0 : v2, id + i};
        }
        emit(draw, {0, primitive_count_}, nullptr);
    }
    output_.statistics.triangles_in += count;
    if (output_.arena->used() == used)
        output_.arena->trim(memory);
    return true;
}

std::byte* FrontEnd::shade_range(const WorkItem& item, uint32_t first, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const uint32_t stride = draw.record_stride;
    std::byte* memory = allocate_vertices(draw, count);
    mesh_codes_.resize(kMeshPrimitives);
    codes_ = mesh_codes_.data();
    any_code_ = 0;
    for (uint32_t done = 0; done < count; done += vertex_count_) {
        vertex_count_ = std::min(count - done, kChunkVertices);
        for (uint32_t i = 0; i < align_up(vertex_count_, exec::kLanes); ++i)
            vertex_ids_[i] = first + done + std::min(i, vertex_count_ - 1);
        uint8_t* records = records_ + size_t{done} * stride;
        shade(draw, item.instance, records);
        widen_halves(draw, records, vertex_count_);
        // While the records are near.
        any_code_ |= output_.ops->window_rows(*draw.clip, records, stride, nullptr, vertex_count_,
                                              rows_ + done, mesh_codes_.data() + done);
    }
    output_.statistics.vertices += count;
    return memory;
}

}  // namespace valkyr::raster
