// Vertex stage: shades one vertex at a time.
// SPDX-License-Identifier: MIT
#include "tests/oracle/vertex_stage.hpp"

#include "tests/oracle/vertex_fetch.hpp"

namespace valkyr::reference {
namespace {

using tgsi::Semantic;

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
    , outputs_(shader) {}

Result<std::unique_ptr<VertexStage>> VertexStage::create(const raster::DrawState& state,
                                                         const raster::PipelineDesc& pipeline,
                                                         const raster::DrawInfo& info,
                                                         const tgsi::Shader& shader) {
    std::unique_ptr<VertexStage> stage(new VertexStage(state, pipeline, info, shader));
    VALKYR_TRY(runner, ShaderRunner::create(shader, state.vertex()));
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
    vertex = outputs_.vertex(std::move(lanes[0].outputs));
    return vertex;
}

}  // namespace valkyr::reference
