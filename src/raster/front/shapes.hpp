// Shapes: turns points and lines into quads (docs/rules/raster-rules.md, "Points", "Lines").
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"

#include <array>
#include <optional>

namespace valkyr::raster {

/// Corners 0..3, drawn as the triangles (0, 1, 2) and (0, 2, 3).
using QuadRows = std::array<WindowRow, 4>;

/// The size of a point whose record (exec/abi.hpp) is given, limited to what is provided.
float point_size(const ShapeState& state, const uint8_t* record);

/// The square around a point.
QuadRows point_quad(const WindowRow& center, float size);

/// One end of a line as it is drawn.
struct LineEnd {
    int32_t x = 0;
    int32_t y = 0;
    bool moved = false;
    bool in_diamond = false;
    float t = 0;  ///< its place if it was moved: 0 = first end, 1 = last
};

/// Geometry of a line that decides about its quad.
struct LineShape {
    bool x_major = true;
    bool backwards = false;  ///< towards smaller x, or y
    int32_t dx = 0, dy = 0;  ///< between the ends as they were given
    LineEnd ends[2];
};

/// The ends by the diamond-exit rule; multisampled lines keep theirs.
LineShape line_shape(const ShapeState& state, const WindowRow& from, const WindowRow& to);

/// Ends whose coordinates are at most this far from 0, in 1/256 pixel, are those of lines that the
/// guard band certainly does not limit.
int32_t line_reach(const ShapeState& state);

/// Beginning and end along its major axis of a line that is not a rectangle. Between them lie, up
/// to ties, the centres of its columns (rows, if not x-major).
struct MajorSpan {
    int32_t from = 0;
    int32_t to = 0;
};
MajorSpan major_span(const ShapeState& state, const LineShape& shape);

/// The parallelogram or rectangle of a line. Corners 0 and 3 have the depth and q of `from`, 1 and
/// 2 those of `to`; the places come from the shape.
QuadRows line_quad(const ShapeState& state,
                   const LineShape& shape,
                   const WindowRow& from,
                   const WindowRow& to);

/// The ends of a line that is not a rectangle as a primitive of its own: on the line, at the places
/// of the span along the major axis, with the depth and q of `from` and `to`. Nothing if the guard
/// band limits a corner: then it is two triangles, line_quad().
std::optional<std::array<WindowRow, 2>> whole_line(const ShapeState& state,
                                                   const LineShape& shape,
                                                   const MajorSpan& span,
                                                   const WindowRow& from,
                                                   const WindowRow& to);

/// Pixels of the draw's rectangle that such a line can cover, half-open; nothing if there are none.
std::optional<PixelRect>
line_pixels(const ShapeState& state, bool x_major, const std::array<WindowRow, 2>& ends);

/// A smooth line: a rectangle half a pixel larger on all sides, and what its coverage follows from
/// at the corners: distance from the middle of the line, from its first and its last end, and half
/// of the rectangle's width, all in pixels.
struct SmoothLine {
    QuadRows rows;
    std::array<std::array<float, 4>, 4> coverage{};
};
/// Nothing if the ends are at one place.
std::optional<SmoothLine>
smooth_line(const ShapeState& state, const WindowRow& from, const WindowRow& to);

/// A smooth point: a square half a pixel larger on all sides.
struct SmoothPoint {
    QuadRows rows;
    float slope = 0;  ///< outer radius squared, divided by the size

    /// Numbers at a corner that give the coverage: the corner's place in units of half the square's
    /// side, and the slope.
    [[nodiscard]] std::array<float, 4> corner(size_t i) const;
};
SmoothPoint smooth_point(const WindowRow& center, float size);

}  // namespace valkyr::raster
