// Line emission: draws lines, all lines of a chunk at once if they are plain.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "exec/vertex_record.hpp"
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

/// Emits lines that are neither clipped, stippled nor rectangles: builds them directly in the
/// arena.
void emit_plain_lines(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    ChunkVertices& vertices = chunk.vertices;
    Arena& arena = *front.output.arena;
    const auto count = static_cast<uint32_t>(chunk.primitives.size());
    const uint32_t padded = align_up(count, exec::kLanes);
    const Batch ends = batch_of(draw, vertices);
    const auto record_of = [&](uint32_t v) {
        return ends.records + size_t{v} * ends.record_stride;
    };
    auto* lines = arena.allocate_array<LineRow>(padded);
    auto* primitives = arena.allocate_array<PrimitiveRef>(padded);
    for (uint32_t i = 0; i < count; ++i) {
        const PrimitiveRef& p = chunk.primitives[i];
        lines[i] = {{vertices.rows[p.v[0]], vertices.rows[p.v[1]]},
                    {},
                    {record_of(p.v[0]), record_of(p.v[1])},
                    record_of(p.provoking)};
        primitives[i].id = p.id;
    }
    const uint32_t kept = front.output.ops->place_lines(*draw.shape, lines, primitives, count,
                                                        front.survivors.data());
    if (kept == 0) {
        drop_vertices(front, vertices);
        return;
    }
    keep_varyings(*draw.shape, vertices);
    Batch batch;
    batch.draw = &draw;
    batch.primitives = primitives;
    batch.lines = lines;
    batch.facing = Facing::Front;
    const BinEntry first = front.output.add_batch(batch);
    for (uint32_t i = 0; i < kept; ++i) {
        const Survivor& survivor = front.survivors[i];
        const uint32_t from = survivor.index;
        const auto v = static_cast<uint16_t>(4 * i);
        if (from != i)
            lines[i] = lines[from];
        primitives[i] = {{v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)},
                         primitives[from].provoking,
                         primitives[from].id};
        front.output.bin(batch, first, i, survivor);
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
