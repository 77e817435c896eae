// Vertex outputs: say what clipping and points take from the vertices of a shader.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/geometry.hpp"
#include "tests/oracle/linkage.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace valkyr::reference {

/// The outputs of the vertex or geometry shader whose vertices are drawn.
class VertexOutputs {
public:
    explicit VertexOutputs(const tgsi::Shader& shader);

    [[nodiscard]] const std::vector<Port>& ports() const { return ports_; }
    /// The vertex with these outputs.
    [[nodiscard]] Vertex vertex(std::vector<Vec4> outputs) const;
    /// User planes or enabled clip distances, as planes to clip by.
    [[nodiscard]] std::vector<ClipPlane> user_planes(const raster::DrawState& state,
                                                     const raster::RasterizerState& raster) const;
    /// Whether some cull distance is negative (or NaN) at all of these vertices.
    [[nodiscard]] bool culled_by_distance(const std::vector<const Vertex*>& vertices) const;
    /// Point size of a vertex, if the shader writes it.
    [[nodiscard]] std::optional<float> point_size(const std::vector<Vec4>& outputs) const;

private:
    /// Distance number n of the CLIPDIST outputs, four to a register.
    [[nodiscard]] ClipPlane distance(uint32_t n) const;

    std::vector<Port> ports_;
    uint32_t clip_distances_;
    uint32_t cull_distances_;
};

}  // namespace valkyr::reference
