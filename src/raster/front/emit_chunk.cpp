// Chunk emission: chooses viewports, layers and the emitter of a chunk's primitives.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/draw_counters.hpp"
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

void count_clipping(DrawCounters& counters, const Chunk& chunk) {
    const uint32_t* codes = chunk.vertices.codes;
    counters.clip_input += chunk.primitives.size();
    for (const PrimitiveRef& primitive : chunk.primitives) {
        const uint16_t* v = primitive.v;
        counters.clip_output += (codes[v[0]] & codes[v[1]] & codes[v[2]]) == 0 ? 1 : 0;
    }
}

/// The layer and viewport that a primitive's provoking vertex chooses.
struct Selection {
    uint32_t layer = 0;
    uint32_t viewport = 0;
    friend bool operator==(const Selection&, const Selection&) = default;
};

Selection selection(const ShapeState& shape, const uint8_t* record) {
    std::array<uint16_t, 2> chosen;
    std::memcpy(chosen.data(), record + offsetof(exec::VertexRecord, layer), sizeof(chosen));
    return {shape.layers > 1 ? std::min<uint32_t>(chosen[0], shape.layers - 1) : 0,
            chosen[1] < shape.viewport_count ? chosen[1] : 0U};
}

/// Transforms the vertices in a viewport; only primitives that choose the viewport use the result.
ChunkVertices
in_viewport(FrontWorker& front, const ShapeState& view, const ChunkVertices& vertices) {
    const uint32_t padded = align_up(vertices.count, exec::kLanes);
    ChunkVertices there = vertices;
    there.memory = nullptr;
    there.rows = front.output.arena->allocate_array<WindowRow>(padded);
    transform(front, view, there, front.output.arena->allocate_array<uint32_t>(padded));
    there.any_code = ~0U;
    return there;
}

/// Emits consecutive primitives with equal selections together, in API order.
void draw_selected(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk) {
    const ShapeState& shape = *draw.shape;
    std::array<ChunkVertices, kMaxViewports> known{};
    const auto chosen = [&](uint32_t i) {
        return selection(shape, chunk.vertices.record(chunk.primitives[i].provoking));
    };
    const auto count = static_cast<uint32_t>(chunk.primitives.size());
    for (uint32_t i = 0; i < count;) {
        const Selection now = chosen(i);
        uint32_t end = i + 1;
        while (end < count && chosen(end) == now)
            ++end;
        const DrawRecord& view = draw.viewports != nullptr ? draw.viewports[now.viewport] : draw;
        ChunkVertices& vertices = known[now.viewport];
        if (vertices.codes == nullptr)
            vertices = in_viewport(front, *view.shape, chunk.vertices);
        Chunk part = chunk.part(i, end - i);
        part.vertices = vertices;
        front.output.grid.first = now.layer * front.tiles_per_layer;
        emit_chunk(front, view, part);
        i = end;
    }
    front.output.grid.first = 0;
}

}  // namespace

void draw_chunk(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    const ShapeState& shape = *draw.shape;
    front.output.statistics.triangles_in += chunk.primitives.size();
    if (!shape.rasterize) {
        drop_vertices(front, chunk.vertices);
        return;
    }
    if (shape.selects()) {
        draw_selected(front, draw, chunk);
        return;
    }
    transform(front, shape, chunk.vertices, front.codes.data());
    emit_chunk(front, draw, chunk);
}

void emit_chunk(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    if (draw.counters != nullptr)
        count_clipping(draw.counters[front.kernels.worker], chunk);
    front.shapes.begin(draw);
    switch (shape_of(draw.shape->drawn)) {
    case Shape::Point: emit_points(front, draw, chunk); break;
    case Shape::Line: emit_lines(front, draw, chunk); break;
    case Shape::Triangle:
        if (draw.shape->shapes)
            emit_polygons(front, draw, chunk);
        else
            emit_triangles(front, draw, chunk);
        break;
    }
    front.shapes.flush();
}

}  // namespace valkyr::raster
