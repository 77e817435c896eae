// Vertices to primitives to pixels, in API order.
// SPDX-License-Identifier: MIT
#include "reference/draw.hpp"

#include "base/bits.hpp"
#include "reference/pixel_stage.hpp"
#include "reference/vertex_fetch.hpp"
#include "reference/vertex_stage.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

using raster::CullFace;
using raster::PolygonMode;
using raster::Rect;

Rect intersect(const Rect& a, const Rect& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

/// First pixel whose centre is not left of a window coordinate.
int32_t first_center_from(float edge) {
    return static_cast<int32_t>(std::ceil(std::clamp(edge, -65536.0F, 65536.0F) - 0.5F));
}

/// Pixels that a draw may touch: target, scissor, and for triangles the viewport.
Rect drawable(const raster::DrawState& state,
              const raster::RasterizerState& rasterizer,
              const Targets& targets) {
    Rect rect{0, 0, static_cast<int32_t>(targets.width), static_cast<int32_t>(targets.height)};
    if (rasterizer.scissor)
        rect = intersect(rect, state.scissor);
    const raster::Viewport& v = state.viewport;
    const Rect viewport{first_center_from(v.translate[0] - std::fabs(v.scale[0])),
                        first_center_from(v.translate[1] - std::fabs(v.scale[1])),
                        first_center_from(v.translate[0] + std::fabs(v.scale[0])),
                        first_center_from(v.translate[1] + std::fabs(v.scale[1]))};
    return intersect(rect, viewport);
}

/// Pixels that a window triangle may touch.
Rect bounding_box(std::span<const WindowVertex, 3> corners) {
    const auto [left, right] = std::minmax({corners[0].x, corners[1].x, corners[2].x});
    const auto [top, bottom] = std::minmax({corners[0].y, corners[1].y, corners[2].y});
    return {left >> 8, top >> 8, (right >> 8) + 1, (bottom >> 8) + 1};
}

/// The smallest depth difference that polygon offset counts in (OpenGL 4.6 section 14.6.5).
float depth_unit(exec::Format format, std::span<const WindowVertex, 3> corners) {
    if (!has_depth(format))
        return 0;
    if (row(format).type == exec::ChannelType::Unorm)
        return 1.0F / static_cast<float>(bit_mask(0, row(format).bits[depth_channel(format)]));
    const float largest =
        std::max({std::fabs(corners[0].z), std::fabs(corners[1].z), std::fabs(corners[2].z)});
    return largest == 0 ? 0 : std::ldexp(1.0F, std::ilogb(largest) - 23);
}

float polygon_offset(const raster::RasterizerState& state,
                     exec::Format depth_format,
                     const Triangle& triangle,
                     std::span<const WindowVertex, 3> corners) {
    const float unit = depth_unit(depth_format, corners);
    const float offset =
        std::fma(triangle.depth_slope(), state.offset_scale, unit * state.offset_units);
    if (state.offset_clamp > 0)
        return std::min(offset, state.offset_clamp);
    if (state.offset_clamp < 0)
        return std::max(offset, state.offset_clamp);
    return offset;
}

class Draw {
public:
    Draw(const raster::DrawState& state, const raster::PipelineDesc& pipeline, Targets targets)
        : state_(state)
        , pipeline_(pipeline)
        , rasterizer_(pipeline.rasterizer)
        , targets_(std::move(targets)) {}

    Result<void> run(const raster::DrawInfo& info);

private:
    Result<void> primitive(const Assembled& assembled, const std::vector<const Vertex*>& corners);
    void triangle(std::span<const WindowVertex, 3> corners, const Vertex& provoking, uint32_t id);
    [[nodiscard]] bool culled(bool back_facing) const;

    const raster::DrawState& state_;
    const raster::PipelineDesc& pipeline_;
    const raster::RasterizerState& rasterizer_;
    Targets targets_;
    std::unique_ptr<VertexStage> vertices_;
    std::unique_ptr<PixelStage> pixels_;
    std::vector<ClipPlane> planes_;
};

Result<void> Draw::run(const raster::DrawInfo& info) {
    const auto* vertex = dynamic_cast<const ReferenceShader*>(pipeline_.vertex.get());
    const auto* fragment = dynamic_cast<const ReferenceShader*>(pipeline_.fragment.get());
    VALKYR_TRY(vertices, VertexStage::create(state_, pipeline_, info, vertex->shader));
    vertices_ = std::move(vertices);
    VALKYR_TRY(pixels, PixelStage::create(state_, pipeline_, targets_,
                                          fragment == nullptr ? nullptr : &fragment->shader,
                                          vertices_->outputs()));
    pixels_ = std::move(pixels);
    planes_ = view_planes(state_.viewport, rasterizer_);
    const std::vector<ClipPlane> user = vertices_->user_planes();
    planes_.insert(planes_.end(), user.begin(), user.end());

    const std::vector<std::vector<uint32_t>> streams = vertex_streams(state_, info);
    for (uint32_t instance = 0; instance < info.instance_count; instance++) {
        uint32_t id = 0;
        for (const std::vector<uint32_t>& stream : streams) {
            const std::vector<Assembled> list =
                assemble(pipeline_.primitive, static_cast<uint32_t>(stream.size()),
                         rasterizer_.flat_shade_first, id);
            for (const Assembled& assembled : list) {
                std::vector<const Vertex*> corners;
                for (uint32_t i = 0; i < assembled.corners; i++)
                    corners.push_back(&vertices_->shade(stream[assembled.at[i]], instance));
                VALKYR_TRY_VOID(primitive(assembled, corners));
            }
            if (!list.empty())
                id = list.back().id + 1;
        }
    }
    if (vertices_->error())
        return *vertices_->error();
    if (pixels_->error())
        return *pixels_->error();
    return {};
}

Result<void> Draw::primitive(const Assembled& assembled,
                             const std::vector<const Vertex*>& corners) {
    if (rasterizer_.rasterizer_discard || vertices_->culled_by_distance(corners))
        return {};
    if (corners.size() != 3)
        return Error{Errc::Unsupported, {}, "reference renderer: points and lines"};
    const auto provoking = static_cast<size_t>(
        std::find(assembled.at.begin(), assembled.at.end(), assembled.provoking) -
        assembled.at.begin());
    const std::vector<Vertex> polygon =
        clip_polygon({*corners[0], *corners[1], *corners[2]}, planes_);
    std::vector<WindowVertex> window;
    for (const Vertex& v : polygon) {
        const auto at = to_window(v, state_.viewport, rasterizer_.half_pixel_center);
        if (!at)
            return {};
        window.push_back(*at);
    }
    for (size_t i = 1; i + 1 < window.size(); i++)
        triangle(std::array{window[0], window[i], window[i + 1]}, *corners[provoking],
                 assembled.id);
    return {};
}

bool Draw::culled(bool back_facing) const {
    switch (rasterizer_.cull) {
    case CullFace::None: return false;
    case CullFace::Front: return !back_facing;
    case CullFace::Back: return back_facing;
    case CullFace::FrontAndBack: return true;
    }
    return false;
}

void Draw::triangle(std::span<const WindowVertex, 3> corners,
                    const Vertex& provoking,
                    uint32_t id) {
    const int64_t area = doubled_area(corners[0], corners[1], corners[2]);
    const bool counter_clockwise = area < 0;
    const bool back_facing = counter_clockwise != rasterizer_.front_ccw;
    if (area == 0 || culled(back_facing))
        return;
    Triangle plane(corners, rasterizer_.bottom_edge_rule);
    if (rasterizer_.offset_fill)
        plane.offset_depth(
            polygon_offset(rasterizer_, targets_.depth_stencil.format(), plane, corners));
    Primitive p;
    p.plane = &plane;
    p.corners = {&corners[0], &corners[1], &corners[2]};
    p.provoking = &provoking.outputs;
    p.covers = [&plane](Point point) { return plane.covers(point); };
    p.bounds = intersect(drawable(state_, rasterizer_, targets_), bounding_box(corners));
    p.back_facing = back_facing;
    p.id = id;
    pixels_->draw(p);
}

}  // namespace

Result<void> execute_draw(const raster::DrawState& state, const raster::DrawInfo& info) {
    const auto* pipeline = dynamic_cast<const ReferencePipeline*>(state.pipeline.get());
    if (pipeline == nullptr)
        return Error{Errc::InvalidState, {}, "a draw needs a pipeline of this device"};
    VALKYR_TRY(targets, open_targets(state.framebuffer));
    return Draw(state, pipeline->desc, std::move(targets)).run(info);
}

}  // namespace valkyr::reference
