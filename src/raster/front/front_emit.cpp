// Front end: emits a shaded chunk as triangles, clipped triangles, points and outlines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "exec/vertex_record.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/draw_counters.hpp"
#include "raster/front/front_end.hpp"
#include "raster/front/polygon_offset.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {

ShadedVertex FrontEnd::vertex(const DrawRecord& draw, uint32_t v) const {
    return {rows_ + v, record(draw, v), codes_[v]};
}

void FrontEnd::transform(const DrawRecord& draw, WindowRow* rows, uint32_t* codes) {
    any_code_ = output_.ops->window_rows(*draw.clip, records_, draw.record_stride, record_numbers_,
                                         vertex_count_, rows, codes);
    rows_ = rows;
    codes_ = codes;
}

void FrontEnd::emit(const DrawRecord& draw, const PrimitiveRange& range, std::byte* memory) {
    if (draw.counters != nullptr)
        count_clipping(draw.counters[worker_], range);
    shapes_.begin(draw);
    switch (shape_of(draw.drawn)) {
    case Shape::Point: emit_points(draw, range); break;
    case Shape::Line: emit_lines(draw, range, memory); break;
    case Shape::Triangle: emit_triangles(draw, range, memory); break;
    }
    shapes_.flush();
}

namespace {

/// The layer and viewport that a primitive's provoking vertex chooses.
struct Selection {
    uint32_t layer = 0;
    uint32_t viewport = 0;
    friend bool operator==(const Selection&, const Selection&) = default;
};

Selection selection(const DrawRecord& draw, const uint8_t* record) {
    std::array<uint16_t, 2> chosen;
    std::memcpy(chosen.data(), record + offsetof(exec::VertexRecord, layer), sizeof(chosen));
    return {draw.layers > 1 ? std::min<uint32_t>(chosen[0], draw.layers - 1) : 0,
            chosen[1] < draw.viewport_count ? chosen[1] : 0U};
}

}  // namespace

/// Primitives of the same choice that follow one another are emitted together, in API order.
void FrontEnd::emit_selected(const DrawRecord& draw) {
    struct Transformed {
        WindowRow* rows = nullptr;
        uint32_t* codes = nullptr;
    };
    std::array<Transformed, kMaxViewports> known{};
    const uint32_t padded = align_up(vertex_count_, exec::kLanes);
    const auto chosen = [&](uint32_t i) {
        return selection(draw, record(draw, primitives_[i].provoking));
    };
    for (uint32_t i = 0; i < primitive_count_;) {
        const Selection now = chosen(i);
        PrimitiveRange range{i, i + 1};
        while (range.end < primitive_count_ && chosen(range.end) == now)
            ++range.end;
        const DrawRecord& view = draw.viewports != nullptr ? draw.viewports[now.viewport] : draw;
        Transformed& place = known[now.viewport];
        if (place.rows == nullptr) {
            place = {output_.arena->allocate_array<WindowRow>(padded),
                     output_.arena->allocate_array<uint32_t>(padded)};
            transform(view, place.rows, place.codes);
        }
        rows_ = place.rows;
        codes_ = place.codes;
        any_code_ = ~0U;
        output_.grid.first = now.layer * tiles_per_layer_;
        emit(view, range, nullptr);
        i = range.end;
    }
    output_.grid.first = 0;
}

Batch FrontEnd::chunk_batch(const DrawRecord& draw) const {
    Batch batch;
    batch.draw = &draw;
    batch.rows = rows_;
    // Offsets count from the beginning of a whole record, here among the rows.
    batch.records = varyings_ != nullptr ? varyings_ - exec::kRecordVaryings : records_;
    batch.record_stride =
        varyings_ != nullptr ? draw.record_stride - exec::kRecordVaryings : draw.record_stride;
    return batch;
}

