// Mesh source: makes chunks of indexed triangles, whose vertices it shades once as a range.
// SPDX-License-Identifier: MIT
#include "raster/front/source_mesh.hpp"

#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace valkyr::raster {
namespace {

/// Range of the indices of a piece of a draw: [low, high].
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
    IndexSpan a, b, c;  // three spans, so that comparisons do not wait for one another
    for (size_t i = 0; i < size_t{3} * triangles; i += 3) {
        widen(a, index_at<Index>(source, i));
        widen(b, index_at<Index>(source, i + 1));
        widen(c, index_at<Index>(source, i + 2));
    }
    return {std::min({a.low, b.low, c.low}), std::max({a.high, b.high, c.high})};
}

/// Returns whether shading a piece's vertices as a range pays: a mesh has half as many vertices as
/// triangles, and more where a piece is cut out of it.
bool is_dense(const IndexSpan& span, uint32_t triangles) {
    return span.high - span.low < triangles - triangles / 4;
}

/// Returns whether a piece may shade vertices that no triangle names: no query counts vertices, and
/// the program has no side effects.
bool may_share_vertices(const DrawRecord& draw) {
    const AssemblyState& assembly = draw.assembly;
    const ShapeState& shape = *draw.shape;
    const bool words =
        assembly.indices.type == IndexType::U16 || assembly.indices.type == IndexType::U32;
    return words && assembly.primitive == Primitive::Triangles && !shape.shapes &&
           shape.rasterize && draw.counters == nullptr && !shape.selects() &&
           !draw.vertex->info->has_side_effects;
}

}  // namespace

bool MeshSource::draw(FrontWorker& front, const WorkItem& item, uint32_t p, uint32_t count) {
    const AssemblyState& assembly = item.draw->assembly;
    const uint64_t first = uint64_t{assembly.first} + item.run_first + uint64_t{3} * p;
    if (count <= kChunkPrimitives || !may_share_vertices(*item.draw) ||
        first + uint64_t{3} * count > assembly.indices.count)
        return false;
    return assembly.indices.type == IndexType::U16
               ? draw_piece<uint16_t>(front, item, first, p, count)
               : draw_piece<uint32_t>(front, item, first, p, count);
}

template <typename Index>
bool MeshSource::draw_piece(
    FrontWorker& front, const WorkItem& item, uint64_t first, uint32_t p, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const AssemblyState& assembly = draw.assembly;
    const uint8_t* source = assembly.indices.data + first * sizeof(Index);
    const IndexSpan span = span_of<Index>(source, count);
    if (!is_dense(span, count))
        return false;
    Chunk chunk;
    chunk.vertices =
        shade_range(front, item, span.low + static_cast<uint32_t>(assembly.base_vertex),
                    span.high - span.low + 1);
    std::byte* memory = std::exchange(chunk.vertices.memory, nullptr);
    const size_t used = front.output.arena->used();
    const bool first_provokes = assembly.provoking_first;
    for (uint32_t done = 0; done < count; done += kChunkPrimitives) {
        const uint32_t some = std::min(count - done, kChunkPrimitives);
        const uint32_t id = item.first_id + p + done;
        for (uint32_t i = 0; i < some; ++i) {
            const size_t at = size_t{3} * (done + i);
            const auto v0 = static_cast<uint16_t>(index_at<Index>(source, at) - span.low);
            const auto v1 = static_cast<uint16_t>(index_at<Index>(source, at + 1) - span.low);
            const auto v2 = static_cast<uint16_t>(index_at<Index>(source, at + 2) - span.low);
            primitives_[i] = {{v0, v1, v2}, first_provokes ? v0 : v2, id + i};
        }
        chunk.primitives = {primitives_.data(), some};
        emit_chunk(front, draw, chunk);
    }
    front.output.statistics.triangles_in += count;
    if (front.output.arena->used() == used)
        front.output.arena->trim(memory);
    return true;
}

ChunkVertices
MeshSource::shade_range(FrontWorker& front, const WorkItem& item, uint32_t first, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    const ShapeState& shape = *draw.shape;
    const ChunkVertices all = allocate_vertices(front, shape, count);
    ChunkVertices some = all;
    codes_.resize(kMeshPrimitives);
    uint32_t any_code = 0;
    for (uint32_t done = 0; done < count; done += some.count) {
        some.count = std::min(count - done, kChunkVertices);
        some.records = all.records + size_t{done} * shape.record_stride;
        some.rows = all.rows + done;
        std::iota(ids_.begin(), ids_.begin() + some.count, first + done);
        shade_chunk(front, draw, item.instance, ids_.data(), some.count, some.records);
        // transformed now, while the records are in the cache
        transform(front, shape, some, codes_.data() + done);
        any_code |= some.any_code;
    }
    front.output.statistics.vertices += count;
    ChunkVertices vertices = all;
    vertices.codes = codes_.data();
    vertices.any_code = any_code;
    return vertices;
}

}  // namespace valkyr::raster
