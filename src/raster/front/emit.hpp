// Emitters: cull, clip and bin the primitives of a chunk.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"

namespace valkyr::raster {

/// Draws a chunk whose vertices are shaded but not transformed, in the layers and viewports that
/// the vertices choose. Does nothing if the draw does not rasterize.
void draw_chunk(FrontWorker& front, const DrawRecord& draw, Chunk& chunk);

/// Emits a chunk whose vertices are transformed, by the emitter of the draw's primitives.
void emit_chunk(FrontWorker& front, const DrawRecord& draw, Chunk& chunk);

// Emitters, one for each kind of primitive; emit_chunk() chooses.

void emit_points(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk);
void emit_lines(FrontWorker& front, const DrawRecord& draw, Chunk& chunk);
/// Emits filled triangles.
void emit_triangles(FrontWorker& front, const DrawRecord& draw, Chunk& chunk);
/// Emits triangles that may be drawn as lines or points, by facing.
void emit_polygons(FrontWorker& front, const DrawRecord& draw, const Chunk& chunk);
/// Emits the pairs of a chunk as rectangles; returns false, without effect, if they are not
/// rectangles.
bool emit_rectangles(FrontWorker& front, const DrawRecord& draw, Chunk& chunk);

/// A triangle clipped to a fan in the worker's arena.
struct ClippedFan {
    Batch batch;
    uint32_t triangles = 0;  ///< 0: all was clipped away
};
ClippedFan clip_triangle(FrontWorker& front,
                         const DrawRecord& draw,
                         const Chunk& chunk,
                         PrimitiveRef primitive);

/// Returns a vertex of a chunk for the shape emitter.
inline ShadedVertex shaded_vertex(const ChunkVertices& vertices, uint32_t v) {
    return {vertices.rows + v, vertices.record(v), vertices.codes[v]};
}

}  // namespace valkyr::raster
