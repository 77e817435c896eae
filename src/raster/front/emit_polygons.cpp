// Polygon emission: draws triangles filled, as lines or as points, by their facing.
// SPDX-License-Identifier: MIT
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"
#include "raster/front/polygon_offset.hpp"

#include <cstring>

namespace valkyr::raster {
namespace {

/// Returns twice the signed area of a triangle.
int64_t double_area(const Batch& batch, const PrimitiveRef& triangle) {
    const WindowRow& a = batch.rows[triangle.v[0]];
    const WindowRow& b = batch.rows[triangle.v[1]];
    const WindowRow& c = batch.rows[triangle.v[2]];
    return int64_t{b.x - a.x} * (c.y - a.y) - int64_t{c.x - a.x} * (b.y - a.y);
}

/// Returns twice the area of a fan's polygon; its sign is the sign of the triangle's area.
int64_t fan_area(const Batch& batch, uint32_t triangles) {
    int64_t area = 0;
    for (uint32_t i = 0; i < triangles; ++i)
        area += double_area(batch, batch.primitives[i]);
    return area;
}

/// Returns the polygon offset of the fan's first triangle that has an area.
float fan_offset(const DepthOffset& offset, const Batch& batch, uint32_t triangles) {
    for (uint32_t i = 0; i < triangles; ++i)
        if (double_area(batch, batch.primitives[i]) != 0)
            return polygon_offset(offset, batch.rows, batch.primitives[i]);
    return 0;
}

/// Returns the vertex's edge flag: whether the edge that begins there bounds the primitive.
bool begins_edge(const ShapeState& shape, const uint8_t* record) {
    float flag = 1;
    if (shape.edge_flag_offset != 0)
        std::memcpy(&flag, record + shape.edge_flag_offset, sizeof(flag));
    return flag != 0;
}

/// Draws the edges of triangle i as lines, or their first vertices as points.
void emit_outline(FrontWorker& front,
                  const ShapeState& shape,
                  const Chunk& chunk,
                  uint32_t i,
                  PolygonMode mode,
                  const ShapeAttributes& attributes) {
    const PrimitiveRef& p = chunk.primitives[i];
    const ChunkVertices& vertices = chunk.vertices;
    const uint8_t* provoking = vertices.record(p.provoking);
    if ((chunk.edges[i] & Chunk::kBeginsChain) != 0)
        front.shapes.stipple().restart();
    else
        front.shapes.stipple().begin_polygon(attributes.id);
    for (uint32_t k = 0; k < 3; ++k) {
        if ((chunk.edges[i] >> k & 1) == 0)
            continue;
        const ShadedVertex from = shaded_vertex(vertices, p.v[k]);
        if (!begins_edge(shape, from.record))
            continue;
        if (mode == PolygonMode::Point)
            front.shapes.point(from, provoking, point_size(shape, from.record), attributes);
        else
            front.shapes.line(from, shaded_vertex(vertices, p.v[(k + 1) % 3]), provoking,
                              attributes);
    }
}

/// Returns the triangle as a batch: itself, or its clipped fan.
ClippedFan polygon(FrontWorker& front,
                   const DrawRecord& draw,
                   const Chunk& chunk,
                   const PrimitiveRef& primitive) {
    const uint32_t* codes = chunk.vertices.codes;
    const uint16_t* v = primitive.v;
    if ((codes[v[0]] & codes[v[1]] & codes[v[2]]) != 0)
        return {};
    if (((codes[v[0]] | codes[v[1]] | codes[v[2]]) & kClipAny) != 0)
        return clip_triangle(front, draw, chunk, primitive);
    ClippedFan one{batch_of(draw, chunk.vertices), 1};
    auto* copy = front.output.arena->allocate_array<PrimitiveRef>(1);
    *copy = primitive;
    one.batch.primitives = copy;
    one.batch.first_id = chunk.first_id;
    return one;
}

void emit_polygon(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk, uint32_t i) {
    const ShapeState& shape = *draw.shape;
    const PrimitiveRef& primitive = chunk.primitives[i];
    const ClippedFan fan = polygon(front, draw, chunk, primitive);
    const int64_t area = fan_area(fan.batch, fan.triangles);
    if (area == 0 || (area > 0 ? shape.cull_positive : shape.cull_negative))
        return;
    const bool back = (area > 0) != shape.front_positive;
    const PolygonMode mode = shape.fill[back ? 1 : 0];
    if (mode == PolygonMode::Fill) {
        front.shapes.flush();
        front.output.cull_and_bin(fan.batch, fan.triangles);
        return;
    }
    ShapeAttributes attributes;
    attributes.id = chunk.first_id + primitive.id;
    attributes.facing = back ? Facing::Back : Facing::Front;
    if (shape.offset_shape[mode == PolygonMode::Point ? 1 : 0])
        attributes.depth_offset = fan_offset(draw.tile->offset, fan.batch, fan.triangles);
    emit_outline(front, shape, chunk, i, mode, attributes);
}

}  // namespace

void emit_polygons(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk) {
    for (uint32_t i = 0; i < chunk.primitives.size(); ++i)
        emit_polygon(front, draw, chunk, i);
}

}  // namespace valkyr::raster