void FrontEnd::emit_triangles(const DrawRecord& draw,
                              const PrimitiveRange& range,
                              std::byte* memory) {
    if (draw.shapes) {
        for (uint32_t i = range.begin; i < range.end; ++i)
            emit_unfilled(draw, i);
        return;
    }
    if (rectangle_count_ != 0 && any_code_ == 0 && are_rectangles(draw)) {
        emit_rectangles(draw, memory);
        return;
    }
    const PrimitiveRef* primitives = primitives_.data() + range.begin;
    const uint32_t count = range.end - range.begin;
    const bool plain = plain_count_ >= range.end && range.begin == 0;
    const uint32_t survivors =
        output_.ops->cull(draw, rows_, any_code_ == 0 ? nullptr : codes_,
                          plain ? nullptr : primitives, count, true, false, survivors_.data());
    output_.statistics.triangles_culled += count - survivors;
    if (survivors == 0) {
        if (memory != nullptr)
            output_.arena->trim(memory);
        return;
    }
    keep_varyings(draw);
    Batch batch = chunk_batch(draw);
    batch.primitives = output_.arena->allocate_array<PrimitiveRef>(survivors);
    const BinEntry first = output_.add_batch(batch);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < survivors; ++i) {
        const Survivor& survivor = survivors_[i];
        PrimitiveRef primitive = primitives[survivor.index];
        if (plain_count_ != 0)
            primitive.id = plain_id_ + range.begin + survivor.index;
        if (survivor.needs_clip != 0) {
            emit_clipped(draw, primitive);
            continue;
        }
        batch.primitives[kept] = primitive;
        output_.bin(batch, first, kept++, survivor);
    }
}

bool FrontEnd::clip_triangle(const DrawRecord& draw,
                             const PrimitiveRef& primitive,
                             Batch& batch,
                             uint32_t& triangles) {
    const size_t stride = draw.record_stride;
    const uint8_t* corners[3] = {record(draw, primitive.v[0]), record(draw, primitive.v[1]),
                                 record(draw, primitive.v[2])};
    clipper_.begin(draw, corners, 3);
    const uint32_t count = clipper_.clip();
    if (count < 3)
        return false;
    clipper_.copy_flat(record(draw, primitive.provoking));
    Arena& arena = *output_.arena;
    auto* rows = arena.allocate_array<WindowRow>(count);
    auto* copies = arena.allocate_array<uint8_t>(count * stride);
    for (uint32_t i = 0; i < count; ++i) {
        std::memcpy(copies + i * stride, clipper_.record(i), stride);
        if (!window_row(*draw.clip, clipper_.record(i), rows[i]))
            return false;
    }
    triangles = count - 2;
    auto* fan = arena.allocate_array<PrimitiveRef>(triangles);
    for (uint32_t i = 0; i < triangles; ++i)
        fan[i] = {{0, static_cast<uint16_t>(i + 1), static_cast<uint16_t>(i + 2)}, 0, primitive.id};
    batch.draw = &draw;
    batch.rows = rows;
    batch.records = copies;
    batch.record_stride = draw.record_stride;
    batch.primitives = fan;
    return true;
}

void FrontEnd::emit_clipped(const DrawRecord& draw, const PrimitiveRef& primitive) {
    Batch batch;
    uint32_t triangles = 0;
    if (clip_triangle(draw, primitive, batch, triangles))
        output_.cull_and_bin(batch, triangles);
}

void FrontEnd::emit_points(const DrawRecord& draw, const PrimitiveRange& range) {
    if (draw.quads) {
        emit_quads(draw, range);
        return;
    }
    for (uint32_t i = range.begin; i < range.end; ++i) {
        const ShadedVertex v = vertex(draw, primitives_[i].v[0]);
        shapes_.point(v, v.record, point_size(draw, v.record), {.id = primitives_[i].id});
    }
}

void FrontEnd::emit_quads(const DrawRecord& draw, const PrimitiveRange& range) {
    const uint32_t most = range.end - range.begin;
    Arena& arena = *output_.arena;
    auto* rows = arena.allocate_array<QuadRows>(most);
    auto* records = arena.allocate_array<std::array<const uint8_t*, 4>>(most);
    auto* primitives = arena.allocate_array<PrimitiveRef>(most);
    uint32_t count = 0;
    for (uint32_t i = range.begin; i < range.end; ++i) {
        const PrimitiveRef& point = primitives_[i];
        if (codes_[point.v[0]] != 0)
            continue;
        const uint8_t* vertex_record = record(draw, point.v[0]);
        rows[count] = point_quad(rows_[point.v[0]], point_size(draw, vertex_record));
        records[count].fill(vertex_record);
        const auto v = static_cast<uint16_t>(4 * count);
        primitives[count++] = {
            {v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)}, v, point.id};
    }
    Batch batch;
    batch.draw = &draw;
    batch.rows = rows->data();
    batch.primitives = primitives;
    batch.row_records = records->data();
    batch.facing = Facing::Front;
    batch.quads = true;
    if (count != 0)
        output_.cull_and_bin(batch, count);
}

