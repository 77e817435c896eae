// Chunk vertices: gives the vertices of a chunk their memory, and keeps what tiles need of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"

#include <cstdint>
#include <cstring>

namespace valkyr::raster {

/// Copies a vertex record, or some varying slots of one: `slots` times kVaryingSlotBytes.
inline void copy_slots(const uint8_t* from, uint8_t* to, uint32_t slots) {
    for (uint32_t s = 0; s < slots;
         ++s, from += exec::kVaryingSlotBytes, to += exec::kVaryingSlotBytes)
        std::memcpy(to, from, exec::kVaryingSlotBytes);
}

/// Vertices that are to be shaded: room for their rows, and for whole warps of their records. The
/// records lie in scratch memory, until the next call, if only their varyings will be kept.
ChunkVertices allocate_vertices(FrontWorker& front, const ShapeState& shape, uint32_t count);

/// Vertices that are shaded: vertex v has the record numbers[v] of `records`. They are read there
/// until something of them is kept, or copied at once where that is not possible.
ChunkVertices adopt_vertices(FrontWorker& front,
                             const ShapeState& shape,
                             uint32_t count,
                             uint8_t* records,
                             const uint32_t* numbers);

/// Shades vertices into the records that were allocated, from record `first` on.
/// ids  as shade_vertices() has it
void shade_chunk(const FrontWorker& front,
                 const DrawRecord& draw,
                 uint32_t instance,
                 uint32_t* ids,
                 uint32_t count,
                 uint8_t* records);

/// Makes rows and codes in the viewport of the draw.
/// codes  room for whole warps; the vertices refer to them
void transform(const FrontWorker& front,
               const ShapeState& shape,
               ChunkVertices& vertices,
               uint32_t* codes);

/// Keeps the varyings of the vertices, if that has not happened.
void keep_varyings(const ShapeState& shape, ChunkVertices& vertices);

/// Keeps the whole records of the vertices, if only their varyings have memory.
void keep_records(FrontWorker& front, ChunkVertices& vertices);

/// Gives the memory of vertices back of which nothing is kept.
inline void drop_vertices(FrontWorker& front, const ChunkVertices& vertices) {
    if (vertices.memory != nullptr)
        front.output.arena->trim(vertices.memory);
}

/// The vertices as a batch without primitives.
Batch batch_of(const DrawRecord& draw, const ChunkVertices& vertices);

/// Whether lines of the draw are plain unless they are clipped: neither stippled, smooth nor
/// rectangles.
bool may_be_plain_lines(const ShapeState& shape);

}  // namespace valkyr::raster
