// Rasterizer: draws triangles, and points and lines as two triangles each.
// SPDX-License-Identifier: MIT
#include "tests/oracle/rasterizer.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace valkyr::reference {
namespace {

using raster::CullFace;
using raster::Rect;

constexpr int32_t kGuardBand = 16384 * 256;  ///< in 1/256 pixel
constexpr float kMaxPointSize = 2048;
constexpr float kMaxLineWidth = 255;

Rect intersect(const Rect& a, const Rect& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

/// The first pixel whose centre is not left of a window coordinate.
int32_t first_center_from(float edge) {
    return static_cast<int32_t>(std::ceil(std::clamp(edge, -65536.0F, 65536.0F) - 0.5F));
}

Rect viewport_pixels(const raster::Viewport& v) {
    return {first_center_from(v.translate[0] - std::fabs(v.scale[0])),
            first_center_from(v.translate[1] - std::fabs(v.scale[1])),
            first_center_from(v.translate[0] + std::fabs(v.scale[0])),
            first_center_from(v.translate[1] + std::fabs(v.scale[1]))};
}

/// The bounding box of the pixels that a window triangle may cover.
Rect bounding_box(WindowTriangle corners) {
    const auto [left, right] = std::minmax({corners[0].x, corners[1].x, corners[2].x});
    const auto [top, bottom] = std::minmax({corners[0].y, corners[1].y, corners[2].y});
    return {left >> 8, top >> 8, (right >> 8) + 1, (bottom >> 8) + 1};
}

/// The vertex moved to another place, clamped to the guard band.
WindowVertex moved(WindowVertex vertex, int32_t x, int32_t y) {
    vertex.x = std::clamp(x, -kGuardBand, kGuardBand);
    vertex.y = std::clamp(y, -kGuardBand, kGuardBand);
    return vertex;
}

/// Clamps a value; NaN gives `low`.
float limited(float value, float low, float high) {
    return value > low ? std::min(value, high) : low;
}

int32_t nearest_even(float value) {
    return static_cast<int32_t>(std::nearbyintf(value));
}

}  // namespace

bool Rasterizer::is_back_facing(int64_t doubled_area) const {
    const bool counter_clockwise = doubled_area < 0;
    return counter_clockwise != rasterizer_.front_ccw;
}

bool Rasterizer::is_culled(bool back_facing) const {
    switch (rasterizer_.cull) {
    case CullFace::None: return false;
    case CullFace::Front: return !back_facing;
    case CullFace::Back: return back_facing;
    case CullFace::FrontAndBack: return true;
    }
    return false;
}

Rect Rasterizer::pixels_of(WindowTriangle corners, bool within_viewport) const {
    const Rect target{0, 0, static_cast<int32_t>(targets_.width),
                      static_cast<int32_t>(targets_.height)};
    Rect rect = intersect(target, bounding_box(corners));
    if (rasterizer_.scissor)
        rect = intersect(rect, state_.scissor);
    return within_viewport ? intersect(rect, viewport_pixels(state_.viewport)) : rect;
}

/// r of OpenGL 4.6 section 14.6.5, the smallest resolvable depth difference.
float Rasterizer::depth_unit(WindowTriangle corners) const {
    const exec::Format format = targets_.depth_stencil.format();
    if (!has_depth(format))
        return 0;
    if (row(format).type == exec::ChannelType::Unorm)
        return 1.0F / static_cast<float>(bit_mask(0, row(format).bits[depth_channel(format)]));
    const float largest =
        std::max({std::fabs(corners[0].z), std::fabs(corners[1].z), std::fabs(corners[2].z)});
    return largest == 0 ? 0 : std::ldexp(1.0F, std::ilogb(largest) - 23);
}

float Rasterizer::polygon_offset(WindowTriangle corners) const {
    const float slope = Triangle(corners, false).depth_slope();
    const float offset =
        std::fma(slope, rasterizer_.offset_scale, depth_unit(corners) * rasterizer_.offset_units);
    if (rasterizer_.offset_clamp > 0)
        return std::min(offset, rasterizer_.offset_clamp);
    if (rasterizer_.offset_clamp < 0)
        return std::max(offset, rasterizer_.offset_clamp);
    return offset;
}

void Rasterizer::fill(WindowTriangle corners,
                      Primitive primitive,
                      float depth_offset,
                      bool within_viewport) {
    if (doubled_area(corners[0], corners[1], corners[2]) == 0)
        return;
    Triangle plane(corners, rasterizer_.bottom_edge_rule);
    plane.offset_depth(depth_offset);
    primitive.plane = &plane;
    primitive.corners = {&corners[0], &corners[1], &corners[2]};
    primitive.covers = [&plane, keeps = std::move(primitive.covers)](Point point) {
        return plane.covers(point) && (!keeps || keeps(point));
    };
    primitive.bounds = pixels_of(corners, within_viewport);
    pixels_.draw(primitive);
}

void Rasterizer::triangle(WindowTriangle corners, PrimitiveInfo info) {
    const int64_t area = doubled_area(corners[0], corners[1], corners[2]);
    Primitive primitive;
    primitive.back_facing = is_back_facing(area);
    primitive.provoking = info.provoking;
    primitive.id = info.id;
    if (area == 0 || is_culled(primitive.back_facing))
        return;
    primitive.covers = stippled_polygon();
    fill(corners, primitive, rasterizer_.offset_fill ? polygon_offset(corners) : 0, true);
}

void Rasterizer::fill_quad(
    const std::array<WindowVertex, 4>& corners,
    const PrimitiveInfo& info,
    const std::optional<std::array<std::array<float, 2>, 4>>& point_coordinates,
    const std::optional<SmoothPlaces>& smooth) {
    Primitive primitive;
    primitive.provoking = info.provoking;
    primitive.id = info.id;
    primitive.back_facing = info.back_facing;
    primitive.has_point_coordinate = point_coordinates.has_value();
    primitive.smooth = smooth ? smooth->smooth : Smooth::None;
    primitive.covers = info.keeps;
    for (const std::array<size_t, 3>& half : {std::array<size_t, 3>{0, 1, 2}, {0, 2, 3}}) {
        for (size_t i = 0; i < 3 && point_coordinates; i++)
            for (size_t axis = 0; axis < 2; axis++)
                primitive.point_coordinate[axis][i] = (*point_coordinates)[half[i]][axis];
        for (size_t i = 0; i < 3 && smooth; i++)
            for (size_t c = 0; c < 4; c++)
                primitive.place[c][i] = smooth->corners[half[i]][c];
        std::array<WindowVertex, 3> part{corners[half[0]], corners[half[1]], corners[half[2]]};
        for (WindowVertex& corner : part)
            corner.z += info.depth_offset;
        fill(part, primitive, 0, !point_coordinates);
    }
}

void Rasterizer::fill_parallelogram(const std::array<WindowVertex, 4>& corners,
                                    const PrimitiveInfo& info) {
    std::array<WindowVertex, 3> half{corners[0], corners[1], corners[2]};
    const std::array<WindowVertex, 3> rest{corners[0], corners[2], corners[3]};
    if (doubled_area(half[0], half[1], half[2]) == 0)
        return;
    for (WindowVertex& corner : half)
        corner.z += info.depth_offset;
    const Triangle plane(half, rasterizer_.bottom_edge_rule);
    const Triangle other(rest, rasterizer_.bottom_edge_rule);
    Primitive primitive;
    primitive.provoking = info.provoking;
    primitive.id = info.id;
    primitive.back_facing = info.back_facing;
    primitive.plane = &plane;
    primitive.corners = {&half[0], &half[1], &half[2]};
    primitive.covers = [&](Point point) {
        return (plane.covers(point) || other.covers(point)) && (!info.keeps || info.keeps(point));
    };
    const Rect a = pixels_of(half, true);
    const Rect b = pixels_of(rest, true);
    primitive.bounds = {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1),
                        std::max(a.y1, b.y1)};
    pixels_.draw(primitive);
}

