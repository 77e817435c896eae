// Draw: executes one draw call, from vertices through primitives to pixels, in API order.
// SPDX-License-Identifier: MIT
#include "tests/oracle/draw.hpp"

#include "base/bits.hpp"
#include "tests/oracle/geometry_stage.hpp"
#include "tests/oracle/rasterizer.hpp"
#include "tests/oracle/stream_output.hpp"
#include "tests/oracle/tessellation_stage.hpp"
#include "tests/oracle/vertex_fetch.hpp"
#include "tests/oracle/vertex_stage.hpp"

#include <algorithm>

namespace valkyr::reference {
namespace {

using raster::PolygonMode;

using Corners = std::vector<const Vertex*>;

/// The stipple of a chain of lines restarts after so many primitives.
constexpr size_t kStippleChain = 65536;

Corners corners_of(const EmittedPrimitive& primitive) {
    Corners corners;
    for (const Vertex& vertex : primitive.corners)
        corners.push_back(&vertex);
    return corners;
}

class Draw {
public:
    Draw(const raster::DrawState& state,
         const ReferencePipeline& pipeline,
         const raster::DrawInfo& info,
         Targets targets)
        : info_(info)
        , state_(state)
        , pipeline_(pipeline.desc)
        , rasterizer_state_(pipeline.desc.rasterizer)
        , targets_(std::move(targets)) {}

    Result<void> run();

private:
    Result<void> prepare();
    [[nodiscard]] Result<void> outcome() const;
    void select(const std::vector<Vec4>& provoking);
    void set_planes();
    [[nodiscard]] uint32_t chosen(const std::vector<Vec4>& provoking,
                                  tgsi::Semantic semantic) const;
    void shade(const std::vector<uint32_t>& vertices, uint32_t instance);
    void stream(const std::vector<uint32_t>& vertices, uint32_t instance, uint32_t& next_id);
    [[nodiscard]] std::vector<InputPrimitive> inputs(const std::vector<uint32_t>& vertices,
                                                     uint32_t first_id) const;
    void expand(const std::vector<uint32_t>& vertices, uint32_t instance, uint32_t& next_id);
    void geometry(const Corners& vertices, uint32_t id);
    void made(const EmittedPrimitive& primitive);
    void primitive(const Assembled& assembled, const Corners& corners);
    void point(const Vertex& at, float size, const PrimitiveInfo& info);
    void line(const Vertex& a, const Vertex& b, const PrimitiveInfo& info);
    void triangle(const Assembled& assembled, const Corners& corners, const PrimitiveInfo& info);
    void outline(const Assembled& assembled,
                 const Corners& corners,
                 PolygonMode mode,
                 const PrimitiveInfo& info);
    [[nodiscard]] bool begins_edge(const Vertex& at) const;
    [[nodiscard]] float point_size(const Vertex& at) const;
    [[nodiscard]] std::optional<WindowVertex> window(const Vertex& vertex) const {
        return to_window(vertex, state_.viewport, rasterizer_state_.half_pixel_center);
    }
    [[nodiscard]] std::vector<WindowVertex> windows(const std::vector<Vertex>& polygon) const;

