// Front end: emits the lines of a shaded chunk, all at once if nothing is special about them.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "exec/vertex_record.hpp"
#include "raster/data/assemble.hpp"
#include "raster/front/front_end.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Whether the guard band certainly limits no line between these vertices.
bool far_from_band(const DrawRecord& draw, const WindowRow* rows, uint32_t count) {
    const int32_t most = line_reach(draw);
    int32_t largest = 0;
    int32_t least = 0;
    for (uint32_t v = 0; v < count; ++v) {
        largest = std::max({largest, rows[v].x, rows[v].y});
        least = std::min({least, rows[v].x, rows[v].y});
    }
    return largest <= most && least >= -most;
}

}  // namespace

bool FrontEnd::may_be_plain(const DrawRecord& draw) {
    return !draw.line_stipple && draw.smooth != SmoothShape::Lines && !draw.rectangular_lines;
}

void FrontEnd::emit_lines(const DrawRecord& draw, const PrimitiveRange& range, std::byte* memory) {
    if (may_be_plain(draw) && any_code_ == 0 && far_from_band(draw, rows_, vertex_count_)) {
        emit_plain_lines(draw, range, memory);
        return;
    }
    keep_records(draw);
    const bool apart = draw.geometry == nullptr && (draw.primitive == Primitive::Lines ||
                                                    draw.primitive == Primitive::LinesAdjacency);
    for (uint32_t i = range.begin; i < range.end; ++i) {
        const PrimitiveRef& p = primitives_[i];
        if (apart || (draw.geometry != nullptr && edges_[i] == kBeginsStrip))
            shapes_.stipple().restart();
        shapes_.line(vertex(draw, p.v[0]), vertex(draw, p.v[1]), record(draw, p.provoking),
                     {.id = p.id});
    }
}

/// Lines that are neither clipped, stippled nor rectangles are placed where they stay.
void FrontEnd::emit_plain_lines(const DrawRecord& draw,
                                const PrimitiveRange& range,
                                std::byte* memory) {
    Arena& arena = *output_.arena;
    const uint32_t count = range.end - range.begin;
    const uint32_t padded = align_up(count, exec::kLanes);
    const Batch vertices = chunk_batch(draw);
    const auto record_of = [&](uint32_t v) {
        return vertices.records + size_t{v} * vertices.record_stride;
    };
    auto* lines = arena.allocate_array<LineRow>(padded);
    auto* primitives = arena.allocate_array<PrimitiveRef>(padded);
    for (uint32_t i = 0; i < count; ++i) {
        const PrimitiveRef& p = primitives_[range.begin + i];
        lines[i] = {{rows_[p.v[0]], rows_[p.v[1]]},
                    {},
                    {record_of(p.v[0]), record_of(p.v[1])},
                    record_of(p.provoking)};
        primitives[i].id = p.id;
    }
    const uint32_t kept =
        output_.ops->place_lines(draw, lines, primitives, count, survivors_.data());
    if (kept == 0) {
        if (memory != nullptr)
            arena.trim(memory);
        return;
    }
    keep_varyings(draw);
    Batch batch;
    batch.draw = &draw;
    batch.primitives = primitives;
    batch.lines = lines;
    batch.facing = Facing::Front;
    const BinEntry first = output_.add_batch(batch);
    for (uint32_t i = 0; i < kept; ++i) {
        const uint32_t from = survivors_[i].index;
        const auto v = static_cast<uint16_t>(4 * i);
        if (from != i)
            lines[i] = lines[from];
        primitives[i] = {{v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)},
                         primitives[from].provoking,
                         primitives[from].id};
        output_.bin(batch, first, i, survivors_[i]);
    }
}

}  // namespace valkyr::raster
