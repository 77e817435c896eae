// Chunk vertices: allocate the vertices of a chunk, and keep the data that tiles need.
// SPDX-License-Identifier: MIT
#include "raster/front/chunk_vertices.hpp"

#include "base/bits.hpp"
#include "base/prefetch.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/half_varyings.hpp"

#include <array>
#include <type_traits>

namespace valkyr::raster {
namespace {

/// Converts window positions (VS_WINDOW_SPACE_POSITION: x, y, z in the window and 1/w) to clip
/// positions that the identity viewport (set_clip) maps back.
void clip_from_window(uint8_t* records, uint32_t stride, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        std::array<float, 4> p{};
        uint8_t* record = records + size_t{i} * stride;
        std::memcpy(p.data(), record, sizeof(p));
        const float w = 1.0F / p[3];
        p = {p[0] * w, p[1] * w, p[2] * w, w};
        std::memcpy(record, p.data(), sizeof(p));
    }
}

/// Allocates rows, and behind them the kept part of the records.
/// packs  only varyings are kept
ChunkVertices allocate(Arena& arena, const ShapeState& shape, uint32_t count, bool packs) {
    const size_t padded = align_up(count, exec::kLanes);
    const size_t rows_size = padded * sizeof(WindowRow);
    const uint32_t kept = packs ? shape.record_stride - exec::kRecordVaryings : shape.record_stride;
    ChunkVertices vertices;
    vertices.count = count;
    vertices.memory = arena.allocate(rows_size + padded * kept);
    vertices.rows = reinterpret_cast<WindowRow*>(vertices.memory);
    vertices.records = reinterpret_cast<uint8_t*>(vertices.memory + rows_size);
    vertices.record_stride = shape.record_stride;
    if (packs)
        vertices.varyings = vertices.records;
    return vertices;
}

/// Returns whether tiles need only the varyings of transformed vertices.
bool needs_varyings_alone(const ShapeState& shape) {
    return shape.rasterize && !shape.selects();
}

}  // namespace

bool may_be_plain_lines(const ShapeState& shape) {
    return !shape.line_stipple && shape.smooth != SmoothShape::Lines && !shape.rectangular_lines;
}

ChunkVertices allocate_vertices(FrontWorker& front, const ShapeState& shape, uint32_t count) {
    const bool packs = needs_varyings_alone(shape) && !shape.shapes;
    ChunkVertices vertices = allocate(*front.output.arena, shape, count, packs);
    if (packs) {
        front.scratch.reset();
        vertices.records = front.scratch.allocate_array<uint8_t>(
            size_t{align_up(count, exec::kLanes)} * shape.record_stride);
    }
    return vertices;
}

ChunkVertices adopt_vertices(FrontWorker& front,
                             const ShapeState& shape,
                             uint32_t count,
                             uint8_t* records,
                             const uint32_t* numbers) {
    // Points and lines that are not plain need whole records. Widening halves changes records, so
    // records that two chunks share must not be widened twice.
    const bool lines = shape_of(shape.drawn) == Shape::Line && may_be_plain_lines(shape);
    if (shape.half_count == 0 && needs_varyings_alone(shape) && (!shape.shapes || lines)) {
        ChunkVertices vertices = allocate(*front.output.arena, shape, count, true);
        vertices.records = records;
        vertices.numbers = numbers;
        return vertices;
    }
    ChunkVertices vertices = allocate_vertices(front, shape, count);
    const size_t stride = shape.record_stride;
    for (uint32_t v = 0; v < count; ++v)
        copy_slots(records + (numbers == nullptr ? v : numbers[v]) * stride,
                   vertices.records + v * stride, shape.record_stride / exec::kVaryingSlotBytes);
    widen_halves(shape, vertices.records, count);
    return vertices;
}

void shade_chunk(const FrontWorker& front,
                 const DrawRecord& draw,
                 uint32_t instance,
                 uint32_t* ids,
                 uint32_t count,
                 uint8_t* records) {
    const ShapeState& shape = *draw.shape;
    shade_vertices(draw, front.kernels, instance, ids, count, records, shape.record_stride);
    if (draw.vertex->info->window_space_position)
        clip_from_window(records, shape.record_stride, count);
    widen_halves(shape, records, count);
}

void transform(const FrontWorker& front,
               const ShapeState& shape,
               ChunkVertices& vertices,
               uint32_t* codes) {
    vertices.any_code =
        front.output.ops->window_rows(shape.clip, vertices.records, vertices.record_stride,
                                      vertices.numbers, vertices.count, vertices.rows, codes);
    vertices.codes = codes;
}

void keep_varyings(const ShapeState& shape, ChunkVertices& vertices) {
    if (vertices.varyings == nullptr || vertices.has_varyings)
        return;
    const uint32_t bytes = shape.record_stride - exec::kRecordVaryings;
    const uint32_t slots = bytes / exec::kVaryingSlotBytes;
    // Members are copied to registers, because the writes below could alias them.
    const size_t stride = shape.record_stride;
    const uint8_t* const from = vertices.records + exec::kRecordVaryings;
    const uint32_t* const numbers = vertices.numbers;
    const uint32_t count = vertices.count;
    uint8_t* to = vertices.varyings;
    const auto keep = [&](const auto& number, auto slot_count) {
        for (uint32_t v = 0; v < count; ++v, to += bytes) {
            prefetch_to_write(to, kWriteAhead);
            copy_slots(from + number(v) * stride, to, slot_count);
        }
    };
    const auto listed = [numbers](uint32_t v) { return size_t{numbers[v]}; };
    if (numbers == nullptr)
        keep([](uint32_t v) { return size_t{v}; }, slots);
    else if (slots == 1)
        keep(listed, std::integral_constant<uint32_t, 1>());
    else
        keep(listed, slots);
    vertices.has_varyings = true;
}

void keep_records(FrontWorker& front, ChunkVertices& vertices) {
    if (vertices.varyings == nullptr)
        return;
    const uint32_t stride = vertices.record_stride;
    auto* kept = front.output.arena->allocate_array<uint8_t>(size_t{vertices.count} * stride);
    for (uint32_t v = 0; v < vertices.count; ++v)
        copy_slots(vertices.record(v), kept + size_t{v} * stride, stride / exec::kVaryingSlotBytes);
    vertices.records = kept;
    vertices.numbers = nullptr;
    vertices.varyings = nullptr;
}

Batch batch_of(const DrawRecord& draw, const ChunkVertices& vertices) {
    Batch batch;
    batch.draw = &draw;
    batch.rows = vertices.rows;
    const bool packed = vertices.varyings != nullptr;
    // Offsets count from the beginning of a whole record, which for packed varyings lies in the
    // rows.
    batch.records = packed ? vertices.varyings - exec::kRecordVaryings : vertices.records;
    batch.record_stride = draw.shape->record_stride - (packed ? exec::kRecordVaryings : 0);
    return batch;
}

}  // namespace valkyr::raster