    const raster::DrawInfo& info_;
    raster::DrawState state_;  ///< with the current primitive's viewport and scissor
    const raster::PipelineDesc& pipeline_;
    const raster::RasterizerState& rasterizer_state_;
    Targets targets_;
    std::unique_ptr<VertexStage> vertices_;
    std::unique_ptr<TessellationStage> tessellation_;  ///< null: none
    std::unique_ptr<GeometryStage> geometry_;          ///< null: none
    const VertexOutputs* outputs_ = nullptr;           ///< of the last vertex processing stage
    std::optional<StreamOutput> captured_;             ///< nothing: no outputs are captured
    std::unique_ptr<PixelStage> pixels_;
    std::unique_ptr<Rasterizer> rasterizer_;
    std::vector<ClipPlane> planes_;
    std::vector<uint32_t> linear_;      ///< vertex outputs without perspective
    std::optional<uint32_t> outlined_;  ///< the polygon whose outline the stipple continues
};

Result<void> Draw::prepare() {
    const auto* vertex = dynamic_cast<const ReferenceShader*>(pipeline_.vertex.get());
    const auto* fragment = dynamic_cast<const ReferenceShader*>(pipeline_.fragment.get());
    VALKYR_TRY(vertices, VertexStage::create(state_, pipeline_, info_, vertex->shader));
    vertices_ = std::move(vertices);
    outputs_ = &vertices_->outputs();
    if (pipeline_.tess_evaluation != nullptr) {
        VALKYR_TRY(stage, TessellationStage::create(state_, pipeline_, outputs_->ports()));
        tessellation_ = std::move(stage);
        outputs_ = &tessellation_->outputs();
    }
    if (const auto* shader = dynamic_cast<const ReferenceShader*>(pipeline_.geometry.get())) {
        VALKYR_TRY(stage,
                   GeometryStage::create(state_, pipeline_, shader->shader, outputs_->ports()));
        geometry_ = std::move(stage);
        outputs_ = &geometry_->outputs();
    }
    VALKYR_TRY(pixels, PixelStage::create(state_, pipeline_, targets_,
                                          fragment == nullptr ? nullptr : &fragment->shader,
                                          outputs_->ports()));
    pixels_ = std::move(pixels);
    if (fragment != nullptr)
        linear_ = linear_outputs(outputs_->ports(), ports(fragment->shader, tgsi::File::Input));
    if (!pipeline_.stream_output.elements.empty()) {
        VALKYR_TRY(captured,
                   StreamOutput::create(pipeline_.stream_output, register_count(outputs_->ports()),
                                        state_.stream_targets));
        captured_ = captured;
    }
    rasterizer_ = std::make_unique<Rasterizer>(state_, rasterizer_state_, targets_, *pixels_);
    set_planes();
    return {};
}

void Draw::set_planes() {
    planes_ = view_planes(state_.viewport, rasterizer_state_);
    const std::vector<ClipPlane> user = outputs_->user_planes(state_, rasterizer_state_);
    planes_.insert(planes_.end(), user.begin(), user.end());
}

/// The layer or viewport index of the provoking vertex: 16 bits; 0 if the shader writes none.
uint32_t Draw::chosen(const std::vector<Vec4>& provoking, tgsi::Semantic semantic) const {
    const std::optional<uint32_t> reg = find_port(outputs_->ports(), semantic, 0);
    return reg ? provoking[*reg][0] & 0xFFFF : 0;
}

/// Selects layer and viewport (docs/rules/raster-rules.md "Layers and viewports").
void Draw::select(const std::vector<Vec4>& provoking) {
    const uint32_t layer = chosen(provoking, tgsi::Semantic::Layer);
    targets_.select(std::min(layer, targets_.layers - 1));
    if (state_.viewport_array.empty())
        return;
    const uint32_t wanted = chosen(provoking, tgsi::Semantic::ViewportIndex);
    const uint32_t viewport = wanted < state_.viewport_array.size() ? wanted : 0;
    state_.viewport = state_.viewport_array[viewport];
    state_.scissor = state_.scissor_array[viewport];
    set_planes();
}

Result<void> Draw::run() {
    VALKYR_TRY_VOID(prepare());
    const std::vector<std::vector<uint32_t>> streams = vertex_streams(state_, info_);
    const bool expands = geometry_ || tessellation_;
    // All vertices are shaded before all fragments, since both stages may write to memory that the
    // other reads.
    for (uint32_t instance = 0; instance < info_.instance_count; instance++)
        for (const std::vector<uint32_t>& vertices : streams)
            shade(vertices, instance);
    for (uint32_t instance = 0; instance < info_.instance_count; instance++) {
        uint32_t next_id = 0;
        for (const std::vector<uint32_t>& vertices : streams)
            expands ? expand(vertices, instance, next_id) : stream(vertices, instance, next_id);
    }
    return outcome();
}

/// The first error of a stage.
Result<void> Draw::outcome() const {
    if (tessellation_ && tessellation_->error())
        return *tessellation_->error();
    if (geometry_ && geometry_->error())
        return *geometry_->error();
    if (vertices_->error())
        return *vertices_->error();
    if (pixels_->error())
        return *pixels_->error();
    return {};
}

std::vector<InputPrimitive> Draw::inputs(const std::vector<uint32_t>& vertices,
                                         uint32_t first_id) const {
    return input_primitives(pipeline_.primitive, static_cast<uint32_t>(vertices.size()),
                            rasterizer_state_.flat_shade_first, first_id, info_.patch_vertices);
}

/// Shades every vertex that belongs to a primitive.
void Draw::shade(const std::vector<uint32_t>& vertices, uint32_t instance) {
    for (const InputPrimitive& primitive : inputs(vertices, 0))
        for (const uint32_t place : primitive.at)
            vertices_->shade(vertices[place], instance);
}

/// Runs tessellation and geometry shaders on a vertex stream.
void Draw::expand(const std::vector<uint32_t>& vertices, uint32_t instance, uint32_t& next_id) {
    for (const InputPrimitive& input : inputs(vertices, next_id)) {
        Corners taken;
        for (const uint32_t place : input.at)
            taken.push_back(&vertices_->shade(vertices[place], instance));
        next_id = input.id + 1;
        if (!tessellation_) {
            geometry(taken, input.id);
            continue;
        }
        for (const EmittedPrimitive& primitive : tessellation_->run(taken, input.id)) {
            if (geometry_)
                geometry(corners_of(primitive), primitive.id);
            else
                made(primitive);
        }
    }
}

void Draw::geometry(const Corners& vertices, uint32_t id) {
    for (const EmittedPrimitive& emitted : geometry_->run(vertices, id))
        made(emitted);
}

/// Captures and draws what a geometry shader or the tessellator has made.
void Draw::made(const EmittedPrimitive& emitted) {
    Corners corners = corners_of(emitted);
    if (captured_)
        captured_->capture(corners, emitted.stream);
    if (emitted.stream != 0)
        return;
    if (emitted.begins_strip)
        rasterizer_->restart_stipple();
    outlined_.reset();  // each triangle is a polygon of its own
    Assembled assembled;
    assembled.corners = static_cast<uint32_t>(emitted.corners.size());
    std::rotate(corners.begin(), corners.begin() + emitted.first_drawn, corners.end());
    assembled.at = {0, 1, 2};
    assembled.provoking =
        (emitted.provoking + assembled.corners - emitted.first_drawn) % assembled.corners;
    assembled.id = emitted.id;
    primitive(assembled, corners);
}

void Draw::stream(const std::vector<uint32_t>& vertices, uint32_t instance, uint32_t& next_id) {
    const std::vector<Assembled> list =
        assemble(pipeline_.primitive, static_cast<uint32_t>(vertices.size()),
                 rasterizer_state_.flat_shade_first, next_id);
    const bool apart = pipeline_.primitive == raster::Primitive::Lines ||
                       pipeline_.primitive == raster::Primitive::LinesAdjacency;
    for (size_t n = 0; n < list.size(); n++) {
        const Assembled& assembled = list[n];
        if (apart || n % kStippleChain == 0) {
            rasterizer_->restart_stipple();
            outlined_.reset();
        }
        Corners corners;
        for (uint32_t i = 0; i < assembled.corners; i++)
            corners.push_back(&vertices_->shade(vertices[assembled.at[i]], instance));
        if (captured_)
            captured_->capture(corners, 0);
        primitive(assembled, corners);
        next_id = assembled.id + 1;
    }
}

void Draw::primitive(const Assembled& assembled, const Corners& corners) {
    if (rasterizer_state_.rasterizer_discard || outputs_->culled_by_distance(corners))
        return;
    const auto provoking = static_cast<size_t>(
        std::find(assembled.at.begin(), assembled.at.end(), assembled.provoking) -
        assembled.at.begin());
    PrimitiveInfo info;
    info.provoking = &corners[provoking]->outputs;
    select(*info.provoking);
    info.id = assembled.id;
    switch (assembled.corners) {
    case 1: point(*corners[0], point_size(*corners[0]), info); break;
    case 2: line(*corners[0], *corners[1], info); break;
    default: triangle(assembled, corners, info); break;
    }
}

float Draw::point_size(const Vertex& at) const {
    if (!rasterizer_state_.point_size_per_vertex)
        return rasterizer_state_.point_size;
    return outputs_->point_size(at.outputs).value_or(rasterizer_state_.point_size);
}

void Draw::point(const Vertex& at, float size, const PrimitiveInfo& info) {
    const bool inside = std::all_of(planes_.begin(), planes_.end(),
                                    [&](const ClipPlane& plane) { return plane(at) >= 0; });
    const std::optional<WindowVertex> place = window(at);
    if (inside && place)
        rasterizer_->point(*place, size, info);
}

void Draw::line(const Vertex& a, const Vertex& b, const PrimitiveInfo& info) {
    const std::vector<WindowVertex> ends = windows(clip_segment({a, b}, planes_, linear_));
    if (ends.size() == 2)
        rasterizer_->line(ends[0], ends[1], info);
}

/// The window vertices of a polygon; empty if one has a NaN coordinate.
std::vector<WindowVertex> Draw::windows(const std::vector<Vertex>& polygon) const {
    std::vector<WindowVertex> list;
    for (const Vertex& vertex : polygon) {
        const std::optional<WindowVertex> place = window(vertex);
        if (!place)
            return {};
        list.push_back(*place);
    }
    return list;
}

void Draw::triangle(const Assembled& assembled, const Corners& corners, const PrimitiveInfo& info) {
    const std::vector<WindowVertex> polygon =
        windows(clip_polygon({*corners[0], *corners[1], *corners[2]}, planes_, linear_));
    int64_t area = 0;
    for (size_t i = 1; i + 1 < polygon.size(); i++)
        area += doubled_area(polygon[0], polygon[i], polygon[i + 1]);
    const bool back_facing = rasterizer_->is_back_facing(area);
    const PolygonMode mode =
        back_facing ? rasterizer_state_.fill_back : rasterizer_state_.fill_front;
    if (mode != PolygonMode::Fill) {
        if (area == 0 || rasterizer_->is_culled(back_facing))
            return;
        PrimitiveInfo edge = info;
        edge.back_facing = back_facing;
        edge.of_polygon = true;
        const bool offset = mode == PolygonMode::Line ? rasterizer_state_.offset_line
                                                      : rasterizer_state_.offset_point;
        for (size_t i = 1; i + 1 < polygon.size() && offset; i++) {
            const std::array part{polygon[0], polygon[i], polygon[i + 1]};
            if (doubled_area(part[0], part[1], part[2]) == 0)
                continue;
            edge.depth_offset = rasterizer_->polygon_offset(part);
            break;
        }
        outline(assembled, corners, mode, edge);
        return;
    }
    for (size_t i = 1; i + 1 < polygon.size(); i++)
        rasterizer_->triangle(std::array{polygon[0], polygon[i], polygon[i + 1]}, info);
}

/// Whether the edge flag of the vertex is set. Edge flags apply only to triangles, quads and
/// polygons.
bool Draw::begins_edge(const Vertex& at) const {
    const raster::Primitive primitive = pipeline_.primitive;
    const bool counts = !geometry_ && (primitive == raster::Primitive::Triangles ||
                                       primitive == raster::Primitive::Quads ||
                                       primitive == raster::Primitive::Polygon);
    const std::optional<uint32_t> reg = find_port(outputs_->ports(), tgsi::Semantic::EdgeFlag, 0);
    return !counts || !reg || as_float(at.outputs[*reg][0]) != 0;
}

void Draw::outline(const Assembled& assembled,
                   const Corners& corners,
                   PolygonMode mode,
                   const PrimitiveInfo& info) {
    if (outlined_ != assembled.id)
        rasterizer_->restart_stipple();
    outlined_ = assembled.id;
    for (size_t i = 0; i < 3; i++) {
        if ((assembled.outline >> i & 1) == 0 || !begins_edge(*corners[i]))
            continue;
        if (mode == PolygonMode::Line)
            line(*corners[i], *corners[(i + 1) % 3], info);
        else
            point(*corners[i], rasterizer_state_.point_size, info);
    }
}

}  // namespace

Result<void> execute_draw(const raster::DrawState& state, const raster::DrawInfo& info) {
    const auto* pipeline = dynamic_cast<const ReferencePipeline*>(state.pipeline.get());
    if (pipeline == nullptr)
        return Error{Errc::InvalidState, {}, "a draw needs a pipeline of this device"};
    VALKYR_TRY(targets, open_targets(state.framebuffer));
    return Draw(state, *pipeline, info, std::move(targets)).run();
}

}  // namespace valkyr::reference
