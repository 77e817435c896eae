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

/// Returns the size of a point with a given record (exec/abi.hpp), clamped to the supported range.
float point_size(const ShapeState& state, const uint8_t* record);

/// Returns the square around a point.
QuadRows point_quad(const WindowRow& center, float size);

/// One end of a line after the diamond-exit rule.
struct LineEnd {
    int32_t x = 0;
    int32_t y = 0;
    bool moved = false;
    bool in_diamond = false;
    float t = 0;  ///< its place on the line, if it was moved: 0 = first end, 1 = last
};

/// Geometry of a line, from which its quad follows.
struct LineShape {
    bool x_major = true;
    bool backwards = false;  ///< towards smaller x, or y
    int32_t dx = 0, dy = 0;  ///< difference of the ends before the rule
    LineEnd ends[2];
};

/// Applies the diamond-exit rule to the ends; multisampled lines keep theirs.
LineShape line_shape(const ShapeState& state, const WindowRow& from, const WindowRow& to);

/// Returns the largest |coordinate| of ends, in 1/256 pixel, with which no line reaches the guard
/// band.
int32_t line_reach(const ShapeState& state);

/// Beginning and end of a thin line along its major axis. The centres of its columns (rows, if not
/// x-major) lie between them, up to ties.
struct MajorSpan {
    int32_t from = 0;
    int32_t to = 0;
};
MajorSpan major_span(const ShapeState& state, const LineShape& shape);

/// Returns the parallelogram or rectangle of a line. Corners 0 and 3 have the depth and q of
/// `from`, 1 and 2 those of `to`; `shape` gives the positions.
QuadRows line_quad(const ShapeState& state,
                   const LineShape& shape,
                   const WindowRow& from,
                   const WindowRow& to);

/// Returns the ends of a thin line that is drawn as one primitive: on the line, at the places of
/// the span along the major axis, with the depth and q of `from` and `to`. Nothing if a corner
/// reaches the guard band: the line is then two triangles, line_quad().
std::optional<std::array<WindowRow, 2>> whole_line(const ShapeState& state,
                                                   const LineShape& shape,
                                                   const MajorSpan& span,
                                                   const WindowRow& from,
                                                   const WindowRow& to);

/// Returns the pixels of the draw's rectangle that such a line can cover, half-open, or nothing.
std::optional<PixelRect>
line_pixels(const ShapeState& state, bool x_major, const std::array<WindowRow, 2>& ends);

/// A smooth line: a rectangle half a pixel larger on all sides, and the inputs of its coverage at
/// the corners: distances from the middle of the line, from its first and from its last end, and
/// half the rectangle's width, all in pixels.
struct SmoothLine {
    QuadRows rows;
    std::array<std::array<float, 4>, 4> coverage{};
};
/// Returns the smooth line, or nothing if both ends are at one place.
std::optional<SmoothLine>
smooth_line(const ShapeState& state, const WindowRow& from, const WindowRow& to);

/// A smooth point: a square half a pixel larger on all sides.
struct SmoothPoint {
    QuadRows rows;
    float slope = 0;  ///< outer radius squared, divided by the size

    /// Returns the inputs of coverage at a corner: the corner's place in units of half the square's
    /// side, and the slope.
    [[nodiscard]] std::array<float, 4> corner(size_t i) const;
};
SmoothPoint smooth_point(const WindowRow& center, float size);

}  // namespace valkyr::raster
