// Triangle emission: culls and bins filled triangles, and clips those that need it.
// SPDX-License-Identifier: MIT
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <cstring>

namespace valkyr::raster {
namespace {

void emit_clipped(FrontWorker& front,
                  const DrawRecord& draw,
                  const Chunk& chunk,
                  const PrimitiveRef& primitive) {
    const ClippedFan fan = clip_triangle(front, draw, chunk, primitive);
    if (fan.triangles != 0)
        front.output.cull_and_bin(fan.batch, fan.triangles);
}

}  // namespace

void emit_triangles(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    ChunkVertices& vertices = chunk.vertices;
    if (!chunk.pairs.empty() && emit_rectangles(front, draw, chunk))
        return;
    const auto count = static_cast<uint32_t>(chunk.primitives.size());
    const uint32_t survivors = front.output.ops->cull(
        *draw.shape, vertices.rows, vertices.any_code == 0 ? nullptr : vertices.codes,
        chunk.consecutive ? nullptr : chunk.primitives.data(), count, true, false,
        front.survivors.data());
    front.output.statistics.triangles_culled += count - survivors;
    if (survivors == 0) {
        drop_vertices(front, vertices);
        return;
    }
    keep_varyings(*draw.shape, vertices);
    Batch batch = batch_of(draw, vertices);
    batch.consecutive = chunk.consecutive && chunk.shared;
    bin_survivors(front, chunk, batch, chunk.primitives, survivors,
                  [&](const PrimitiveRef& p) { emit_clipped(front, draw, chunk, p); });
}

ClippedFan clip_triangle(FrontWorker& front,
                         const DrawRecord& draw,
                         const Chunk& chunk,
                         PrimitiveRef primitive) {
    const ChunkVertices& vertices = chunk.vertices;
    Clipper& clipper = front.clipper;
    const size_t stride = draw.shape->record_stride;
    const uint8_t* corners[3] = {vertices.record(primitive.v[0]), vertices.record(primitive.v[1]),
                                 vertices.record(primitive.v[2])};
    clipper.begin(draw, corners, 3);
    const uint32_t count = clipper.clip();
    if (count < 3)
        return {};
    clipper.copy_flat(vertices.record(primitive.provoking));
    Arena& arena = *front.output.arena;
    auto* rows = arena.allocate_array<WindowRow>(count);
    auto* copies = arena.allocate_array<uint8_t>(count * stride);
    for (uint32_t i = 0; i < count; ++i) {
        std::memcpy(copies + i * stride, clipper.record(i), stride);
        if (!window_row(draw.shape->clip, clipper.record(i), rows[i]))
            return {};
    }
    ClippedFan fan;
    fan.triangles = count - 2;
    fan.batch.draw = &draw;
    fan.batch.rows = rows;
    fan.batch.records = copies;
    fan.batch.record_stride = draw.shape->record_stride;
    fan.batch.first_id = chunk.first_id;
    auto* triangles = arena.allocate_array<PrimitiveRef>(fan.triangles);
    for (uint32_t i = 0; i < fan.triangles; ++i)
        triangles[i] = {
            {0, static_cast<uint16_t>(i + 1), static_cast<uint16_t>(i + 2)}, 0, primitive.id};
    fan.batch.primitives = triangles;
    return fan;
}

}  // namespace valkyr::raster