void Rasterizer::point(const WindowVertex& at, float size, const PrimitiveInfo& info) {
    const bool smooth = is_smooth_point(info);
    if (rasterizer_.whole_point_size && !smooth && !is_multisampled())
        size = std::nearbyintf(size);
    const float diameter = limited(size, 1, kMaxPointSize);
    const float radius = diameter / 2 + 0.5F;  // of a smooth point, including its border
    const int32_t h = smooth ? nearest_even(256 * radius) : nearest_even(128 * diameter);
    const float slope = radius * radius / diameter;
    std::optional<SmoothPlaces> places;
    if (smooth)
        places = {Smooth::Point,
                  {{{-1, -1, slope, 1}, {1, -1, slope, 1}, {1, 1, slope, 1}, {-1, 1, slope, 1}}}};
    const float top = rasterizer_.sprite_origin_lower_left ? 1.0F : 0.0F;
    const float bottom = 1 - top;
    fill_quad({moved(at, at.x - h, at.y - h), moved(at, at.x + h, at.y - h),
               moved(at, at.x + h, at.y + h), moved(at, at.x - h, at.y + h)},
              info, {{{{0, top}, {1, top}, {1, bottom}, {0, bottom}}}}, places);
}

/// Half of the line's width as a vector: along the minor axis, or perpendicular to a multisampled
/// line.
Point Rasterizer::line_offset(Point from, Point to) const {
    const auto dx = static_cast<float>(to.x - from.x);
    const auto dy = static_cast<float>(to.y - from.y);
    if (!is_multisampled()) {
        const float width = limited(std::nearbyintf(rasterizer_.line_width), 1, kMaxLineWidth);
        const int32_t half = 128 * static_cast<int32_t>(width);
        return std::fabs(dx) >= std::fabs(dy) ? Point{0, half} : Point{half, 0};
    }
    const float length = std::sqrt(std::fma(dx, dx, dy * dy));
    if (length == 0)
        return {0, 0};
    const float k = 128 * limited(rasterizer_.line_width, 1, kMaxLineWidth) / length;
    return {nearest_even(-dy * k), nearest_even(dx * k)};
}

