// Cube faces: finds neighbours across edges by positions in space, without a table of 24 edges.
// SPDX-License-Identifier: MIT
#include "exec/cube_faces.hpp"

#include <array>

namespace valkyr::exec {
namespace {

/// How a face's axes lie in space: s, t and the face's normal, as axis number and sign.
struct FaceAxes {
    unsigned s_axis;
    int s_sign;
    unsigned t_axis;
    int t_sign;
    unsigned normal_axis;
    int normal_sign;
};

/// GL 4.6 table 8.19: sc and tc of each face.
constexpr std::array<FaceAxes, 6> kFaces{{
    {2, -1, 1, -1, 0, 1},   // +X: -z, -y
    {2, 1, 1, -1, 0, -1},   // -X: +z, -y
    {0, 1, 2, 1, 1, 1},     // +Y: +x, +z
    {0, 1, 2, -1, 1, -1},   // -Y: +x, -z
    {0, 1, 1, -1, 2, 1},    // +Z: +x, -y
    {0, -1, 1, -1, 2, -1},  // -Z: -x, -y
}};

using Point = std::array<int64_t, 3>;

/// Texel centres in half texels from the middle of the face; the faces of the cube are at +-size.
Point to_space(const CubeTexel& at, int64_t size) {
    const FaceAxes& f = kFaces[at.face];
    Point p{};
    p[f.s_axis] = f.s_sign * (2 * at.x + 1 - size);
    p[f.t_axis] = f.t_sign * (2 * at.y + 1 - size);
    p[f.normal_axis] = f.normal_sign * size;
    return p;
}

CubeTexel to_face(const Point& p, uint32_t face, int64_t size) {
    const FaceAxes& f = kFaces[face];
    return {face, (f.s_sign * p[f.s_axis] + size - 1) / 2, (f.t_sign * p[f.t_axis] + size - 1) / 2};
}

}  // namespace

CubeTexel across_cube_edge(const CubeTexel& at, uint32_t size_texels) noexcept {
    const int64_t size = size_texels;
    Point p = to_space(at, size);
    for (unsigned axis = 0; axis < 3; ++axis) {
        if (p[axis] >= -size && p[axis] <= size)
            continue;
        // One texel past the edge along this axis lies on the neighbouring face, whose first row of
        // centres is half a texel away from the edge.
        const FaceAxes& f = kFaces[at.face];
        p[f.normal_axis] = f.normal_sign * (size - 1);
        const bool negative = p[axis] < 0;
        p[axis] = negative ? -size : size;
        return to_face(p, 2 * axis + (negative ? 1 : 0), size);
    }
    return at;
}

}  // namespace valkyr::exec
