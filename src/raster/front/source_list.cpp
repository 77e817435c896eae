// List source: makes chunks of the primitives of a run, element by element.
// SPDX-License-Identifier: MIT
#include "raster/front/source_list.hpp"

#include "raster/data/assemble.hpp"
#include "raster/data/draw_counters.hpp"
#include "raster/data/runs.hpp"
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

using Triangles = std::array<PrimitiveRef, kChunkPrimitives>;

/// Returns triangles of consecutive vertices, which have the IDs 0, 1, and so on.
/// provoking  provoking corner
constexpr Triangles consecutive_triangles(uint16_t provoking) {
    Triangles triangles{};
    for (uint32_t i = 0; i < triangles.size(); ++i) {
        const auto v = static_cast<uint16_t>(3 * i);
        triangles[i] = {{v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)},
                        static_cast<uint16_t>(v + provoking),
                        i};
    }
    return triangles;
}
constexpr Triangles kProvokingFirst = consecutive_triangles(0);
constexpr Triangles kProvokingLast = consecutive_triangles(2);

}  // namespace

void ListSource::draw(FrontWorker& front, const WorkItem& item, uint32_t begin, uint32_t end) {
    const DrawRecord& draw = *item.draw;
    for (uint32_t p = begin; p < end && !is_cancelled(draw);) {
        const uint32_t count = std::min(end - p, kChunkPrimitives);
        vertices_.clear();
        Chunk chunk = assemble_chunk(item, p, count);
        const uint32_t vertices = vertices_.count();
        chunk.vertices = allocate_vertices(front, *draw.shape, vertices);
        shade_chunk(front, draw, item.instance, vertices_.ids(), vertices, chunk.vertices.records);
        front.output.statistics.vertices += vertices;
        if (draw.counters != nullptr)
            draw.counters[front.kernels.worker].vertices += vertices;
        draw_chunk(front, draw, chunk);
        p += count;
    }
}

Chunk ListSource::assemble_chunk(const WorkItem& item, uint32_t p, uint32_t count) {
    const AssemblyState& assembly = item.draw->assembly;
    const bool triangles = assembly.primitive == Primitive::Triangles && !item.draw->shape->shapes;
    if (triangles && assembly.indices.type == IndexType::None)
        return plain_triangles(item, p, count);
    if (assembly.primitive == Primitive::Points)
        add_points(item, p, count);
    else if (!triangles || !add_indexed_triangles(item, p, count))
        add_primitives(item, p, count);
    Chunk chunk;
    chunk.primitives = {primitives_.data(), count};
    chunk.edges = edges_.data();
    return chunk;
}

Chunk ListSource::plain_triangles(const WorkItem& item, uint32_t p, uint32_t count) {
    vertices_.set_count(3 * count);
    const uint32_t first = item.draw->assembly.first + item.run_first + 3 * p;
    uint32_t* ids = vertices_.ids();
    for (uint32_t i = 0; i < 3 * count; i += exec::kLanes)
        for (uint32_t k = 0; k < exec::kLanes; ++k)
            ids[i + k] = first + i + k;
    Chunk chunk;
    const Triangles& triangles =
        item.draw->assembly.provoking_first ? kProvokingFirst : kProvokingLast;
    chunk.primitives = std::span(triangles).first(count);
    chunk.edges = edges_.data();
    chunk.consecutive = true;
    chunk.shared = true;
    chunk.first_id = item.first_id + p;
    return chunk;
}

bool ListSource::add_indexed_triangles(const WorkItem& item, uint32_t p, uint32_t count) {
    const AssemblyState& assembly = item.draw->assembly;
    const uint64_t first = uint64_t{assembly.first} + item.run_first + uint64_t{3} * p;
    if (first + uint64_t{3} * count > assembly.indices.count)
        return false;
    switch (assembly.indices.type) {
    case IndexType::U16: add_index_range<uint16_t>(item, first, p, count); return true;
    case IndexType::U32: add_index_range<uint32_t>(item, first, p, count); return true;
    default: return false;
    }
}

template <typename Index>
void ListSource::add_index_range(const WorkItem& item, uint64_t first, uint32_t p, uint32_t count) {
    const AssemblyState& assembly = item.draw->assembly;
    const uint8_t* source = assembly.indices.data + first * sizeof(Index);
    const auto base = static_cast<uint32_t>(assembly.base_vertex);
    const unsigned provoking = assembly.provoking_first ? 0 : 2;
    for (uint32_t i = 0; i < count; ++i) {
        Index indices[3];
        std::memcpy(indices, source + size_t{i} * sizeof(indices), sizeof(indices));
        PrimitiveRef& ref = primitives_[i];
        for (unsigned k = 0; k < 3; ++k)
            ref.v[k] = vertices_.number(indices[k] + base);
        ref.provoking = ref.v[provoking];
        ref.id = item.first_id + p + i;
    }
}

void ListSource::add_points(const WorkItem& item, uint32_t p, uint32_t count) {
    const AssemblyState& assembly = item.draw->assembly;
    for (uint32_t i = 0; i < count; ++i) {
        const uint16_t v = vertices_.number(element_vertex(assembly, item.run_first + p + i));
        primitives_[i] = {{v, v, v}, v, item.first_id + p + i};
    }
}

void ListSource::add_primitives(const WorkItem& item, uint32_t p, uint32_t count) {
    const AssemblyState& assembly = item.draw->assembly;
    for (uint32_t i = 0; i < count; ++i) {
        const Assembled a =
            assemble(assembly.primitive, assembly.provoking_first, item.run_count, p + i);
        PrimitiveRef& ref = primitives_[i];
        ref.provoking = 0;
        for (unsigned k = 0; k < 3; ++k) {
            ref.v[k] = vertices_.number(element_vertex(assembly, item.run_first + a.element[k]));
            if (a.element[k] == a.provoking)
                ref.provoking = ref.v[k];
        }
        edges_[i] = a.edges;
        ref.id = item.first_id + a.id;
    }
}

}  // namespace valkyr::raster
