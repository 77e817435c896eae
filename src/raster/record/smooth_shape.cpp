// Smooth shape: determines which primitives of a pipeline are antialiased.
// SPDX-License-Identifier: MIT
#include "raster/record/smooth_shape.hpp"

#include "raster/data/assemble.hpp"

namespace valkyr::raster {

SmoothShape smooth_shape(const PipelineDesc& desc) {
    const RasterizerState& r = desc.rasterizer;
    const auto draws = [&](Shape shape, PolygonMode mode) {
        const Shape drawn = shape_of(desc.primitive);
        return drawn == shape ||
               (drawn == Shape::Triangle && (r.fill_front == mode || r.fill_back == mode));
    };
    if (r.rasterizer_discard)
        return SmoothShape::None;
    if (r.line_smooth && draws(Shape::Line, PolygonMode::Line))
        return SmoothShape::Lines;
    if (r.point_smooth && !r.point_sprite && draws(Shape::Point, PolygonMode::Point))
        return SmoothShape::Points;
    return SmoothShape::None;
}

}  // namespace valkyr::raster
