// Line emission: draws lines, all lines of a chunk at once if they are plain.
// SPDX-License-Identifier: MIT
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Returns whether no line between these vertices can reach the guard band.
bool far_from_band(const ShapeState& shape, const WindowRow* rows, uint32_t count) {
    const int32_t most = line_reach(shape);
    int32_t largest = 0;
    int32_t least = 0;
    for (uint32_t v = 0; v < count; ++v) {
        largest = std::max({largest, rows[v].x, rows[v].y});
        least = std::min({least, rows[v].x, rows[v].y});
    }
    return largest <= most && least >= -most;
}

/// Emits lines that are neither clipped, stippled nor rectangles. They are placed twice, here and
/// in each tile: that takes less time than to write placed lines to memory and read them back.
void emit_plain_lines(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    ChunkVertices& vertices = chunk.vertices;
    FrontOutput& output = front.output;
    const PrimitiveRef* const primitives = chunk.primitives.data();
    const uint32_t kept = output.ops->cull_lines(*draw.shape, vertices.rows, primitives,
                                                 static_cast<uint32_t>(chunk.primitives.size()),
                                                 front.survivors.data());
    if (kept == 0) {
        drop_vertices(front, vertices);
        return;
    }
    keep_varyings(*draw.shape, vertices);
    Batch batch = batch_of(draw, vertices);
    batch.primitives = output.arena->allocate_array<PrimitiveRef>(kept);
    batch.plain_lines = true;
    batch.facing = Facing::Front;
    const BinEntry first = output.add_batch(batch);
    for (uint32_t i = 0; i < kept; ++i) {
        const Survivor survivor = front.survivors[i];
        batch.primitives[i] = primitives[survivor.index];
        output.bin(batch, first, i, survivor);
    }
}

}  // namespace

void emit_lines(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    const ShapeState& shape = *draw.shape;
    ChunkVertices& vertices = chunk.vertices;
    if (may_be_plain_lines(shape) && vertices.any_code == 0 &&
        far_from_band(shape, vertices.rows, vertices.count)) {
        emit_plain_lines(front, draw, chunk);
        return;
    }
    keep_records(front, vertices);
    const Primitive primitive = draw.assembly.primitive;
    const bool made = draw.makes_primitives();
    const bool apart =
        !made && (primitive == Primitive::Lines || primitive == Primitive::LinesAdjacency);
    for (uint32_t i = 0; i < chunk.primitives.size(); ++i) {
        const PrimitiveRef& p = chunk.primitives[i];
        if (apart || (made && (chunk.edges[i] & Chunk::kBeginsChain) != 0))
            front.shapes.stipple().restart();
        front.shapes.line(shaded_vertex(vertices, p.v[0]), shaded_vertex(vertices, p.v[1]),
                          vertices.record(p.provoking), {.id = p.id});
    }
}

}  // namespace valkyr::raster
