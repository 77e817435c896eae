// Chunk vertices: allocate the vertices of a chunk, and keep the data that tiles need.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"

#include <cstdint>
#include <cstring>

namespace valkyr::raster {

/// Copies `slots` times kVaryingSlotBytes: a vertex record, or some varying slots of one.
inline void copy_slots(const uint8_t* from, uint8_t* to, uint32_t slots) {
    for (uint32_t s = 0; s < slots;
         ++s, from += exec::kVaryingSlotBytes, to += exec::kVaryingSlotBytes)
        std::memcpy(to, from, exec::kVaryingSlotBytes);
}

/// Allocates rows, and records for whole warps, of vertices that will be shaded. If only varyings
/// will be kept, the records lie in scratch memory until the next call.
ChunkVertices allocate_vertices(FrontWorker& front, const ShapeState& shape, uint32_t count);

/// Uses shaded vertices: vertex v has record numbers[v] of `records`. Records are read there until
/// their varyings are kept; if whole records or widened halves are needed, they are copied at once.
/// numbers  null: record v
ChunkVertices adopt_vertices(FrontWorker& front,
                             const ShapeState& shape,
                             uint32_t count,
                             uint8_t* records,
                             const uint32_t* numbers);

/// Shades vertices into the allocated records, from record `first` on.
/// ids  as in shade_vertices()
void shade_chunk(const FrontWorker& front,
                 const DrawRecord& draw,
                 uint32_t instance,
                 uint32_t* ids,
                 uint32_t count,
                 uint8_t* records);

/// Computes rows and codes in the viewport of the draw.
/// codes  room for whole warps; the vertices refer to them
void transform(const FrontWorker& front,
               const ShapeState& shape,
               ChunkVertices& vertices,
               uint32_t* codes);

/// Keeps the varyings of the vertices, unless they are kept already.
void keep_varyings(const ShapeState& shape, ChunkVertices& vertices);

/// Keeps the whole records of the vertices, if only their varyings have memory so far.
void keep_records(FrontWorker& front, ChunkVertices& vertices);

/// Frees the memory of vertices of which nothing is kept.
inline void drop_vertices(FrontWorker& front, const ChunkVertices& vertices) {
    if (vertices.memory != nullptr)
        front.output.arena->trim(vertices.memory);
}

/// Returns a batch of the vertices, without primitives.
Batch batch_of(const DrawRecord& draw, const ChunkVertices& vertices);

/// Returns whether lines of the draw are plain unless they are clipped: neither stippled, smooth
/// nor rectangles.
bool may_be_plain_lines(const ShapeState& shape);

}  // namespace valkyr::raster
