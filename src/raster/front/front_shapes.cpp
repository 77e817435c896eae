// Shape emitter: collects the quads of points and lines into batches.
// SPDX-License-Identifier: MIT
#include "raster/front/front_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace valkyr::raster {
namespace {

WindowRow with_depth_offset(WindowRow row, float offset) {
    row.z += offset;
    return row;
}

/// Returns whether no corner of a line can reach the guard band.
bool far_from_band(const ShapeState& shape, const std::array<WindowRow, 2>& ends) {
    const int32_t most = line_reach(shape);
    const auto inside = [&](int32_t c) { return c >= -most && c <= most; };
    return inside(ends[0].x) && inside(ends[0].y) && inside(ends[1].x) && inside(ends[1].y);
}

/// Computes record = FMA(t, out - in, in) in every component except integers (layer, viewport
/// index).
void interpolate_record(const HostLoops& ops,
                        const uint8_t* in,
                        const uint8_t* out,
                        float t,
                        uint32_t stride,
                        uint8_t* record) {
    constexpr size_t kIntegers = 20;
    ops.mix_records(in, out, t, stride, record);
    std::memcpy(record + kIntegers, in + kIntegers, sizeof(float));
}

}  // namespace

void ShapeEmitter::point(const ShadedVertex& vertex,
                         const uint8_t* provoking,
                         float size,
                         const ShapeAttributes& attributes) {
    if (vertex.code != 0)
        return;
    const uint8_t* record = with_flat(vertex.record, provoking);
    const WindowRow row = with_depth_offset(*vertex.row, attributes.depth_offset);
    if (shape_->smooth == SmoothShape::Points) {
        smooth(smooth_point(row, size), record, attributes);
        return;
    }
    add(point_quad(row, size), {record, record, record, record}, attributes, nullptr);
}

bool ShapeEmitter::clip_line(ShadedVertex& from, ShadedVertex& to, std::array<WindowRow, 2>& rows) {
    for (uint32_t rest = shape_->clip.planes; rest != 0; rest &= rest - 1) {
        const uint32_t bit = rest & -rest;
        const float d_from = plane_distance(shape_->clip, bit, from.record);
        const float d_to = plane_distance(shape_->clip, bit, to.record);
        const bool from_inside = d_from >= 0;
        const bool to_inside = d_to >= 0;
        if (!from_inside && !to_inside)
            return false;
        if (from_inside && to_inside)
            continue;
        auto* record = output_.arena->allocate_array<uint8_t>(shape_->record_stride);
        ShadedVertex& in = from_inside ? from : to;
        ShadedVertex& out = from_inside ? to : from;
        const float d_in = from_inside ? d_from : d_to;
        const float d_out = from_inside ? d_to : d_from;
        const float t = d_in / (d_in - d_out);
        interpolate_record(*output_.ops, in.record, out.record, t, shape_->record_stride, record);
        set_linear_varyings(*draw_->tile, in.record, out.record, t, record);
        out.record = record;
    }
    return window_row(shape_->clip, from.record, rows[0]) &&
           window_row(shape_->clip, to.record, rows[1]);
}

/// Returns the record of a moved end.
const uint8_t* ShapeEmitter::mixed_record(const LineRow& line, unsigned end) {
    auto* record = output_.arena->allocate_array<uint8_t>(shape_->record_stride);
    interpolate_record(*output_.ops, line.records[0], line.records[1], line.place[end],
                       shape_->record_stride, record);
    return record;
}

void ShapeEmitter::line(const ShadedVertex& from,
                        const ShadedVertex& to,
                        const uint8_t* provoking,
                        const ShapeAttributes& attributes) {
    if ((from.code & to.code) != 0)
        return;
    std::array<WindowRow, 2> rows{*from.row, *to.row};
    ShadedVertex a = from;
    ShadedVertex b = to;
    if (((from.code | to.code) & kClipAny) != 0 && !clip_line(a, b, rows))
        return;
    const bool smooth_line = shape_->smooth == SmoothShape::Lines;
    if (!smooth_line && !shape_->rectangular_lines) {
        thin_line(rows, {a.record, b.record}, provoking, attributes);
        return;
    }
    LineStipple stipple;
    if (shape_->line_stipple)
        stipple = stipple_.rectangle(*shape_, rows[0], rows[1]);
    const LineStipple* const pattern = shape_->line_stipple ? &stipple : nullptr;
    for (WindowRow& row : rows)
        row = with_depth_offset(row, attributes.depth_offset);
    const uint8_t* record_a = with_flat(a.record, provoking);
    const uint8_t* record_b = with_flat(b.record, provoking);
    if (smooth_line)
        smooth(rows, {record_a, record_b}, attributes, pattern);
    else
        add(line_quad(*shape_, line_shape(*shape_, rows[0], rows[1]), rows[0], rows[1]),
            {record_a, record_b, record_b, record_a}, attributes, pattern);
}