namespace {

/// Twice the area of a triangle, signed.
int64_t double_area(const Batch& batch, const PrimitiveRef& triangle) {
    const WindowRow& a = batch.rows[triangle.v[0]];
    const WindowRow& b = batch.rows[triangle.v[1]];
    const WindowRow& c = batch.rows[triangle.v[2]];
    return int64_t{b.x - a.x} * (c.y - a.y) - int64_t{c.x - a.x} * (b.y - a.y);
}

/// Twice the area of a fan's polygon; its sign is the sign of the triangle's area.
int64_t fan_area(const Batch& batch, uint32_t triangles) {
    int64_t area = 0;
    for (uint32_t i = 0; i < triangles; ++i)
        area += double_area(batch, batch.primitives[i]);
    return area;
}

/// The polygon offset of the fan's first triangle that has an area.
float fan_offset(const DepthOffset& offset, const Batch& batch, uint32_t triangles) {
    for (uint32_t i = 0; i < triangles; ++i)
        if (double_area(batch, batch.primitives[i]) != 0)
            return polygon_offset(offset, batch.rows, batch.primitives[i]);
    return 0;
}

/// The vertex's edge flag: whether the edge that begins there bounds the primitive.
bool begins_edge(const DrawRecord& draw, const uint8_t* record) {
    float flag = 1;
    if (draw.edge_flag_offset != 0)
        std::memcpy(&flag, record + draw.edge_flag_offset, sizeof(flag));
    return flag != 0;
}

}  // namespace

void FrontEnd::emit_unfilled(const DrawRecord& draw, uint32_t i) {
    PrimitiveRef primitive = primitives_[i];
    const uint32_t all = codes_[primitive.v[0]] & codes_[primitive.v[1]] & codes_[primitive.v[2]];
    const uint32_t any = codes_[primitive.v[0]] | codes_[primitive.v[1]] | codes_[primitive.v[2]];
    Batch batch = chunk_batch(draw);
    uint32_t triangles = 1;
    if (all != 0)
        return;
    if ((any & kClipAny) == 0) {
        batch.primitives = output_.arena->allocate_array<PrimitiveRef>(1);
        batch.primitives[0] = primitive;
    } else if (!clip_triangle(draw, primitive, batch, triangles)) {
        return;
    }
    const int64_t area = fan_area(batch, triangles);
    if (area == 0 || (area > 0 ? draw.cull_positive : draw.cull_negative))
        return;
    const bool back = (area > 0) != draw.front_positive;
    const PolygonMode mode = draw.fill[back ? 1 : 0];
    if (mode == PolygonMode::Fill) {
        shapes_.flush();
        output_.cull_and_bin(batch, triangles);
        return;
    }
    ShapeAttributes attributes;
    attributes.id = primitive.id;
    attributes.facing = back ? Facing::Back : Facing::Front;
    if (draw.offset_shape[mode == PolygonMode::Point ? 1 : 0])
        attributes.depth_offset = fan_offset(draw.offset, batch, triangles);
    emit_outline(draw, i, mode, attributes);
}

void FrontEnd::emit_outline(const DrawRecord& draw,
                            uint32_t i,
                            PolygonMode mode,
                            const ShapeAttributes& attributes) {
    const PrimitiveRef& p = primitives_[i];
    const uint8_t* provoking = record(draw, p.provoking);
    shapes_.stipple().begin_polygon(p.id);
    for (uint32_t k = 0; k < 3; ++k) {
        if ((edges_[i] >> k & 1) == 0)
            continue;
        const ShadedVertex from = vertex(draw, p.v[k]);
        if (!begins_edge(draw, from.record))
            continue;
        if (mode == PolygonMode::Point)
            shapes_.point(from, provoking, point_size(draw, from.record), attributes);
        else
            shapes_.line(from, vertex(draw, p.v[(k + 1) % 3]), provoking, attributes);
    }
}

}  // namespace valkyr::raster
