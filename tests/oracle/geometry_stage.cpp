// Geometry stage: runs the shader for one primitive at a time and cuts its strips.
// SPDX-License-Identifier: MIT
#include "tests/oracle/geometry_stage.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::reference {
namespace {

using raster::Primitive;
using tgsi::Semantic;

/// The six vertices of triangle `i` of a strip of `triangles`, numbered from 1 as in GL 4.6 table
/// 10.1: corners 1, 2, 3 and the vertices adjacent over the edges 12, 23, 31.
std::vector<uint32_t> strip_row(uint32_t i, uint32_t triangles, bool first_provokes) {
    const bool is_last = i + 1 == triangles;
    std::array<uint32_t, 3> corner{2 * i + 1, 2 * i + 3, 2 * i + 5};
    std::array<uint32_t, 3> adjacent{};
    if (i % 2 == 0) {
        adjacent = {i == 0 ? 2 : 2 * i - 1, is_last ? 2 * i + 6 : 2 * i + 7, 2 * i + 4};
    } else {
        std::swap(corner[0], corner[1]);
        adjacent = {2 * i - 1, 2 * i + 4, is_last ? 2 * i + 6 : 2 * i + 7};
    }
    std::vector<uint32_t> row;
    // If the first vertex is the provoking one, odd triangles start the cycle at the second corner.
    const uint32_t start = i % 2 == 1 && first_provokes ? 1 : 0;
    for (uint32_t k = start; k < start + 3; k++) {
        row.push_back(corner[k % 3] - 1);
        row.push_back(adjacent[k % 3] - 1);
    }
    return row;
}

/// The vertices of primitives that begin every `step` vertices.
std::vector<std::vector<uint32_t>> rows_of(uint32_t count, uint32_t vertices, uint32_t step) {
    std::vector<std::vector<uint32_t>> rows;
    for (uint32_t first = 0; first + vertices <= count; first += step) {
        rows.emplace_back();
        for (uint32_t k = 0; k < vertices; k++)
            rows.back().push_back(first + k);
    }
    return rows;
}

uint32_t corners_of(const tgsi::Shader& shader) {
    switch (shader.property("GS_OUTPUT_PRIMITIVE", 0)) {
    case 0: return 1;
    case 3: return 2;
    default: return 3;
    }
}

}  // namespace

std::vector<InputPrimitive> input_primitives(Primitive kind,
                                             uint32_t count,
                                             bool first_provokes,
                                             uint32_t first_id,
                                             uint32_t patch_vertices) {
    std::vector<std::vector<uint32_t>> rows;
    std::vector<InputPrimitive> list;
    switch (kind) {
    case Primitive::LinesAdjacency: rows = rows_of(count, 4, 4); break;
    case Primitive::LineStripAdjacency: rows = rows_of(count, 4, 1); break;
    case Primitive::TrianglesAdjacency: rows = rows_of(count, 6, 6); break;
    case Primitive::Patches: rows = rows_of(count, patch_vertices, patch_vertices); break;
    case Primitive::TriangleStripAdjacency: {
        const uint32_t triangles = count < 6 ? 0 : (count - 4) / 2;
        for (uint32_t i = 0; i < triangles; i++)
            rows.push_back(strip_row(i, triangles, first_provokes));
        break;
    }
    default:
        for (const Assembled& assembled : assemble(kind, count, first_provokes, first_id))
            list.push_back(
                {{assembled.at.begin(), assembled.at.begin() + assembled.corners}, assembled.id});
        return list;
    }
    for (std::vector<uint32_t>& row : rows)
        list.push_back({std::move(row), first_id + static_cast<uint32_t>(list.size())});
    return list;
}

GeometryStage::GeometryStage(const tgsi::Shader& shader, const raster::RasterizerState& rasterizer)
    : first_provokes_(rasterizer.flat_shade_first)
    , fills_(rasterizer.fill_front == raster::PolygonMode::Fill &&
             rasterizer.fill_back == raster::PolygonMode::Fill)
    , inputs_(ports(shader, tgsi::File::Input))
    , system_values_(ports(shader, tgsi::File::SystemValue))
    , outputs_(shader)
    , invocations_(shader.property("GS_INVOCATIONS", 1))
    , corners_(corners_of(shader)) {}