void ShapeEmitter::thin_line(const std::array<WindowRow, 2>& given,
                             const std::array<const uint8_t*, 2>& records,
                             const uint8_t* provoking,
                             const ShapeAttributes& attributes) {
    LineRow line{{given[0], given[1]}, {}, {records[0], records[1]}, provoking};
    if (!shape_->line_stipple && far_from_band(*shape_, given)) {
        add_unplaced(line, attributes);
        return;
    }
    const LineShape shape = line_shape(*shape_, given[0], given[1]);
    LineStipple stipple;
    if (shape_->line_stipple)
        stipple = stipple_.thin(*shape_, shape);
    const LineStipple* const pattern = shape_->line_stipple ? &stipple : nullptr;
    uint16_t flags = shape.x_major ? kLineXMajor : 0;
    for (unsigned i = 0; i < 2; ++i) {
        WindowRow& row = line.ends[i];
        const float t = shape.ends[i].t;
        const float q = std::fma(t, given[1].q - given[0].q, given[0].q);
        // A place behind the eye (q <= 0) keeps the values of the end.
        if (shape.ends[i].moved && q > 0) {
            row.z = std::fma(t, given[1].z - given[0].z, given[0].z);
            row.q = q;
            line.place[i] = t * given[1].q / q;
            flags |= i == 0 ? kLineMovedFirst : kLineMovedLast;
        }
        row = with_depth_offset(row, attributes.depth_offset);
    }
    const auto whole =
        whole_line(*shape_, shape, major_span(*shape_, shape), line.ends[0], line.ends[1]);
    if (whole) {
        line.ends[0] = (*whole)[0];
        line.ends[1] = (*whole)[1];
        add_line(line, flags, attributes, pattern);
        return;
    }
    const uint8_t* record_a =
        with_flat((flags & kLineMovedFirst) != 0 ? mixed_record(line, 0) : records[0], provoking);
    const uint8_t* record_b =
        with_flat((flags & kLineMovedLast) != 0 ? mixed_record(line, 1) : records[1], provoking);
    add(line_quad(*shape_, shape, line.ends[0], line.ends[1]),
        {record_a, record_b, record_b, record_a}, attributes, pattern);
}

void ShapeEmitter::add_line(const LineRow& line,
                            uint16_t flags,
                            const ShapeAttributes& attributes,
                            const LineStipple* stipple) {
    const auto pixels =
        line_pixels(*shape_, (flags & kLineXMajor) != 0, {line.ends[0], line.ends[1]});
    if (!pixels)
        return;
    next_line(true, attributes, stipple != nullptr) = line;
    const auto tile = [](int32_t pixel) {
        return static_cast<uint8_t>(pixel / static_cast<int32_t>(exec::kTileSize));
    };
    const uint32_t n = line_count_ - 1;
    if (stipple != nullptr)
        stipples_[n] = *stipple;
    line_refs_[n].provoking = flags;
    line_boxes_[n] = {
        static_cast<uint16_t>(n), 0, 0, tile(pixels->x0), tile(pixels->y0), tile(pixels->x1 - 1),
        tile(pixels->y1 - 1)};
}

void ShapeEmitter::add_unplaced(const LineRow& line, const ShapeAttributes& attributes) {
    LineRow& added = next_line(false, attributes, false);
    added = line;
    added.place[0] = attributes.depth_offset;
}

/// Returns storage for the next line; first draws waiting lines that cannot share its batch.
LineRow& ShapeEmitter::next_line(bool placed, const ShapeAttributes& attributes, bool stipples) {
    if (count_ != 0 || placed_ != placed)
        flush();
    make_room(line_count_, kLines, attributes.facing, stipples);
    placed_ = placed;
    line_refs_[line_count_].id = attributes.id;
    return lines_[line_count_++];
}

const uint8_t* ShapeEmitter::with_coverage(const uint8_t* record,
                                           const std::array<float, 4>& coverage) {
    auto* copy = output_.arena->allocate_array<uint8_t>(shape_->record_stride);
    std::memcpy(copy, record, shape_->record_stride);
    std::memcpy(copy + shape_->coverage_offset, coverage.data(), sizeof(coverage));
    return copy;
}

void ShapeEmitter::smooth(const SmoothPoint& point,
                          const uint8_t* record,
                          const ShapeAttributes& attributes) {
    std::array<const uint8_t*, 4> corners{};
    for (size_t i = 0; i < corners.size(); ++i)
        corners[i] = with_coverage(record, point.corner(i));
    add(point.rows, corners, attributes, nullptr);
}

