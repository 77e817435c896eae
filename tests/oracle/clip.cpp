// Clip: clips in clip space and maps to the window (docs/rules/raster-rules.md).
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/oracle/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

constexpr float kGuardBand = 16384;  ///< pixels around the window origin
constexpr float kSmallestW = 0x1p-64F;

/// The vertex on the edge from `in` to `out` at t = d_in / (d_in - d_out).
Vertex cut(const Vertex& in,
           float d_in,
           const Vertex& out,
           float d_out,
           const std::vector<uint32_t>& linear) {
    const float t = d_in / (d_in - d_out);
    const auto between = [](float part, float i, float o) { return std::fma(part, o - i, i); };
    Vertex made = in;
    for (unsigned c = 0; c < 4; c++)
        made.position[c] = between(t, in.position[c], out.position[c]);
    const float in_window = t * out.position[3] / made.position[3];
    for (size_t slot = 0; slot < made.outputs.size(); slot++) {
        const bool is_linear = std::find(linear.begin(), linear.end(), slot) != linear.end();
        const float part = is_linear && std::isfinite(in_window) ? in_window : t;
        for (unsigned c = 0; c < 4; c++)
            made.outputs[slot][c] = as_bits(
                between(part, as_float(in.outputs[slot][c]), as_float(out.outputs[slot][c])));
    }
    return made;
}

std::vector<Vertex> clip_by(const std::vector<Vertex>& polygon,
                            const ClipPlane& plane,
                            const std::vector<uint32_t>& linear) {
    std::vector<Vertex> kept;
    for (size_t i = 0; i < polygon.size(); i++) {
        const Vertex& current = polygon[i];
        const Vertex& next = polygon[(i + 1) % polygon.size()];
        const float d_current = plane(current);
        const float d_next = plane(next);
        const bool current_inside = d_current >= 0;
        const bool next_inside = d_next >= 0;
        if (current_inside)
            kept.push_back(current);
        if (current_inside && !next_inside)
            kept.push_back(cut(current, d_current, next, d_next, linear));
        if (!current_inside && next_inside)
            kept.push_back(cut(next, d_next, current, d_current, linear));
    }
    return kept;
}

/// Distance from the guard band's edge: the window coordinate is scale * v/w + translate.
ClipPlane band_plane(unsigned axis, float sign, const raster::Viewport& viewport) {
    const float scale = sign * viewport.scale[axis];
    const float room = kGuardBand + sign * viewport.translate[axis];
    return [axis, scale, room](const Vertex& v) {
        return std::fma(scale, v.position[axis], room * v.position[3]);
    };
}

int32_t snap(float window) {
    return static_cast<int32_t>(
        std::nearbyintf(256.0F * std::clamp(window, -kGuardBand, kGuardBand)));
}

}  // namespace

std::vector<ClipPlane> view_planes(const raster::Viewport& viewport,
                                   const raster::RasterizerState& state) {
    std::vector<ClipPlane> planes;
    if (state.depth_clip) {
        if (state.clip_halfz)
            planes.emplace_back([](const Vertex& v) { return v.position[2]; });
        else
            planes.emplace_back([](const Vertex& v) { return v.position[2] + v.position[3]; });
        planes.emplace_back([](const Vertex& v) { return v.position[3] - v.position[2]; });
    }
    planes.emplace_back([](const Vertex& v) { return v.position[3] - kSmallestW; });
    for (const unsigned axis : {0U, 1U})
        for (const float sign : {1.0F, -1.0F})
            planes.push_back(band_plane(axis, sign, viewport));
    return planes;
}

std::vector<Vertex> clip_polygon(std::vector<Vertex> polygon,
                                 const std::vector<ClipPlane>& planes,
                                 const std::vector<uint32_t>& linear) {
    for (const ClipPlane& plane : planes) {
        polygon = clip_by(polygon, plane, linear);
        if (polygon.size() < 3)
            return {};
    }
    return polygon;
}

std::vector<Vertex> clip_segment(std::vector<Vertex> segment,
                                 const std::vector<ClipPlane>& planes,
                                 const std::vector<uint32_t>& linear) {
    for (const ClipPlane& plane : planes) {
        const float d[2] = {plane(segment[0]), plane(segment[1])};
        const bool inside[2] = {d[0] >= 0, d[1] >= 0};
        if (!inside[0] && !inside[1])
            return {};
        if (inside[0] && !inside[1])
            segment[1] = cut(segment[0], d[0], segment[1], d[1], linear);
        if (!inside[0] && inside[1])
            segment[0] = cut(segment[1], d[1], segment[0], d[0], linear);
    }
    return segment;
}

std::optional<WindowVertex>
to_window(const Vertex& vertex, const raster::Viewport& viewport, bool half_pixel_center) {
    const float q = 1.0F / vertex.position[3];
    float window[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        window[axis] =
            std::fma(vertex.position[axis] * q, viewport.scale[axis], viewport.translate[axis]);
        if (std::isnan(window[axis]))
            return std::nullopt;
    }
    const float shift = half_pixel_center ? 0.0F : 0.5F;
    return WindowVertex{snap(window[0] + shift), snap(window[1] + shift), window[2], q,
                        vertex.outputs};
}

int64_t doubled_area(const WindowVertex& a, const WindowVertex& b, const WindowVertex& c) {
    const int64_t e1x = int64_t{b.x} - a.x;
    const int64_t e1y = int64_t{b.y} - a.y;
    const int64_t e2x = int64_t{c.x} - a.x;
    const int64_t e2y = int64_t{c.y} - a.y;
    return e1x * e2y - e2x * e1y;
}

}  // namespace valkyr::reference
