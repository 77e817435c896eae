// Primitive: describes a primitive between rasterizer and pixel stage.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/setup.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace valkyr::reference {

enum class Smooth : uint8_t { None, Line, Point };

struct Primitive {
    /// The planes of all interpolated values.
    const Triangle* plane = nullptr;
    /// The corners of `plane`, in the order of its constructor.
    std::array<const WindowVertex*, 3> corners{};
    /// Values of flat varyings, by vertex output register.
    const std::vector<Vec4>* provoking = nullptr;
    /// Whether a point belongs to the primitive.
    std::function<bool(Point)> covers;
    /// Bounding box of the covered pixels; half-open.
    raster::Rect bounds;
    bool back_facing = false;
    uint32_t id = 0;
    /// Point coordinate s, t at the corners of `plane`; only points have one.
    bool has_point_coordinate = false;
    std::array<std::array<float, 3>, 2> point_coordinate{};
    /// Values at the corners of `plane`. Smooth lines: distances from the axis and from both ends,
    /// and half the width. Smooth points: place relative to the centre in units of the outer
    /// radius, and the slope.
    Smooth smooth = Smooth::None;
    std::array<std::array<float, 3>, 4> place{};
};

}  // namespace valkyr::reference
