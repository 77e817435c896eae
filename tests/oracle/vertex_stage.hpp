// Vertices: fetch, shade, and find out what clipping needs.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/geometry.hpp"
#include "tests/oracle/linkage.hpp"
#include "tests/oracle/shader_runner.hpp"

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

    /// The outputs of one vertex; each is shaded once an instance.
    const Vertex& shade(uint32_t vertex_id, uint32_t instance);

    [[nodiscard]] const std::vector<Port>& outputs() const { return outputs_; }
    /// Why shading failed, if it did.
    [[nodiscard]] const std::optional<Error>& error() const { return runner_->error(); }

    /// User planes or enabled clip distances, as planes to clip by.
    [[nodiscard]] std::vector<ClipPlane> user_planes() const;
    /// Whether some cull distance is negative (or NaN) at all of these vertices.
    [[nodiscard]] bool culled_by_distance(const std::vector<const Vertex*>& vertices) const;
    /// Point size of a vertex, if the shader writes it.
    [[nodiscard]] std::optional<float> point_size(const std::vector<Vec4>& outputs) const;

private:
    VertexStage(const raster::DrawState& state,
                const raster::PipelineDesc& pipeline,
                const raster::DrawInfo& info,
                const tgsi::Shader& shader);
    [[nodiscard]] tgsi::Invocation fetch(uint32_t vertex_id, uint32_t instance) const;
    /// Distance number n of the shader's CLIPDIST outputs, four to a register.
    [[nodiscard]] ClipPlane distance(uint32_t n) const;

    const raster::DrawState& state_;
    const raster::PipelineDesc& pipeline_;
    const raster::DrawInfo& info_;
    std::vector<Port> inputs_;
    std::vector<Port> system_values_;
    std::vector<Port> outputs_;
    uint32_t clip_distances_;
    uint32_t cull_distances_;
    std::unique_ptr<ShaderRunner> runner_;
    std::map<std::pair<uint32_t, uint32_t>, Vertex> shaded_;
};

}  // namespace valkyr::reference
