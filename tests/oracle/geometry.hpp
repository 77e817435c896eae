// Geometry: turns shaded vertices into window primitives (assembly, clipping, viewport, snapping).
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/raster-rules.md "Window space", "Primitive assembly", "Clipping".
#pragma once

#include "raster/device.hpp"
#include "tests/oracle/format.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace valkyr::reference {

/// The results of the vertex shader for one vertex. `outputs` by output register, f32 bits or
/// integers.
struct Vertex {
    std::array<float, 4> position{};
    std::vector<Vec4> outputs;
};

/// A primitive as places in the vertex stream; the first `corners` places are valid.
struct Assembled {
    uint32_t corners = 0;  ///< 1 point, 2 line, 3 triangle
    std::array<uint32_t, 3> at{};
    uint32_t provoking = 0;  ///< place in the stream
    uint32_t id = 0;         ///< primitive ID
    /// Triangles: bit i = the edge from corner i to the next one belongs to the primitive's
    /// outline.
    uint8_t outline = 0b111;
};

/// Cuts a stream of `count` vertices (without restart) into primitives. Incomplete primitives are
/// dropped. `first_id` is the ID of the first primitive.
std::vector<Assembled>
assemble(raster::Primitive kind, uint32_t count, bool first_provokes, uint32_t first_id);

/// Signed distance of a vertex from a clip plane; >= 0 inside.
using ClipPlane = std::function<float(const Vertex&)>;

/// The planes that every primitive is clipped by, in order: near, far, w, guard band.
std::vector<ClipPlane> view_planes(const raster::Viewport& viewport,
                                   const raster::RasterizerState& state);

/// The part of a convex polygon on the inner side of every plane (Sutherland-Hodgman); empty if
/// nothing is left. Every component of a new vertex is FMA(t, o - i, i); for outputs that are
/// `linear` in the window it is FMA(t * w_o / w, o - i, i), if that factor is finite.
std::vector<Vertex> clip_polygon(std::vector<Vertex> polygon,
                                 const std::vector<ClipPlane>& planes,
                                 const std::vector<uint32_t>& linear = {});

/// The part of a line segment on the inner side of every plane: two vertices, or none.
std::vector<Vertex> clip_segment(std::vector<Vertex> segment,
                                 const std::vector<ClipPlane>& planes,
                                 const std::vector<uint32_t>& linear = {});

/// A vertex in window space.
struct WindowVertex {
    int32_t x = 0;  ///< 1/256 pixels, snapped
    int32_t y = 0;
    float z = 0;
    float q = 0;  ///< 1/w
    std::vector<Vec4> outputs;
};

/// Divides by w, applies the viewport and snaps; nothing if a coordinate is NaN.
std::optional<WindowVertex>
to_window(const Vertex& vertex, const raster::Viewport& viewport, bool half_pixel_center);

/// Twice the signed area in units of 1/65536 square pixels; negative: counter-clockwise as seen
/// with row 0 at the top.
int64_t doubled_area(const WindowVertex& a, const WindowVertex& b, const WindowVertex& c);

}  // namespace valkyr::reference
