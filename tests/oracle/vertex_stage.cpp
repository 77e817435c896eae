// Vertex stage: shades one vertex at a time.
// SPDX-License-Identifier: MIT
#include "tests/oracle/vertex_stage.hpp"

#include "base/bits.hpp"
#include "tests/oracle/vertex_fetch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::reference {
namespace {

using tgsi::Semantic;

/// Written clip and cull distances together.
uint32_t written_distances(const std::vector<Port>& outputs) {
    uint32_t count = 0;
    for (const Port& port : outputs)
        if (port.semantic == Semantic::ClipDist)
            count += static_cast<uint32_t>(std::popcount(port.usage_mask));
    return count;
}

uint32_t system_value(const Port& port,
                      const raster::DrawState& state,
                      const raster::DrawInfo& info,
                      uint32_t vertex_id,
                      uint32_t instance) {
    const bool indexed = state.index_type != raster::IndexType::None;
    const uint32_t base = indexed ? static_cast<uint32_t>(info.base_vertex) : 0;
    switch (port.semantic) {
    case Semantic::VertexId: return vertex_id;
    case Semantic::VertexIdNoBase: return vertex_id - base;
    case Semantic::InstanceId: return instance;
    case Semantic::BaseVertex: return base;
    case Semantic::BaseInstance: return info.first_instance;
    case Semantic::DrawId: return info.draw_id;
    default: return 0;
    }
}

}  // namespace

VertexStage::VertexStage(const raster::DrawState& state,
                         const raster::PipelineDesc& pipeline,
                         const raster::DrawInfo& info,
                         const tgsi::Shader& shader)
    : state_(state)
    , pipeline_(pipeline)
    , info_(info)
    , inputs_(ports(shader, tgsi::File::Input))
    , system_values_(ports(shader, tgsi::File::SystemValue))
    , outputs_(ports(shader, tgsi::File::Output))
    , cull_distances_(shader.property("NUM_CULLDIST_ENABLED", 0)) {
    const uint32_t written = written_distances(outputs_);
    clip_distances_ =
        shader.property("NUM_CLIPDIST_ENABLED", written - std::min(written, cull_distances_));
}

Result<std::unique_ptr<VertexStage>> VertexStage::create(const raster::DrawState& state,
                                                         const raster::PipelineDesc& pipeline,
                                                         const raster::DrawInfo& info,
                                                         const tgsi::Shader& shader) {
    std::unique_ptr<VertexStage> stage(new VertexStage(state, pipeline, info, shader));
    const StageResources resources{
        state.vertex_constants, state.vertex_textures, state.vertex_samplers, 1,
        state.vertex_images,    state.vertex_storage,  state.vertex_counters};
    VALKYR_TRY(runner, ShaderRunner::create(shader, resources));
    stage->runner_ = std::move(runner);
    return stage;
}

tgsi::Invocation VertexStage::fetch(uint32_t vertex_id, uint32_t instance) const {
    tgsi::Invocation in;
    in.inputs.resize(register_count(inputs_));
    in.system_values.resize(register_count(system_values_));
    for (const Port& port : inputs_)
        if (port.reg < pipeline_.elements.size())
            in.inputs[port.reg] = fetch_attribute(state_, pipeline_, pipeline_.elements[port.reg],
                                                  vertex_id, instance, info_.first_instance);
    for (const Port& port : system_values_) {
        const uint32_t word = system_value(port, state_, info_, vertex_id, instance);
        in.system_values[port.reg] = {word, word, word, word};
    }
    return in;
}

const Vertex& VertexStage::shade(uint32_t vertex_id, uint32_t instance) {
    const auto [entry, is_new] = shaded_.try_emplace({instance, vertex_id});
    Vertex& vertex = entry->second;
    if (!is_new)
        return vertex;
    std::vector<tgsi::Invocation> lanes{fetch(vertex_id, instance)};
    runner_->run(lanes);
    vertex.outputs = std::move(lanes[0].outputs);
    if (const auto position = find_port(outputs_, Semantic::Position, 0))
        for (unsigned c = 0; c < 4; c++)
            vertex.position[c] = as_float(vertex.outputs[*position][c]);
    return vertex;
}

ClipPlane VertexStage::distance(uint32_t n) const {
    const std::optional<uint32_t> reg = find_port(outputs_, Semantic::ClipDist, n / 4);
    return [reg, n](const Vertex& v) { return reg ? as_float(v.outputs[*reg][n % 4]) : 0.0F; };
}

std::vector<ClipPlane> VertexStage::user_planes() const {
    std::vector<ClipPlane> planes;
    const std::optional<uint32_t> clip_vertex = find_port(outputs_, Semantic::ClipVertex, 0);
    for (uint32_t n = 0; n < 8; n++) {
        if ((pipeline_.rasterizer.clip_plane_enable >> n & 1) == 0)
            continue;
        if (clip_distances_ != 0) {
            if (n < clip_distances_)
                planes.push_back(distance(n));
            continue;
        }
        const std::array<float, 4> p = state_.clip_planes[n];
        planes.emplace_back([p, clip_vertex](const Vertex& v) {
            std::array<float, 4> at = v.position;
            for (unsigned c = 0; c < 4 && clip_vertex; c++)
                at[c] = as_float(v.outputs[*clip_vertex][c]);
            const float xy = std::fma(p[1], at[1], p[0] * at[0]);
            return std::fma(p[3], at[3], std::fma(p[2], at[2], xy));
        });
    }
    return planes;
}

bool VertexStage::culled_by_distance(const std::vector<const Vertex*>& vertices) const {
    for (uint32_t n = 0; n < cull_distances_; n++) {
        const ClipPlane plane = distance(clip_distances_ + n);
        if (std::all_of(vertices.begin(), vertices.end(),
                        [&](const Vertex* v) { return !(plane(*v) >= 0); }))
            return true;
    }
    return false;
}

std::optional<float> VertexStage::point_size(const std::vector<Vec4>& outputs) const {
    const std::optional<uint32_t> reg = find_port(outputs_, Semantic::PSize, 0);
    if (!reg)
        return std::nullopt;
    return as_float(outputs[*reg][0]);
}

}  // namespace valkyr::reference
