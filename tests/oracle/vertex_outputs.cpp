// Vertex outputs: compute clip and cull distances, user planes and the point size.
// SPDX-License-Identifier: MIT
#include "tests/oracle/vertex_outputs.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace valkyr::reference {
namespace {

using tgsi::Semantic;

/// The number of written clip and cull distances together.
uint32_t written_distances(const std::vector<Port>& outputs) {
    uint32_t count = 0;
    for (const Port& port : outputs)
        if (port.semantic == Semantic::ClipDist)
            count += static_cast<uint32_t>(std::popcount(port.usage_mask));
    return count;
}

}  // namespace

VertexOutputs::VertexOutputs(const tgsi::Shader& shader)
    : ports_(reference::ports(shader, tgsi::File::Output))
    , cull_distances_(shader.property("NUM_CULLDIST_ENABLED", 0)) {
    const uint32_t written = written_distances(ports_);
    clip_distances_ =
        shader.property("NUM_CLIPDIST_ENABLED", written - std::min(written, cull_distances_));
}

Vertex VertexOutputs::vertex(std::vector<Vec4> outputs) const {
    Vertex vertex;
    vertex.outputs = std::move(outputs);
    if (const auto position = find_port(ports_, Semantic::Position, 0))
        for (unsigned c = 0; c < 4; c++)
            vertex.position[c] = as_float(vertex.outputs[*position][c]);
    return vertex;
}

ClipPlane VertexOutputs::distance(uint32_t n) const {
    const std::optional<uint32_t> reg = find_port(ports_, Semantic::ClipDist, n / 4);
    return [reg, n](const Vertex& v) { return reg ? as_float(v.outputs[*reg][n % 4]) : 0.0F; };
}

std::vector<ClipPlane> VertexOutputs::user_planes(const raster::DrawState& state,
                                                  const raster::RasterizerState& raster) const {
    std::vector<ClipPlane> planes;
    const std::optional<uint32_t> clip_vertex = find_port(ports_, Semantic::ClipVertex, 0);
    for (uint32_t n = 0; n < 8; n++) {
        if ((raster.clip_plane_enable >> n & 1) == 0)
            continue;
        if (clip_distances_ != 0) {
            if (n < clip_distances_)
                planes.push_back(distance(n));
            continue;
        }
        const std::array<float, 4> p = state.clip_planes[n];
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

bool VertexOutputs::culled_by_distance(const std::vector<const Vertex*>& vertices) const {
    for (uint32_t n = 0; n < cull_distances_; n++) {
        const ClipPlane plane = distance(clip_distances_ + n);
        if (std::all_of(vertices.begin(), vertices.end(),
                        [&](const Vertex* v) { return !(plane(*v) >= 0); }))
            return true;
    }
    return false;
}

std::optional<float> VertexOutputs::point_size(const std::vector<Vec4>& outputs) const {
    const std::optional<uint32_t> reg = find_port(ports_, Semantic::PSize, 0);
    if (!reg)
        return std::nullopt;
    return as_float(outputs[*reg][0]);
}

}  // namespace valkyr::reference
