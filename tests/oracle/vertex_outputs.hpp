// Vertex outputs: compute clip and cull distances, user planes and the point size.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/geometry.hpp"
#include "tests/oracle/linkage.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace valkyr::reference {

/// The outputs of the last vertex processing stage.
class VertexOutputs {
public:
    explicit VertexOutputs(const tgsi::Shader& shader);

    [[nodiscard]] const std::vector<Port>& ports() const { return ports_; }
    /// Makes a vertex of these outputs.
    [[nodiscard]] Vertex vertex(std::vector<Vec4> outputs) const;
    /// User clip planes or enabled clip distances.
    [[nodiscard]] std::vector<ClipPlane> user_planes(const raster::DrawState& state,
                                                     const raster::RasterizerState& raster) const;
    /// Whether a cull distance is negative or NaN at all of these vertices.
    [[nodiscard]] bool culled_by_distance(const std::vector<const Vertex*>& vertices) const;
    /// The point size of a vertex, if the shader writes one.
    [[nodiscard]] std::optional<float> point_size(const std::vector<Vec4>& outputs) const;

private:
    /// Distance n of the CLIPDIST outputs, which have four distances per register.
    [[nodiscard]] ClipPlane distance(uint32_t n) const;

    std::vector<Port> ports_;
    uint32_t clip_distances_;
    uint32_t cull_distances_;
};

}  // namespace valkyr::reference
