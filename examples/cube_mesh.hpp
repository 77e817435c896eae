// Cube mesh: makes a unit cube with normals and texture coordinates.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::examples {

struct CubeVertex {
    float position[3];  ///< -1 .. 1
    float normal[3];
    float uv[2];  ///< 0 .. 1 on each face
};

struct CubeMesh {
    std::array<CubeVertex, 24> vertices;
    std::array<uint16_t, 36> indices;  ///< triangles, counter-clockwise from outside
};

/// Six faces of four vertices.
CubeMesh make_cube();

}  // namespace valkyr::examples
