// Line emission: draws lines, all lines of a chunk at once if they are plain.
// SPDX-License-Identifier: MIT
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

namespace valkyr::raster {
namespace {

/// Emits lines that are neither clipped, stippled nor rectangles. They are placed twice, here and
/// in each tile: that takes less time than to write placed lines to memory and read them back.
/// Returns false, and emits nothing, if a line may reach the guard band.
bool emit_plain_lines(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    ChunkVertices& vertices = chunk.vertices;
    FrontOutput& output = front.output;
    const PrimitiveRef* const primitives = chunk.primitives.data();
    const uint32_t kept = output.ops->cull_lines(*draw.shape, vertices.rows, primitives,
                                                 static_cast<uint32_t>(chunk.primitives.size()),
                                                 line_reach(*draw.shape), front.survivors.data());
    if (kept == HostLoops::kFarLine)
        return false;
    if (kept == 0) {
        drop_vertices(front, vertices);
        return true;
    }
    keep_varyings(*draw.shape, vertices);
    Batch batch = batch_of(draw, vertices);
    batch.plain_lines = true;
    batch.facing = Facing::Front;
    bin_survivors(front, chunk, batch, chunk.primitives, kept, kUnclipped);
    return true;
}

}  // namespace

void emit_lines(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    const ShapeState& shape = *draw.shape;
    ChunkVertices& vertices = chunk.vertices;
    if (may_be_plain_lines(shape) && vertices.any_code == 0 && emit_plain_lines(front, draw, chunk))
        return;
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
                          vertices.record(p.provoking), {.id = chunk.first_id + p.id});
    }
}

}  // namespace valkyr::raster
