// Shapes: turns points and lines into quads.
// SPDX-License-Identifier: MIT
#include "raster/front/shapes.hpp"

#include "exec/vertex_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace valkyr::raster {
namespace {

constexpr int32_t kBand = static_cast<int32_t>(kGuardBand) * kSubpixels;

/// Clamps a coordinate to the guard band.
int32_t banded(int32_t c) {
    return std::clamp(c, -kBand, kBand);
}

struct Offset {
    int32_t x = 0;
    int32_t y = 0;
};

WindowRow moved(const WindowRow& row, int32_t dx, int32_t dy) {
    return {banded(row.x + dx), banded(row.y + dy), row.z, row.q};
}

int32_t half_size(float size) {
    return static_cast<int32_t>(std::rint(size * (kSubpixels / 2)));
}

/// Returns half the width of a multisampled line, as a vector perpendicular to it.
Offset across_rectangle(float width, int32_t dx, int32_t dy) {
    const auto x = static_cast<float>(dx);
    const auto y = static_cast<float>(dy);
    const float length = std::sqrt(std::fma(x, x, y * y));
    if (!(length > 0))
        return {};
    const float k = static_cast<float>(kSubpixels / 2) * width / length;
    return {static_cast<int32_t>(std::rint(-y * k)), static_cast<int32_t>(std::rint(x * k))};
}

/// Returns the shift of both ends along the major axis that makes the line contain its first point
/// and not its last.
int32_t end_shift(int32_t direction, bool ties_to_larger) {
    if (ties_to_larger)
        return direction > 0 ? -1 : 0;
    return direction < 0 ? 1 : 0;
}

/// Returns a / b rounded to the nearest integer, halves up; b is not 0.
int32_t nearest_quotient(int64_t a, int64_t b) {
    if (b < 0) {
        a = -a;
        b = -b;
    }
    const int64_t n = 2 * a + b;
    const int64_t d = 2 * b;
    return static_cast<int32_t>(n / d - (n % d < 0 ? 1 : 0));
}

/// A coordinate relative to its pixel's diamond, in 1/1024 pixel: the pixel's centre and the
/// distance from it.
struct Cell {
    int32_t center;
    int32_t distance;
};
Cell cell_of(int32_t quarter_steps) {
    const int32_t center = (quarter_steps >> 10) * 1024 + 512;
    return {center, quarter_steps - center};
}

/// Moves an end that lies in the diamond of a pixel to that pixel's centre line, if it is past the
/// line (or always, for the last end with line_last_pixel).
void place_end(const ShapeState& state, const LineShape& shape, bool is_last, LineEnd& end) {
    const bool always = is_last && state.line_last_pixel;
    // Ties are broken by shifting by (-e, -e^2), or (-e, e^2): so no point lies on a diamond's
    // edge.
    const int32_t wide = 512 * (static_cast<int32_t>(state.line_width) - 1);
    int32_t x = 4 * end.x - 2;
    int32_t y = 4 * end.y + (state.bottom_edge_rule ? 1 : -1);
    (shape.x_major ? y : x) -= wide;
    const Cell cx = cell_of(x);
    const Cell cy = cell_of(y);
    end.in_diamond = std::abs(cx.distance) + std::abs(cy.distance) < 512;
    const Cell& major = shape.x_major ? cx : cy;
    const bool past = (shape.backwards ? -major.distance : major.distance) > 0;
    if (!end.in_diamond || !(past || always))
        return;
    const int32_t length = shape.x_major ? shape.dx : shape.dy;
    int32_t& along = shape.x_major ? end.x : end.y;
    int32_t& across = shape.x_major ? end.y : end.x;
    const int32_t step = major.center / 4 - along;
    along += step;
    if (length == 0 || step == 0)
        return;
    across += nearest_quotient(int64_t{step} * (shape.x_major ? shape.dy : shape.dx), length);
    end.moved = true;
    end.t = static_cast<float>((is_last ? length : 0) + step) / static_cast<float>(length);
}

}  // namespace