namespace {

/// The pixel of a coordinate (1/256 pixel) that is shifted by an infinitesimal of sign `tie`.
int32_t pixel_with(int32_t coordinate, int tie) {
    const bool at_border = coordinate % 256 == 0;
    return (coordinate >> 8) - (at_border && tie < 0 ? 1 : 0);
}

/// Whether a point lies in the diamond of its pixel: |dx| + |dy| to the centre is less than half a
/// pixel. The point is shifted infinitesimally, by a negative x and a far smaller y of sign
/// `tie_y`.
bool in_diamond(Point p, int tie_y) {
    const int32_t u = p.x - (256 * pixel_with(p.x, -1) + 128);
    const int32_t v = p.y - (256 * pixel_with(p.y, tie_y) + 128);
    const int32_t sum = std::abs(u) + std::abs(v);
    if (sum != 128)
        return sum < 128;
    // On the diamond's edge, the shift in x decides.
    return u > 0;
}

/// Linear interpolation from a (t = 0) to b (t = 1).
float between(float a, float b, float t) {
    return std::fma(t, b - a, a);
}

}  // namespace

LineEnd Rasterizer::line_end(const WindowVertex& a, const WindowVertex& b, bool last) const {
    LineEnd end{last ? b : a, false};
    const int32_t dx = b.x - a.x;
    const int32_t dy = b.y - a.y;
    const bool x_major = std::abs(dx) >= std::abs(dy);
    const int tie_y = rasterizer_.bottom_edge_rule ? 1 : -1;
    // A wide line consists of parallel thin lines; the first of them decides.
    const Point width = line_offset({a.x, a.y}, {b.x, b.y});
    const Point thin = x_major ? Point{end.vertex.x, end.vertex.y - (width.y - 128)}
                               : Point{end.vertex.x - (width.x - 128), end.vertex.y};
    end.in_diamond = in_diamond(thin, tie_y);
    const int32_t place = x_major ? end.vertex.x : end.vertex.y;
    const int tie = x_major ? -1 : tie_y;
    const int32_t center = 256 * pixel_with(place, tie) + 128;
    const int32_t length = x_major ? dx : dy;
    const bool forwards = length >= 0;
    const bool past = place != center ? (place > center) == forwards : (tie > 0) == forwards;
    if (!end.in_diamond || !(past || (last && rasterizer_.line_last_pixel)))
        return end;
    WindowVertex& v = end.vertex;
    (x_major ? v.x : v.y) = center;
    if (length == 0 || center == place)
        return end;
    // Rounds to nearest, halves up.
    const double slope = static_cast<double>(x_major ? dy : dx) / length;
    const int64_t twice = 2 * int64_t{center - place} * (x_major ? dy : dx);
    auto rounded = static_cast<int32_t>(std::floor((center - place) * slope + 0.5));
    while (int64_t{2 * rounded - 1} * std::abs(length) > (forwards ? twice : -twice))
        rounded--;
    while (int64_t{2 * rounded + 1} * std::abs(length) <= (forwards ? twice : -twice))
        rounded++;
    (x_major ? v.y : v.x) += rounded;
    const float t = static_cast<float>(center - (x_major ? a.x : a.y)) / static_cast<float>(length);
    const float q = between(a.q, b.q, t);
    if (!(q > 0))
        return end;
    v.q = q;
    v.z = between(a.z, b.z, t);
    for (size_t i = 0; i < v.outputs.size(); i++)
        for (size_t c = 0; c < 4; c++)
            v.outputs[i][c] =
                as_bits(between(as_float(a.outputs[i][c]), as_float(b.outputs[i][c]), t * b.q / q));
    return end;
}

