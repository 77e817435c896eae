// Shape emitter: collects the quads of points and lines into batches.
// SPDX-License-Identifier: MIT
#include "raster/front/front_shapes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace valkyr::raster {
namespace {

WindowRow with_depth_offset(WindowRow row, float offset) {
    row.z += offset;
    return row;
}

/// record = FMA(t, out - in, in) in every component but the integer ones (layer, viewport index).
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
    if (draw_->smooth == SmoothShape::Points) {
        smooth(smooth_point(row, size), record, attributes);
        return;
    }
    add(point_quad(row, size), {record, record, record, record}, attributes, nullptr);
}

bool ShapeEmitter::clip_line(ShadedVertex& from, ShadedVertex& to, std::array<WindowRow, 2>& rows) {
    for (uint32_t rest = draw_->clip.planes; rest != 0; rest &= rest - 1) {
        const uint32_t bit = rest & -rest;
        const float d_from = plane_distance(draw_->clip, bit, from.record);
        const float d_to = plane_distance(draw_->clip, bit, to.record);
        const bool from_inside = d_from >= 0;
        const bool to_inside = d_to >= 0;
        if (!from_inside && !to_inside)
            return false;
        if (from_inside && to_inside)
            continue;
        auto* record = output_.arena->allocate_array<uint8_t>(draw_->record_stride);
        ShadedVertex& in = from_inside ? from : to;
        ShadedVertex& out = from_inside ? to : from;
        const float d_in = from_inside ? d_from : d_to;
        const float d_out = from_inside ? d_to : d_from;
        const float t = d_in / (d_in - d_out);
        interpolate_record(*output_.ops, in.record, out.record, t, draw_->record_stride, record);
        set_linear_varyings(*draw_, in.record, out.record, t, record);
        out.record = record;
    }
    return window_row(draw_->clip, from.record, rows[0]) &&
           window_row(draw_->clip, to.record, rows[1]);
}

/// Depth, q and record of an end that was moved to place t between the two that were given;
/// `unmoved` if that place is not before the eye.
const uint8_t* ShapeEmitter::end_record(const uint8_t* first,
                                        const uint8_t* last,
                                        const std::array<WindowRow, 2>& given,
                                        float t,
                                        WindowRow& row,
                                        const uint8_t* unmoved) {
    const float q = std::fma(t, given[1].q - given[0].q, given[0].q);
    if (!(q > 0))
        return unmoved;
    row.z = std::fma(t, given[1].z - given[0].z, given[0].z);
    row.q = q;
    auto* record = output_.arena->allocate_array<uint8_t>(draw_->record_stride);
    interpolate_record(*output_.ops, first, last, t * given[1].q / q, draw_->record_stride, record);
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
    const bool smooth_line = draw_->smooth == SmoothShape::Lines;
    LineStipple stipple;
    if (draw_->line_stipple && (smooth_line || draw_->rectangular_lines))
        stipple = stipple_.rectangle(*draw_, rows[0], rows[1]);
    if (smooth_line) {
        smooth({with_depth_offset(rows[0], attributes.depth_offset),
                with_depth_offset(rows[1], attributes.depth_offset)},
               {with_flat(a.record, provoking), with_flat(b.record, provoking)}, attributes,
               draw_->line_stipple ? &stipple : nullptr);
        return;
    }
    const LineShape shape = line_shape(*draw_, rows[0], rows[1]);
    if (draw_->line_stipple && !draw_->rectangular_lines)
        stipple = stipple_.thin(*draw_, shape);
    const std::array<WindowRow, 2> given = rows;
    const uint8_t* records[2] = {a.record, b.record};
    for (unsigned i = 0; i < 2; ++i)
        if (shape.ends[i].moved)
            records[i] =
                end_record(a.record, b.record, given, shape.ends[i].t, rows[i], records[i]);
    const uint8_t* record_a = with_flat(records[0], provoking);
    const uint8_t* record_b = with_flat(records[1], provoking);
    add(line_quad(*draw_, shape, with_depth_offset(rows[0], attributes.depth_offset),
                  with_depth_offset(rows[1], attributes.depth_offset)),
        {record_a, record_b, record_b, record_a}, attributes,
        draw_->line_stipple ? &stipple : nullptr);
}

const uint8_t* ShapeEmitter::with_coverage(const uint8_t* record,
                                           const std::array<float, 4>& coverage) {
    auto* copy = output_.arena->allocate_array<uint8_t>(draw_->record_stride);
    std::memcpy(copy, record, draw_->record_stride);
    std::memcpy(copy + draw_->coverage_offset, coverage.data(), sizeof(coverage));
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

/// Every corner has a record of its own, with the place on the line that it stands for.
void ShapeEmitter::smooth(const std::array<WindowRow, 2>& rows,
                          const std::array<const uint8_t*, 2>& records,
                          const ShapeAttributes& attributes,
                          const LineStipple* stipple) {
    const std::optional<SmoothLine> line = smooth_line(*draw_, rows[0], rows[1]);
    if (!line)
        return;
    std::array<const uint8_t*, 4> corners{};
    for (size_t i = 0; i < corners.size(); ++i)
        corners[i] = with_coverage(records[i == 1 || i == 2 ? 1 : 0], line->coverage[i]);
    add(line->rows, corners, attributes, stipple);
}

const uint8_t* ShapeEmitter::with_flat(const uint8_t* record, const uint8_t* provoking) {
    const auto flat = [](const SlotSource& s) { return s.kind == SlotKind::Flat; };
    const SlotSource* end = draw_->slots + draw_->slot_count;
    if (record == provoking || std::none_of(draw_->slots + 0, end, flat))
        return record;
    auto* copy = output_.arena->allocate_array<uint8_t>(draw_->record_stride);
    std::memcpy(copy, record, draw_->record_stride);
    for (const SlotSource* slot = draw_->slots; slot != end; ++slot)
        if (flat(*slot))
            for (const uint16_t offset : slot->offset)
                std::memcpy(copy + offset, provoking + offset, 16);
    return copy;
}

void ShapeEmitter::add(const QuadRows& rows,
                       const std::array<const uint8_t*, 4>& records,
                       const ShapeAttributes& attributes,
                       const LineStipple* stipple) {
    const bool unlike = facing_ != attributes.facing || has_stipples_ != (stipple != nullptr);
    if (count_ == kQuads || (count_ != 0 && unlike))
        flush();
    facing_ = attributes.facing;
    has_stipples_ = stipple != nullptr;
    if (stipple != nullptr)
        stipples_[count_] = *stipple;
    std::copy(rows.begin(), rows.end(), rows_.begin() + 4 * count_);
    std::copy(records.begin(), records.end(), records_.begin() + 4 * count_);
    ids_[count_++] = attributes.id;
}

void ShapeEmitter::flush() {
    if (count_ == 0)
        return;
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
    LineStipple* stipples = nullptr;
    if (has_stipples_) {
        stipples = arena.allocate_array<LineStipple>(count_);
        std::copy_n(stipples_.begin(), count_, stipples);
    }
    const uint32_t triangles = 2 * count_;
    count_ = 0;
    output_.cull_and_bin({draw_, rows, nullptr, primitives, records, stipples, facing_}, triangles);
}

}  // namespace valkyr::raster
