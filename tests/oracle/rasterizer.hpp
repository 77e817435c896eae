// Rasterizer: turns window primitives into triangles (facing, culling, polygon offset).
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/raster-rules.md "Triangles", "Polygon offset", "Points", "Lines", "Stipple".
#pragma once

#include "tests/oracle/pixel_stage.hpp"

#include <functional>
#include <optional>
#include <span>

namespace valkyr::reference {

using WindowTriangle = std::span<const WindowVertex, 3>;

/// Properties of a primitive apart from its vertices.
struct PrimitiveInfo {
    const std::vector<Vec4>* provoking = nullptr;  ///< flat values
    uint32_t id = 0;
    bool back_facing = false;  ///< for lines and points of polygon mode; triangles compute it
    float depth_offset = 0;    ///< for lines and points of polygon mode
    bool of_polygon = false;   ///< points and lines of polygon mode
    /// Whether stipple keeps a point; empty: it keeps all.
    std::function<bool(Point)> keeps;
};

/// Values at the corners of a smooth line or point, linear between them.
struct SmoothPlaces {
    Smooth smooth;
    std::array<std::array<float, 4>, 4> corners;
};

/// The drawn end of a line (docs/rules/raster-rules.md "Lines").
struct LineEnd {
    WindowVertex vertex;
    bool in_diamond = false;
};

class Rasterizer {
public:
    Rasterizer(const raster::DrawState& state,
               const raster::RasterizerState& rasterizer,
               const Targets& targets,
               PixelStage& pixels)
        : state_(state)
        , rasterizer_(rasterizer)
        , targets_(targets)
        , pixels_(pixels) {}

    /// Fills a triangle unless it is culled or has no area.
    void triangle(WindowTriangle corners, PrimitiveInfo info);
    void line(const WindowVertex& a, const WindowVertex& b, PrimitiveInfo info);
    /// `size` in pixels, before clamping.
    void point(const WindowVertex& at, float size, const PrimitiveInfo& info);

    /// Restarts the stipple for a new line, strip or polygon.
    void restart_stipple() { stipple_ = 0; }

    [[nodiscard]] bool is_back_facing(int64_t doubled_area) const;
    [[nodiscard]] bool is_culled(bool back_facing) const;
    /// The polygon offset of a triangle with an area.
    [[nodiscard]] float polygon_offset(WindowTriangle corners) const;

private:
    [[nodiscard]] bool is_multisampled() const {
        return rasterizer_.multisample && targets_.samples > 1;
    }
    [[nodiscard]] raster::Rect pixels_of(WindowTriangle corners, bool within_viewport) const;
    [[nodiscard]] float depth_unit(WindowTriangle corners) const;
    [[nodiscard]] Point line_offset(Point from, Point to) const;
    [[nodiscard]] LineEnd line_end(const WindowVertex& a, const WindowVertex& b, bool last) const;
    void
    fill(WindowTriangle corners, Primitive primitive, float depth_offset, bool within_viewport);
    void fill_quad(const std::array<WindowVertex, 4>& corners,
                   const PrimitiveInfo& info,
                   const std::optional<std::array<std::array<float, 2>, 4>>& point_coordinates,
                   const std::optional<SmoothPlaces>& smooth = {});
    /// Fills a parallelogram with the planes of the triangle of its first three corners.
    void fill_parallelogram(const std::array<WindowVertex, 4>& corners, const PrimitiveInfo& info);
    [[nodiscard]] bool can_be_smooth() const;
    [[nodiscard]] bool is_smooth_point(const PrimitiveInfo& info) const;
    [[nodiscard]] bool pattern_bit(uint32_t counter) const;
    [[nodiscard]] std::function<bool(Point)> stippled_polygon() const;
    std::function<bool(Point)> stippled_columns(bool by_row, int32_t from, int32_t to);
    std::function<bool(Point)> stippled_rectangle(Point from, Point to);
    void smooth_line(const WindowVertex& a, const WindowVertex& b, const PrimitiveInfo& info);

    const raster::DrawState& state_;
    const raster::RasterizerState& rasterizer_;
    const Targets& targets_;
    PixelStage& pixels_;
    uint64_t stipple_ = 0;  ///< pixels of the earlier lines of the chain
};

}  // namespace valkyr::reference
