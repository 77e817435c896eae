// Point emission: draws points as quads, all points at once if each is a rectangle of pixels.
// SPDX-License-Identifier: MIT
#include "raster/front/emit.hpp"

#include <array>

namespace valkyr::raster {
namespace {

/// Emits the points of a draw with ShapeState::quads as one batch.
void emit_quads(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk) {
    const ShapeState& shape = *draw.shape;
    const ChunkVertices& vertices = chunk.vertices;
    const size_t most = chunk.primitives.size();
    Arena& arena = *front.output.arena;
    auto* rows = arena.allocate_array<QuadRows>(most);
    auto* records = arena.allocate_array<std::array<const uint8_t*, 4>>(most);
    auto* primitives = arena.allocate_array<PrimitiveRef>(most);
    uint32_t count = 0;
    for (const PrimitiveRef& point : chunk.primitives) {
        if (vertices.codes[point.v[0]] != 0)
            continue;
        const uint8_t* record = vertices.record(point.v[0]);
        rows[count] = point_quad(vertices.rows[point.v[0]], point_size(shape, record));
        records[count].fill(record);
        const auto v = static_cast<uint16_t>(4 * count);
        primitives[count++] = {
            {v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)}, v, point.id};
    }
    Batch batch;
    batch.draw = &draw;
    batch.rows = rows->data();
    batch.primitives = primitives;
    batch.first_id = chunk.first_id;
    batch.row_records = records->data();
    batch.facing = Facing::Front;
    batch.quads = true;
    if (count != 0)
        front.output.cull_and_bin(batch, count);
}

}  // namespace

void emit_points(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk) {
    const ShapeState& shape = *draw.shape;
    if (shape.quads) {
        emit_quads(front, draw, chunk);
        return;
    }
    for (const PrimitiveRef& point : chunk.primitives) {
        const ShadedVertex v = shaded_vertex(chunk.vertices, point.v[0]);
        front.shapes.point(v, v.record, point_size(shape, v.record),
                           {.id = chunk.first_id + point.id});
    }
}

}  // namespace valkyr::raster
