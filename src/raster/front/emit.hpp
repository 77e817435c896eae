// Emitters: cull, clip and bin the primitives of a chunk.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"

#include <cstdint>
#include <span>

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

/// The `clip` of bin_survivors() if no primitive needs clipping.
inline constexpr auto kUnclipped = [](const PrimitiveRef&) {};

/// Bins the first `count` survivors of culling as primitives of a batch. Copies them to the arena,
/// unless the chunk shares them.
/// batch       has no primitives yet
/// primitives  those of the chunk that were culled: `primitives` or `pairs`
/// clip        is called for primitives that need clipping, in API order with the others
template <typename Clip>
void bin_survivors(FrontWorker& front,
                   const Chunk& chunk,
                   Batch& batch,
                   std::span<const PrimitiveRef> primitives,
                   uint32_t count,
                   const Clip& clip) {
    // Members are copied to registers, because the writes below could alias them.
    FrontOutput& output = front.output;
    const bool shared = chunk.shared;
    const PrimitiveRef* const from = primitives.data();
    PrimitiveRef* const copies =
        shared ? nullptr : output.arena->allocate_array<PrimitiveRef>(count);
    batch.primitives = shared ? from : copies;
    batch.first_id = chunk.first_id;
    const BinEntry first = output.add_batch(batch);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const Survivor survivor = front.survivors[i];
        if (survivor.needs_clip != 0) {
            clip(from[survivor.index]);
        } else if (shared) {
            output.bin(batch, first, survivor.index, survivor);
        } else {
            copies[kept] = from[survivor.index];
            output.bin(batch, first, kept++, survivor);
        }
    }
}

/// Returns a vertex of a chunk for the shape emitter.
inline ShadedVertex shaded_vertex(const ChunkVertices& vertices, uint32_t v) {
    return {vertices.rows + v, vertices.record(v), vertices.codes[v]};
}

}  // namespace valkyr::raster
