// Cube mesh: makes a unit cube with normals and texture coordinates.
// SPDX-License-Identifier: MIT
#include "examples/cube_mesh.hpp"

namespace valkyr::examples {

CubeMesh make_cube() {
    // The normal's axis n with its sign, and axes u and v such that u x v points outwards.
    struct Face {
        int n, u, v;
        float sign, u_sign;
    };
    constexpr Face kFaces[6] = {{0, 2, 1, 1, -1}, {0, 2, 1, -1, 1}, {1, 0, 2, 1, -1},
                                {1, 0, 2, -1, 1}, {2, 0, 1, 1, 1},  {2, 0, 1, -1, -1}};
    CubeMesh mesh{};
    for (unsigned f = 0; f < 6; ++f) {
        const Face& face = kFaces[f];
        for (unsigned corner = 0; corner < 4; ++corner) {
            CubeVertex& vertex = mesh.vertices[f * 4 + corner];
            const float u = corner == 1 || corner == 2 ? 1.0F : 0.0F;
            const float v = corner >= 2 ? 1.0F : 0.0F;
            vertex.position[face.n] = face.sign;
            vertex.position[face.u] = (2 * u - 1) * face.u_sign;
            vertex.position[face.v] = 2 * v - 1;
            vertex.normal[face.n] = face.sign;
            vertex.uv[0] = u;
            vertex.uv[1] = 1 - v;
        }
        constexpr uint16_t kCorners[6] = {0, 1, 2, 0, 2, 3};
        for (unsigned i = 0; i < 6; ++i)
            mesh.indices[f * 6 + i] = static_cast<uint16_t>(f * 4 + kCorners[i]);
    }
    return mesh;
}

}  // namespace valkyr::examples