/// Adds a smooth line; every corner gets a record of its own, at its place on the line.
void ShapeEmitter::smooth(const std::array<WindowRow, 2>& rows,
                          const std::array<const uint8_t*, 2>& records,
                          const ShapeAttributes& attributes,
                          const LineStipple* stipple) {
    const std::optional<SmoothLine> line = smooth_line(*shape_, rows[0], rows[1]);
    if (!line)
        return;
    std::array<const uint8_t*, 4> corners{};
    for (size_t i = 0; i < corners.size(); ++i)
        corners[i] = with_coverage(records[i == 1 || i == 2 ? 1 : 0], line->coverage[i]);
    add(line->rows, corners, attributes, stipple);
}

const uint8_t* ShapeEmitter::with_flat(const uint8_t* record, const uint8_t* provoking) {
    const TileState& tile = *draw_->tile;
    const auto flat = [](const SlotSource& s) { return s.kind == SlotKind::Flat; };
    const SlotSource* end = tile.slots + tile.slot_count;
    if (record == provoking || std::none_of(tile.slots + 0, end, flat))
        return record;
    auto* copy = output_.arena->allocate_array<uint8_t>(shape_->record_stride);
    std::memcpy(copy, record, shape_->record_stride);
    for (const SlotSource* slot = tile.slots; slot != end; ++slot)
        if (flat(*slot))
            for (const uint16_t offset : slot->offset)
                std::memcpy(copy + offset, provoking + offset, 16);
    return copy;
}

void ShapeEmitter::add(const QuadRows& rows,
                       const std::array<const uint8_t*, 4>& records,
                       const ShapeAttributes& attributes,
                       const LineStipple* stipple) {
    if (line_count_ != 0)
        flush();
    make_room(count_, kQuads, attributes.facing, stipple != nullptr);
    if (stipple != nullptr)
        stipples_[count_] = *stipple;
    std::copy(rows.begin(), rows.end(), rows_.begin() + 4 * count_);
    std::copy(records.begin(), records.end(), records_.begin() + 4 * count_);
    ids_[count_++] = attributes.id;
}

void ShapeEmitter::make_room(uint32_t waiting, uint32_t most, Facing facing, bool stipples) {
    const bool unlike = facing_ != facing || has_stipples_ != stipples;
    if (waiting == most || (waiting != 0 && unlike))
        flush();
    facing_ = facing;
    has_stipples_ = stipples;
}

void ShapeEmitter::flush() {
    if (count_ != 0)
        flush_quads();
    if (line_count_ != 0)
        flush_lines();
}

/// Returns a copy of the waiting stipples in the arena; null: there are none.
LineStipple* ShapeEmitter::keep_stipples(uint32_t count) {
    if (!has_stipples_)
        return nullptr;
    auto* stipples = output_.arena->allocate_array<LineStipple>(count);
    std::copy_n(stipples_.begin(), count, stipples);
    return stipples;
}

void ShapeEmitter::flush_lines() {
    uint32_t count = line_count_;
    line_count_ = 0;
    if (!placed_)
        count = output_.ops->place_lines(*shape_, lines_.data(), line_refs_.data(), count,
                                         line_boxes_.data());
    if (count == 0)
        return;
    auto* lines = output_.arena->allocate_array<LineRow>(count);
    auto* primitives = output_.arena->allocate_array<PrimitiveRef>(count);
    Batch batch;
    batch.draw = draw_;
    batch.primitives = primitives;
    batch.lines = lines;
    batch.stipples = keep_stipples(count);
    batch.facing = facing_;
    const BinEntry first = output_.add_batch(batch);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t from = line_boxes_[i].index;
        const auto v = static_cast<uint16_t>(4 * i);
        lines[i] = lines_[from];
        primitives[i] = {{v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)},
                         line_refs_[from].provoking,
                         line_refs_[from].id};
        output_.bin(batch, first, i, line_boxes_[i]);
    }
}

void ShapeEmitter::flush_quads() {
    Arena& arena = *output_.arena;
    auto* rows = arena.allocate_array<WindowRow>(4 * count_);
    auto* records = arena.allocate_array<const uint8_t*>(4 * count_);
    auto* primitives = arena.allocate_array<PrimitiveRef>(2 * count_);
    std::copy_n(rows_.begin(), 4 * count_, rows);
    std::copy_n(records_.begin(), 4 * count_, records);
    for (uint32_t i = 0; i < count_; ++i) {
        const auto v = static_cast<uint16_t>(4 * i);
        const auto v1 = static_cast<uint16_t>(v + 1);
        const auto v2 = static_cast<uint16_t>(v + 2);
        const auto v3 = static_cast<uint16_t>(v + 3);
        primitives[2 * i] = {{v, v1, v2}, v, ids_[i]};
        primitives[2 * i + 1] = {{v, v2, v3}, v, ids_[i]};
    }
    Batch batch;
    batch.draw = draw_;
    batch.rows = rows;
    batch.primitives = primitives;
    batch.row_records = records;
    batch.stipples = keep_stipples(count_);
    batch.facing = facing_;
    const uint32_t triangles = 2 * count_;
    count_ = 0;
    output_.cull_and_bin(batch, triangles);
}

}  // namespace valkyr::raster
