// Mesh: makes the vertices of the scenes, equal to those of the compared OpenGL programs.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace valkyr::bench {

/// 36 bytes, interleaved.
struct Vertex {
    float position[3];
    float normal[3];
    float uv[2];
    uint8_t color[4];
};
static_assert(sizeof(Vertex) == 36);

/// Triangles. Without indices, every three vertices make one.
struct MeshData {
    std::vector<Vertex> vertices;
    std::vector<uint32_t> indices;
};

struct GridShape {
    uint32_t cells = 1;   ///< on a side
    uint32_t layers = 1;  ///< from far to near
    float jitter = 0;     ///< of the vertices, in cells
    bool indexed = true;
    bool clockwise = false;
};
/// Layers of a grid that fills clip space; a cell is two triangles.
MeshData make_grid(const GridShape& shape);

/// A torus around z of `around` x `across` cells.
MeshData make_torus(uint32_t around, uint32_t across, float radius, float thickness);

struct QuadShape {
    uint32_t count = 1;
    float angle =
        0;  ///< rotation of the first quad's texture coordinates; 0.3 more for each further quad
    float scale = 1;
    bool axis_aligned = true;  ///< texture coordinates are not rotated
};
/// Quads that cover the screen, from far to near, two triangles each, not indexed.
MeshData make_quads(const QuadShape& shape);

/// Corners of the triangles of a quad from -1 to 1.
inline constexpr float kQuadCorners[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};

}  // namespace valkyr::bench