Result<std::unique_ptr<GeometryStage>>
GeometryStage::create(const raster::DrawState& state,
                      const raster::PipelineDesc& pipeline,
                      const tgsi::Shader& shader,
                      const std::vector<Port>& vertex_outputs) {
    std::unique_ptr<GeometryStage> stage(new GeometryStage(shader, pipeline.rasterizer));
    stage->vertex_outputs_ = vertex_outputs;
    VALKYR_TRY(runner, ShaderRunner::create(shader, state.geometry()));
    stage->runner_ = std::move(runner);
    return stage;
}

std::vector<EmittedPrimitive> GeometryStage::run(const std::vector<const Vertex*>& vertices,
                                                 uint32_t id) {
    std::vector<std::vector<tgsi::Word4>> inputs;
    for (const Vertex* vertex : vertices)
        inputs.push_back(linked(inputs_, vertex_outputs_, vertex->outputs));
    std::vector<tgsi::Invocation> lanes(invocations_);
    for (uint32_t i = 0; i < invocations_; i++) {
        lanes[i].inputs.resize(register_count(inputs_));
        lanes[i].system_values.resize(register_count(system_values_));
        for (const Port& port : inputs_)
            if (port.semantic == Semantic::PrimId)
                lanes[i].inputs[port.reg].fill(id);
        for (const Port& port : system_values_)
            if (port.semantic == Semantic::InvocationId)
                lanes[i].system_values[port.reg].fill(i);
    }
    runner_->run(lanes, std::move(inputs));
    std::vector<EmittedPrimitive> list;
    for (const tgsi::Invocation& lane : lanes)
        for (uint32_t stream = 0; stream < exec::kMaxStreams; stream++)
            collect(lane, stream, id, list);
    return list;
}

void GeometryStage::collect(const tgsi::Invocation& invocation,
                            uint32_t stream,
                            uint32_t id,
                            std::vector<EmittedPrimitive>& list) {
    const auto own_id = find_port(outputs_.ports(), Semantic::PrimId, 0);
    std::vector<const tgsi::Emission*> strip;
    for (const tgsi::Emission& emission : invocation.emissions) {
        if (emission.stream != stream)
            continue;
        if (emission.ends_primitive) {
            end_strip(strip.size(), list);
            strip.clear();
            continue;
        }
        strip.push_back(&emission);
        if (strip.size() < corners_)
            continue;
        const size_t first = strip.size() - corners_;
        std::vector<size_t> order;
        for (size_t k = 0; k < corners_; k++)
            order.push_back(first + k);
        // Odd triangles swap their two non-provoking vertices.
        if (corners_ == 3 && first % 2 == 1)
            std::swap(order[first_provokes_ ? 1 : 0], order[first_provokes_ ? 2 : 1]);
        EmittedPrimitive primitive;
        for (const size_t k : order)
            primitive.corners.push_back(outputs_.vertex(strip[k]->outputs));
        primitive.provoking = first_provokes_ ? 0 : corners_ - 1;
        primitive.id = own_id ? primitive.corners[primitive.provoking].outputs[*own_id][0] : id;
        primitive.stream = stream;
        primitive.begins_strip = corners_ == 1 || first == 0;
        list.push_back(std::move(primitive));
    }
    end_strip(strip.size(), list);
}

void GeometryStage::end_strip(size_t vertices, std::vector<EmittedPrimitive>& list) const {
    if (corners_ != 3 || vertices != 4 || !fills_)
        return;
    // Both triangles begin with the strip's second vertex.
    list[list.size() - 2].first_drawn = 1;
    if (!first_provokes_)
        list.back().first_drawn = 1;
}

}  // namespace valkyr::reference
