// Geometry stage: turns each input primitive into the primitives that the geometry shader emits.
// SPDX-License-Identifier: MIT
//
// Rules: GL 4.6 section 11.3; docs/rules/raster-rules.md "Geometry shaders".
#pragma once

#include "tests/oracle/geometry.hpp"
#include "tests/oracle/shader_runner.hpp"
#include "tests/oracle/vertex_outputs.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::reference {

/// An input primitive of a geometry shader, or a patch, as places in the vertex stream.
struct InputPrimitive {
    std::vector<uint32_t> at;
    uint32_t id = 0;
};

/// Cuts a stream of `count` vertices into primitives with all their vertices, including adjacent
/// ones.
std::vector<InputPrimitive> input_primitives(raster::Primitive kind,
                                             uint32_t count,
                                             bool first_provokes,
                                             uint32_t first_id,
                                             uint32_t patch_vertices);

/// A primitive that a geometry shader or a tessellator makes, with its vertices.
struct EmittedPrimitive {
    std::vector<Vertex> corners;  ///< 1 point, 2 line, 3 triangle
    uint32_t provoking = 0;       ///< corner
    uint32_t first_drawn = 0;     ///< corner that the rasterizer begins with
    uint32_t id = 0;
    uint32_t stream = 0;  ///< only primitives of stream 0 are drawn
    bool begins_strip = false;
};

class GeometryStage {
public:
    /// errors  Unsupported: the interpreter cannot run the shader
    static Result<std::unique_ptr<GeometryStage>> create(const raster::DrawState& state,
                                                         const raster::PipelineDesc& pipeline,
                                                         const tgsi::Shader& shader,
                                                         const std::vector<Port>& vertex_outputs);

    /// The primitives that one input primitive emits, invocation by invocation, stream by stream.
    std::vector<EmittedPrimitive> run(const std::vector<const Vertex*>& vertices, uint32_t id);

    [[nodiscard]] const VertexOutputs& outputs() const { return outputs_; }
    /// The error if shading failed.
    [[nodiscard]] const std::optional<Error>& error() const { return runner_->error(); }

private:
    GeometryStage(const tgsi::Shader& shader, const raster::RasterizerState& rasterizer);
    void collect(const tgsi::Invocation& invocation,
                 uint32_t stream,
                 uint32_t id,
                 std::vector<EmittedPrimitive>& list);

    /// Chooses where drawing begins for the triangles of a strip that ends after `vertices`
    /// vertices.
    void end_strip(size_t vertices, std::vector<EmittedPrimitive>& list) const;

    bool first_provokes_;
    bool fills_;  ///< triangles are filled
    std::vector<Port> inputs_;
    std::vector<Port> system_values_;
    VertexOutputs outputs_;
    std::vector<Port> vertex_outputs_;
    uint32_t invocations_;
    uint32_t corners_;  ///< of an emitted primitive
    std::unique_ptr<ShaderRunner> runner_;
};

}  // namespace valkyr::reference
