// Tessellation stage: turns each patch into the primitives of its divided domain.
// SPDX-License-Identifier: MIT
//
// Rules: GL 4.6 section 11.2; docs/rules/tessellation.md.
#pragma once

#include "tests/oracle/geometry_stage.hpp"
#include "tests/oracle/shader_runner.hpp"
#include "tests/oracle/tessellator.hpp"
#include "tests/oracle/vertex_outputs.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace valkyr::reference {

class TessellationStage {
public:
    /// errors  Unsupported: the interpreter cannot run a shader
    static Result<std::unique_ptr<TessellationStage>>
    create(const raster::DrawState& state,
           const raster::PipelineDesc& pipeline,
           const std::vector<Port>& vertex_outputs);

    /// The primitives of a patch, in order.
    std::vector<EmittedPrimitive> run(const std::vector<const Vertex*>& vertices, uint32_t id);

    [[nodiscard]] const VertexOutputs& outputs() const { return outputs_; }
    /// The error if shading failed.
    [[nodiscard]] const std::optional<Error>& error() const {
        return control_ && control_->error() ? control_->error() : evaluation_->error();
    }

private:
    /// A patch between control shader, tessellator and evaluation shader.
    struct Patch {
        uint32_t id = 0;
        std::array<float, 4> outer{};
        std::array<float, 2> inner{};
        std::vector<std::vector<Vec4>> vertices;  ///< [vertex][input of the evaluation shader]
        std::vector<Vec4> inputs;                 ///< of the patch, by input
    };

    TessellationStage(const raster::DrawState& state,
                      const raster::PipelineDesc& pipeline,
                      const tgsi::Shader& evaluation,
                      std::vector<Port> vertex_outputs);
    [[nodiscard]] Patch control(const std::vector<const Vertex*>& vertices, uint32_t id);
    [[nodiscard]] Vertex evaluate(const Patch& patch, const DomainPoint& point);

    exec::TessellationInfo rules_;
    bool first_provokes_;
    std::array<float, 4> default_outer_;
    std::array<float, 2> default_inner_;
    std::vector<Port> vertex_outputs_;
    uint32_t control_vertices_ = 0;  ///< that a control shader makes
    std::vector<Port> control_inputs_;
    std::vector<Port> control_outputs_;
    std::vector<Port> control_system_values_;
    std::vector<Port> inputs_;  ///< of the evaluation shader
    std::vector<Port> system_values_;
    VertexOutputs outputs_;
    std::unique_ptr<ShaderRunner> control_;  ///< null: none
    std::unique_ptr<ShaderRunner> evaluation_;
};

}  // namespace valkyr::reference