float point_size(const ShapeState& state, const uint8_t* record) {
    float size = state.point_size;
    if (state.point_size_per_vertex)
        std::memcpy(&size, record + offsetof(exec::VertexRecord, point_size), sizeof(size));
    if (state.whole_point_size)
        size = std::rint(size);
    return size > kMinimumPointSize ? std::fmin(size, kMaximumPointSize) : kMinimumPointSize;
}

QuadRows point_quad(const WindowRow& center, float size) {
    const int32_t h = half_size(size);
    const int32_t x0 = banded(center.x - h);
    const int32_t y0 = banded(center.y - h);
    const int32_t x1 = banded(center.x + h);
    const int32_t y1 = banded(center.y + h);
    const auto corner = [&](int32_t x, int32_t y) { return WindowRow{x, y, center.z, center.q}; };
    return {corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)};
}

LineShape line_shape(const ShapeState& state, const WindowRow& from, const WindowRow& to) {
    LineShape shape;
    shape.dx = to.x - from.x;
    shape.dy = to.y - from.y;
    shape.x_major = std::abs(shape.dx) >= std::abs(shape.dy);
    shape.backwards = (shape.x_major ? shape.dx : shape.dy) < 0;
    shape.ends[0] = {from.x, from.y};
    shape.ends[1] = {to.x, to.y};
    if (state.rectangular_lines)
        return shape;
    place_end(state, shape, false, shape.ends[0]);
    place_end(state, shape, true, shape.ends[1]);
    return shape;
}

int32_t line_reach(const ShapeState& state) {
    // A corner lies half the width, rounded up, from an end, and an end moves by less than two
    // pixels.
    const int32_t margin = static_cast<int32_t>(state.line_width) / 2 + 1 + 2;
    return (static_cast<int32_t>(kGuardBand) - margin) * kSubpixels;
}

MajorSpan major_span(const ShapeState& state, const LineShape& shape) {
    const auto& [first, last] = shape.ends;
    // Ties in x belong to the smaller x; ties in y to the smaller row, unless the bottom rule
    // holds.
    const int32_t shift =
        end_shift(shape.backwards ? -1 : 1, !shape.x_major && state.bottom_edge_rule);
    const int32_t outwards = shape.backwards ? -1 : 1;
    const int32_t end = shift + (state.line_last_pixel && last.in_diamond ? outwards : 0);
    return shape.x_major ? MajorSpan{first.x + shift, last.x + end}
                         : MajorSpan{first.y + shift, last.y + end};
}

QuadRows line_quad(const ShapeState& state,
                   const LineShape& shape,
                   const WindowRow& from,
                   const WindowRow& to) {
    const auto corner = [](const WindowRow& row, const LineEnd& end, int32_t x, int32_t y) {
        return moved({end.x, end.y, row.z, row.q}, x, y);
    };
    const auto& [first, last] = shape.ends;
    if (state.rectangular_lines) {
        const Offset o = across_rectangle(state.line_width, shape.dx, shape.dy);
        return {corner(from, first, -o.x, -o.y), corner(to, last, -o.x, -o.y),
                corner(to, last, o.x, o.y), corner(from, first, o.x, o.y)};
    }
    const int32_t h = half_size(state.line_width);
    const MajorSpan span = major_span(state, shape);
    if (shape.x_major) {
        const int32_t start = span.from - first.x;
        const int32_t end = span.to - last.x;
        return {corner(from, first, start, -h), corner(to, last, end, -h), corner(to, last, end, h),
                corner(from, first, start, h)};
    }
    const int32_t start = span.from - first.y;
    const int32_t end = span.to - last.y;
    return {corner(from, first, -h, start), corner(to, last, -h, end), corner(to, last, h, end),
            corner(from, first, h, start)};
}

