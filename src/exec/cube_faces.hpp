// Cube faces: finds the texel beyond the edge of a face.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::exec {

/// A texel of a cube. Faces are +X, -X, +Y, -Y, +Z, -Z (GL 4.6 table 8.19).
struct CubeTexel {
    uint32_t face;
    int64_t x;
    int64_t y;
    friend bool operator==(const CubeTexel&, const CubeTexel&) = default;
};

/// The texel that continues a face across one edge. `at` is at most one texel outside, in one axis
/// only; texels inside come back unchanged.
CubeTexel across_cube_edge(const CubeTexel& at, uint32_t size) noexcept;

}  // namespace valkyr::exec
