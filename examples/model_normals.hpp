// Model normals: computes normals for models that have none.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/model.hpp"

#include <span>

namespace valkyr::examples {

/// A normal for each corner (three a triangle, numbers of places; `places` has x, y, z for each):
/// the mean, by area, of the triangles around the place that are turned by less than 60 degrees
/// against the corner's own. Of triangles without area: up.
std::vector<Vec3> smooth_normals(std::span<const float> places,
                                 std::span<const int> corners,
                                 const Progress& progress);

/// The normal of that number made unit length, or `otherwise` if the number is negative or it has
/// no length.
Vec3 given_normal(std::span<const float> normals, int number, const Vec3& otherwise);

}  // namespace valkyr::examples