/// Whether lines and points can be smooth: integer colours have no alpha to multiply, and
/// multisampling has its own coverage.
bool Rasterizer::can_be_smooth() const {
    const auto integers = [](const Attachment& target) {
        return target.texture != nullptr && is_integer(target.format());
    };
    return !is_multisampled() &&
           std::none_of(targets_.color.begin(), targets_.color.end(), integers);
}

/// Whether a point is smooth: not as a sprite, and not if polygon mode also draws smooth lines.
bool Rasterizer::is_smooth_point(const PrimitiveInfo& info) const {
    using raster::PolygonMode;
    const bool lines = info.of_polygon && (rasterizer_.fill_front == PolygonMode::Line ||
                                           rasterizer_.fill_back == PolygonMode::Line);
    return rasterizer_.point_smooth && !rasterizer_.point_sprite && can_be_smooth() &&
           !(rasterizer_.line_smooth && lines);
}

void Rasterizer::smooth_line(const WindowVertex& a,
                             const WindowVertex& b,
                             const PrimitiveInfo& info) {
    const auto dx = static_cast<float>(b.x - a.x);
    const auto dy = static_cast<float>(b.y - a.y);
    const float length = std::sqrt(std::fma(dx, dx, dy * dy));
    if (length == 0)
        return;
    const float width = limited(rasterizer_.line_width, 1, kMaxLineWidth) + 1;
    const float across = 128 * width / length;
    const float along = 128 / length;
    const Point o{nearest_even(-dy * across), nearest_even(dx * across)};
    const Point u{nearest_even(dx * along), nearest_even(dy * along)};
    const float half = width / 2;
    const float far = length / 256 + 0.5F;
    const auto corner = [&](const WindowVertex& end, int outwards, int side) {
        return moved(end, end.x + outwards * u.x + side * o.x, end.y + outwards * u.y + side * o.y);
    };
    fill_quad({corner(a, -1, -1), corner(b, 1, -1), corner(b, 1, 1), corner(a, -1, 1)}, info,
              std::nullopt,
              SmoothPlaces{Smooth::Line,
                           {{{-half, -0.5F, far, half},
                             {-half, far, -0.5F, half},
                             {half, far, -0.5F, half},
                             {half, -0.5F, far, half}}}});
}

bool Rasterizer::pattern_bit(uint32_t counter) const {
    return (rasterizer_.line_stipple_pattern >> counter / rasterizer_.line_stipple_factor % 16 &
            1) != 0;
}

/// Tests the stipple bit of a pixel (docs/rules/raster-rules.md "Stipple").
std::function<bool(Point)> Rasterizer::stippled_polygon() const {
    if (!rasterizer_.polygon_stipple)
        return {};
    return [this](Point point) {
        const uint32_t row = state_.polygon_stipple[static_cast<uint32_t>(point.y >> 8) % 32];
        return (row >> (31 - static_cast<uint32_t>(point.x >> 8) % 32) & 1) != 0;
    };
}

