// Setup: computes exact coverage and interpolation of a window triangle.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/raster-rules.md "Triangles"; docs/rules/isa-notes.md "Interpolation".
#pragma once

#include "tests/oracle/geometry.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace valkyr::reference {

/// A point of the window in 1/256 pixels.
struct Point {
    int32_t x = 0;
    int32_t y = 0;
};

/// Sample `s` of `count` in pixel (px, py); count 1 gives the centre.
Point sample_point(int32_t px, int32_t py, unsigned s, unsigned count);

/// A triangle set up for interpolation. Its corners are ordered a, b, c; a is the anchor.
class Triangle {
public:
    /// The corners must not be collinear.
    explicit Triangle(std::span<const WindowVertex, 3> corners, bool bottom_edge_rule);

    /// Exact coverage: edge functions in 128-bit integers, ties by the top-left (or bottom-left)
    /// rule.
    [[nodiscard]] bool covers(Point p) const;

    /// The constructor's index of corner a, b or c (0..2).
    [[nodiscard]] unsigned corner(unsigned abc) const { return order_[abc]; }

    /// Interpolates linearly in the window. `values` belong to the constructor's corners.
    [[nodiscard]] float linear(std::array<float, 3> values, Point p) const;
    /// Interpolates with perspective.
    [[nodiscard]] float perspective(std::array<float, 3> values, Point p) const;

    [[nodiscard]] float q(Point p) const { return linear(q_, p); }

    /// Adds polygon offset to depth (see depth_offset()).
    void offset_depth(float amount) { z_offset_ = amount; }
    [[nodiscard]] float z(Point p) const;
    /// The larger of |dz/dx| and |dz/dy|.
    [[nodiscard]] float depth_slope() const;

private:
    struct Gradient {
        float x;
        float y;
    };
    [[nodiscard]] Gradient gradient(float d1, float d2) const;
    [[nodiscard]] float dx(Point p) const;
    [[nodiscard]] float dy(Point p) const;
    [[nodiscard]] float at(float anchor_value, Gradient g, Point p) const;

    std::array<Point, 3> corners_;  ///< in the constructor's order
    std::array<unsigned, 3> order_;
    std::array<float, 3> z_;
    std::array<float, 3> q_;
    float e1x_, e1y_, e2x_, e2y_;
    float r_;  ///< 1 / area
    float z_offset_ = 0;
    bool bottom_edge_rule_;
};

}  // namespace valkyr::reference