std::optional<std::array<WindowRow, 2>> whole_line(const ShapeState& state,
                                                   const LineShape& shape,
                                                   const MajorSpan& span,
                                                   const WindowRow& from,
                                                   const WindowRow& to) {
    const auto& [first, last] = shape.ends;
    const int32_t across = kBand - half_size(state.line_width);
    const auto fits = [&](int32_t major, int32_t minor) {
        return std::abs(major) <= kBand && std::abs(minor) <= across;
    };
    if (shape.x_major) {
        if (!fits(span.from, first.y) || !fits(span.to, last.y))
            return std::nullopt;
        return {{{{span.from, first.y, from.z, from.q}, {span.to, last.y, to.z, to.q}}}};
    }
    if (!fits(span.from, first.x) || !fits(span.to, last.x))
        return std::nullopt;
    return {{{{first.x, span.from, from.z, from.q}, {last.x, span.to, to.z, to.q}}}};
}

std::optional<PixelRect>
line_pixels(const ShapeState& state, bool x_major, const std::array<WindowRow, 2>& ends) {
    struct Range {
        int32_t first;
        int32_t end;
    };
    // Along the major axis, centres on the lower side are inside, and centres on the upper side if
    // `owns`; across it, every pixel that an edge may cover is included.
    const int32_t half = half_size(state.line_width);
    const auto range = [&](int32_t a, int32_t b, bool is_major, bool owns, int32_t from,
                           int32_t to) {
        const auto [low, high] = std::minmax(a, b);
        const int32_t out = is_major ? 0 : half;
        const int32_t lower = is_major && owns ? 128 : 127;
        const int32_t upper = is_major && !owns ? 129 : 128;
        return Range{std::max((low - out + lower) >> kSubpixelBits, from),
                     std::min((high + out - upper) >> kSubpixelBits, to - 1) + 1};
    };
    const auto& [a, b] = ends;
    const Range x = range(a.x, b.x, x_major, false, state.rect.x0, state.rect.x1);
    const Range y = range(a.y, b.y, !x_major, state.bottom_edge_rule, state.rect.y0, state.rect.y1);
    if (x.first >= x.end || y.first >= y.end)
        return std::nullopt;
    return PixelRect{x.first, y.first, x.end, y.end};
}

std::optional<SmoothLine>
smooth_line(const ShapeState& state, const WindowRow& from, const WindowRow& to) {
    const auto dx = static_cast<float>(to.x - from.x);
    const auto dy = static_cast<float>(to.y - from.y);
    const float length = std::sqrt(std::fma(dx, dx, dy * dy));
    if (!(length > 0))
        return std::nullopt;
    constexpr float kHalf = kSubpixels / 2;
    const Offset o = across_rectangle(state.line_width + 1, to.x - from.x, to.y - from.y);
    const float k = kHalf / length;
    const Offset u{static_cast<int32_t>(std::rint(dx * k)),
                   static_cast<int32_t>(std::rint(dy * k))};
    const float reach = (state.line_width + 1) * 0.5F;
    const float past = length * (1.0F / kSubpixels) + 0.5F;
    SmoothLine line;
    line.rows = {moved(from, -u.x - o.x, -u.y - o.y), moved(to, u.x - o.x, u.y - o.y),
                 moved(to, u.x + o.x, u.y + o.y), moved(from, -u.x + o.x, -u.y + o.y)};
    line.coverage = {{{-reach, -0.5F, past, reach},
                      {-reach, past, -0.5F, reach},
                      {reach, past, -0.5F, reach},
                      {reach, -0.5F, past, reach}}};
    return line;
}

std::array<float, 4> SmoothPoint::corner(size_t i) const {
    return {i == 0 || i == 3 ? -1.0F : 1.0F, i < 2 ? -1.0F : 1.0F, slope, 1};
}

SmoothPoint smooth_point(const WindowRow& center, float size) {
    const float radius = size * 0.5F + 0.5F;
    return {point_quad(center, 2 * radius), radius * radius / size};
}

}  // namespace valkyr::raster
