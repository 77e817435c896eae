// Mesh: makes the vertices of the scenes, equal to those of the compared OpenGL programs.
// SPDX-License-Identifier: MIT
#include "bench/mesh.hpp"

#include "bench/random.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace valkyr::bench {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

void set_color(Vertex& vertex, uint32_t word) {
    std::memcpy(vertex.color, &word, sizeof(word));
}

/// Adds the two triangles of a cell; `row` is the number of vertices in a row.
void add_cell(std::vector<uint32_t>& indices, uint32_t corner, uint32_t row, bool clockwise) {
    uint32_t b = corner + 1;
    uint32_t c = corner + row;
    const uint32_t d = c + 1;
    if (clockwise)
        std::swap(b, c);
    indices.insert(indices.end(), {corner, b, d, corner, d, c});
}

void add_layer(MeshData& mesh, const GridShape& shape, uint32_t layer, Random& random) {
    const auto n = static_cast<float>(shape.cells);
    const auto first = static_cast<uint32_t>(mesh.vertices.size());
    const float shift_x = (random.unit() - 0.5F) * 2.0F / n;
    const float shift_y = (random.unit() - 0.5F) * 2.0F / n;
    for (uint32_t j = 0; j <= shape.cells; ++j)
        for (uint32_t i = 0; i <= shape.cells; ++i) {
            Vertex v{};
            const auto x = static_cast<float>(i);
            const auto y = static_cast<float>(j);
            v.position[0] = -1 + 2.0F * x / n + shift_x + (random.unit() - 0.5F) * shape.jitter / n;
            v.position[1] = -1 + 2.0F * y / n + shift_y + (random.unit() - 0.5F) * shape.jitter / n;
            v.position[2] =
                0.9F - 1.8F * static_cast<float>(layer) / static_cast<float>(shape.layers);
            v.normal[0] = random.unit() - 0.5F;
            v.normal[1] = random.unit() - 0.5F;
            v.normal[2] = 1;
            v.uv[0] = x / n;
            v.uv[1] = y / n;
            set_color(v, random.bits() | 0xFF000000U);
            mesh.vertices.push_back(v);
        }
    const uint32_t row = shape.cells + 1;
    for (uint32_t j = 0; j < shape.cells; ++j)
        for (uint32_t i = 0; i < shape.cells; ++i)
            add_cell(mesh.indices, first + j * row + i, row, shape.clockwise);
}

MeshData without_indices(const MeshData& mesh) {
    MeshData plain;
    plain.vertices.reserve(mesh.indices.size());
    for (const uint32_t index : mesh.indices)
        plain.vertices.push_back(mesh.vertices[index]);
    return plain;
}

}  // namespace

MeshData make_grid(const GridShape& shape) {
    MeshData mesh;
    Random random(12345);
    for (uint32_t layer = 0; layer < shape.layers; ++layer)
        add_layer(mesh, shape, layer, random);
    return shape.indexed ? std::move(mesh) : without_indices(mesh);
}

MeshData make_torus(uint32_t around, uint32_t across, float radius, float thickness) {
    MeshData mesh;
    for (uint32_t j = 0; j <= across; ++j)
        for (uint32_t i = 0; i <= around; ++i) {
            const float u = static_cast<float>(i) / static_cast<float>(around);
            const float v = static_cast<float>(j) / static_cast<float>(across);
            const float a = 2 * kPi * u;
            const float b = 2 * kPi * v;
            const float r = radius + thickness * std::cos(b);
            Vertex vertex{{std::cos(a) * r, std::sin(a) * r, thickness * std::sin(b)},
                          {std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)},
                          {8 * u, 3 * v},
                          {static_cast<uint8_t>(127 + 120 * std::cos(a)),
                           static_cast<uint8_t>(127 + 120 * std::sin(b)), 200, 255}};
            mesh.vertices.push_back(vertex);
        }
    for (uint32_t j = 0; j < across; ++j)
        for (uint32_t i = 0; i < around; ++i)
            add_cell(mesh.indices, j * (around + 1) + i, around + 1, false);
    return mesh;
}

MeshData make_quads(const QuadShape& shape) {
    MeshData mesh;
    Random random(777);
    const float center[2] = {shape.axis_aligned ? 0.5F : 0.5F * 1.13F,
                             shape.axis_aligned ? 0.5F : 0.5F * 1.07F};
    for (uint32_t k = 0; k < shape.count; ++k) {
        const auto step = static_cast<float>(k);
        const float angle = shape.axis_aligned ? 0 : shape.angle + 0.3F * step;
        const float c = std::cos(angle) * shape.scale;
        const float s = std::sin(angle) * shape.scale;
        const uint32_t color = (random.bits() & 0xFFFFFF) | 0x60000000U;
        for (const auto& p : kQuadCorners) {
            Vertex v{};
            v.position[0] = p[0];
            v.position[1] = p[1];
            v.position[2] = 0.9F - 1.8F * step / static_cast<float>(shape.count);
            v.uv[0] = 0.5F * (p[0] * c - p[1] * s) + center[0];
            v.uv[1] = 0.5F * (p[0] * s + p[1] * c) + center[1];
            set_color(v, color);
            mesh.vertices.push_back(v);
        }
    }
    return mesh;
}

}  // namespace valkyr::bench