/// Assigns stipple bits to the columns (or rows) whose centres lie between two places, in the
/// direction of the line.
std::function<bool(Point)> Rasterizer::stippled_columns(bool by_row, int32_t from, int32_t to) {
    const bool upper = by_row && rasterizer_.bottom_edge_rule;
    const auto is_between = [&](int32_t center) {
        const auto [low, high] = std::minmax(from, to);
        return upper ? low < center && center <= high : low <= center && center < high;
    };
    int32_t column = std::min(from, to) / 256 - 1;
    std::vector<int32_t> columns;
    for (; 256 * column + 128 <= std::max(from, to); column++)
        if (is_between(256 * column + 128))
            columns.push_back(column);
    const auto first = static_cast<uint32_t>(stipple_);
    stipple_ = (stipple_ + columns.size()) % (16U * rasterizer_.line_stipple_factor);
    if (columns.empty())
        return [](Point) { return false; };
    const int32_t start = from <= to ? columns.front() : columns.back();
    return [this, by_row, first, start](Point point) {
        const int32_t place = (by_row ? point.y : point.x) >> 8;
        return pattern_bit(first + static_cast<uint32_t>(std::abs(place - start)));
    };
}

/// Assigns stipple bits to steps of one pixel along a rectangle.
std::function<bool(Point)> Rasterizer::stippled_rectangle(Point from, Point to) {
    const int64_t dx = to.x - from.x;
    const int64_t dy = to.y - from.y;
    const double length = std::sqrt(static_cast<double>(dx * dx + dy * dy));
    const auto steps = static_cast<int64_t>(std::ceil(length / 256));
    const auto first = static_cast<uint32_t>(stipple_);
    stipple_ = (stipple_ + static_cast<uint64_t>(steps)) % (16U * rasterizer_.line_stipple_factor);
    return [=, this](Point point) {
        const int64_t along = (point.x - from.x) * dx + (point.y - from.y) * dy;
        const double distance = std::floor(static_cast<double>(along) / (256 * length));
        const double step =
            std::clamp(distance, 0.0, static_cast<double>(std::max<int64_t>(steps - 1, 0)));
        return pattern_bit(first + static_cast<uint32_t>(step));
    };
}

void Rasterizer::line(const WindowVertex& a, const WindowVertex& b, PrimitiveInfo info) {
    const bool smooth = rasterizer_.line_smooth && can_be_smooth();
    const bool stippled = rasterizer_.line_stipple;
    if (stippled && (smooth || is_multisampled()))
        info.keeps = stippled_rectangle({a.x, a.y}, {b.x, b.y});
    if (smooth) {
        smooth_line(a, b, info);
        return;
    }
    const Point o = line_offset({a.x, a.y}, {b.x, b.y});
    LineEnd from{a, false};
    LineEnd to{b, false};
    Point start;
    Point stop;
    if (!is_multisampled()) {
        from = line_end(a, b, false);
        to = line_end(a, b, true);
        // In either direction, the line includes its first point and excludes its last.
        const bool x_major = std::abs(b.x - a.x) >= std::abs(b.y - a.y);
        const bool forwards = x_major ? b.x >= a.x : b.y >= a.y;
        const bool ties_up = x_major || !rasterizer_.bottom_edge_rule;
        const int32_t shift = forwards == ties_up ? 0 : (ties_up ? 1 : -1);
        const int32_t more = rasterizer_.line_last_pixel && to.in_diamond ? (forwards ? 1 : -1) : 0;
        start = x_major ? Point{shift, 0} : Point{0, shift};
        stop = x_major ? Point{shift + more, 0} : Point{0, shift + more};
        if (stippled)
            info.keeps = stippled_columns(
                !x_major, x_major ? from.vertex.x + start.x : from.vertex.y + start.y,
                x_major ? to.vertex.x + stop.x : to.vertex.y + stop.y);
    }
    const auto corner = [](const LineEnd& end, Point by, Point side, int sign) {
        return moved(end.vertex, end.vertex.x + by.x + sign * side.x,
                     end.vertex.y + by.y + sign * side.y);
    };
    const std::array<WindowVertex, 4> corners{corner(from, start, o, -1), corner(to, stop, o, -1),
                                              corner(to, stop, o, 1), corner(from, start, o, 1)};
    const auto limited = [&](const WindowVertex& at, const LineEnd& end, Point by, int sign) {
        return at.x != end.vertex.x + by.x + sign * o.x || at.y != end.vertex.y + by.y + sign * o.y;
    };
    const bool whole = !limited(corners[0], from, start, -1) &&
                       !limited(corners[1], to, stop, -1) && !limited(corners[2], to, stop, 1) &&
                       !limited(corners[3], from, start, 1);
    if (whole && !is_multisampled())
        fill_parallelogram(corners, info);
    else
        fill_quad(corners, info, std::nullopt);
}

}  // namespace valkyr::reference
