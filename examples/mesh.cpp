// Mesh: makes triangle meshes by arithmetic and puts them into buffers.
// SPDX-License-Identifier: MIT
#include "examples/mesh.hpp"

#include <cmath>
#include <utility>

namespace valkyr::examples {

namespace {

struct Double3 {
    double x, y, z;
};

Double3 operator+(Double3 a, Double3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Double3 operator-(Double3 a, Double3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Double3 operator*(double s, Double3 a) {
    return {s * a.x, s * a.y, s * a.z};
}
Double3 cross(Double3 a, Double3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Double3 unit(Double3 a) {
    return 1 / std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z) * a;
}

Double3 knot_point(int p, int q, double t) {
    const double r = 1 + 0.45 * cosine(q * t);
    return {r * cosine(p * t), r * sine(p * t), -0.45 * sine(q * t)};
}

MeshVertex vertex(Double3 at, Double3 normal, double u, double v) {
    return {
        {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)},
        {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z)},
        {static_cast<float>(u), static_cast<float>(v)}};
}

/// Two triangles for each cell of a grid of (rings + 1) x (sides + 1) vertices.
void add_grid_indices(Mesh& mesh, uint32_t rings, uint32_t sides) {
    for (uint32_t ring = 0; ring < rings; ring++)
        for (uint32_t side = 0; side < sides; side++) {
            const uint32_t a = ring * (sides + 1) + side;
            const uint32_t b = a + sides + 1;
            mesh.indices.insert(mesh.indices.end(), {a, b, a + 1, a + 1, b, b + 1});
        }
}

}  // namespace

Mesh torus_knot(int p, int q, float tube, uint32_t rings, uint32_t sides) {
    Mesh mesh;
    for (uint32_t ring = 0; ring <= rings; ring++) {
        const double t = 2 * kPi * (ring % rings) / rings;
        const Double3 center = knot_point(p, q, t);
        const Double3 ahead = knot_point(p, q, t + 0.01);
        const Double3 tangent = unit(ahead - center);
        const Double3 side_axis = unit(cross(tangent, ahead + center));
        const Double3 up_axis = cross(side_axis, tangent);
        for (uint32_t side = 0; side <= sides; side++) {
            const double angle = 2 * kPi * (side % sides) / sides;
            const Double3 normal = cosine(angle) * up_axis - sine(angle) * side_axis;
            mesh.vertices.push_back(vertex(center + tube * normal, normal,
                                           static_cast<double>(ring) / rings,
                                           static_cast<double>(side) / sides));
        }
    }
    add_grid_indices(mesh, rings, sides);
    return mesh;
}

Mesh sphere(uint32_t rings, uint32_t sides) {
    Mesh mesh;
    for (uint32_t ring = 0; ring <= rings; ring++) {
        const double polar = kPi * ring / rings;
        for (uint32_t side = 0; side <= sides; side++) {
            const double turn = 2 * kPi * (side % sides) / sides;
            const Double3 at{sine(polar) * sine(turn), cosine(polar), sine(polar) * cosine(turn)};
            mesh.vertices.push_back(vertex(at, at, static_cast<double>(side) / sides,
                                           static_cast<double>(ring) / rings));
        }
    }
    add_grid_indices(mesh, rings, sides);
    return mesh;
}

Mesh lathe(std::span<const std::array<float, 2>> profile, uint32_t sides) {
    const auto rings = static_cast<uint32_t>(profile.size());
    Mesh mesh;
    for (uint32_t ring = 0; ring < rings; ring++) {
        // The normal follows the slope between both neighbours. A repeated point is a crease: there
        // only the neighbour on this side counts.
        const uint32_t before = ring > 0 && profile[ring - 1] != profile[ring] ? ring - 1 : ring;
        const uint32_t behind =
            ring + 1 < rings && profile[ring + 1] != profile[ring] ? ring + 1 : ring;
        const Double3 out = unit({double{profile[behind][1]} - profile[before][1],
                                  double{profile[before][0]} - profile[behind][0], 0});
        for (uint32_t side = 0; side <= sides; side++) {
            const double turn = 2 * kPi * (side % sides) / sides;
            const double s = sine(turn);
            const double c = cosine(turn);
            const auto [radius, height] = profile[ring];
            mesh.vertices.push_back(
                vertex({radius * s, height, radius * c}, {out.x * s, out.y, out.x * c},
                       static_cast<double>(side) / sides, static_cast<double>(ring) / (rings - 1)));
        }
    }
    add_grid_indices(mesh, rings - 1, sides);
    // Rings go upwards here but downwards in a sphere, so the triangles must be turned around.
    for (size_t i = 0; i < mesh.indices.size(); i += 3)
        std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
    return mesh;
}

Mesh ground(float size, float y) {
    Mesh mesh;
    for (const float z : {-1.0F, 1.0F})
        for (const float x : {-1.0F, 1.0F})
            mesh.vertices.push_back(
                {{x * size, y, z * size}, {0, 1, 0}, {(x + 1) / 2, (z + 1) / 2}});
    mesh.indices = {0, 2, 1, 1, 2, 3};
    return mesh;
}

Result<DeviceMesh> upload(raster::Device& device, const Mesh& mesh) {
    const auto vertex_bytes = std::as_bytes(std::span(mesh.vertices));
    const auto index_bytes = std::as_bytes(std::span(mesh.indices));
    VALKYR_TRY(vertices, device.create_buffer(vertex_bytes.size(), vertex_bytes));
    VALKYR_TRY(indices, device.create_buffer(index_bytes.size(), index_bytes));
    return DeviceMesh{vertices, indices, static_cast<uint32_t>(mesh.indices.size())};
}

}  // namespace valkyr::examples
