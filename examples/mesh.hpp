// Mesh: makes triangle meshes by arithmetic and puts them into buffers.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/math3d.hpp"
#include "raster/device.hpp"

#include <array>
#include <span>
#include <vector>

namespace valkyr::examples {

struct MeshVertex {
    float position[3];
    float normal[3];  ///< unit length
    float uv[2];
};

struct Mesh {
    std::vector<MeshVertex> vertices;
    std::vector<uint32_t> indices;  ///< triangles, counter-clockwise from outside
};

/// A tube of radius `tube` along the torus knot that winds p times around the axis (z) and q times
/// around the ring; the ring has radius 1.
Mesh torus_knot(int p, int q, float tube, uint32_t rings, uint32_t sides);
/// A sphere of radius 1, its poles at y = -1 and 1.
Mesh sphere(uint32_t rings, uint32_t sides);
/// A surface of revolution around the y axis. The profile has points (radius, height) from the
/// bottom upwards; it is smooth except at repeated points.
Mesh lathe(std::span<const std::array<float, 2>> profile, uint32_t sides);
/// A square of two triangles from -size to size in x and z at height y, facing up; uv 0..1.
Mesh ground(float size, float y);

/// A mesh in device buffers.
struct DeviceMesh {
    raster::BufferRef vertices;
    raster::BufferRef indices;
    uint32_t count = 0;  ///< indices
};
Result<DeviceMesh> upload(raster::Device& device, const Mesh& mesh);

}  // namespace valkyr::examples
