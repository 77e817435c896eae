// Vertex stage: fetches and shades one vertex at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/geometry.hpp"
#include "tests/oracle/linkage.hpp"
#include "tests/oracle/shader_runner.hpp"
#include "tests/oracle/vertex_outputs.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace valkyr::reference {

class VertexStage {
public:
    /// errors  Unsupported: the interpreter cannot run the shader
    static Result<std::unique_ptr<VertexStage>> create(const raster::DrawState& state,
                                                       const raster::PipelineDesc& pipeline,
                                                       const raster::DrawInfo& info,
                                                       const tgsi::Shader& shader);

    /// The outputs of one vertex, which is shaded once per instance.
    const Vertex& shade(uint32_t vertex_id, uint32_t instance);

    [[nodiscard]] const VertexOutputs& outputs() const { return outputs_; }
    /// The error if shading failed.
    [[nodiscard]] const std::optional<Error>& error() const { return runner_->error(); }

private:
    VertexStage(const raster::DrawState& state,
                const raster::PipelineDesc& pipeline,
                const raster::DrawInfo& info,
                const tgsi::Shader& shader);
    [[nodiscard]] tgsi::Invocation fetch(uint32_t vertex_id, uint32_t instance) const;

    const raster::DrawState& state_;
    const raster::PipelineDesc& pipeline_;
    const raster::DrawInfo& info_;
    std::vector<Port> inputs_;
    std::vector<Port> system_values_;
    VertexOutputs outputs_;
    std::unique_ptr<ShaderRunner> runner_;
    std::map<std::pair<uint32_t, uint32_t>, Vertex> shaded_;
};

}  // namespace valkyr::reference
