// Model normals: computes normals for models that have none.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/model.hpp"

#include <span>

namespace valkyr::examples {

/// Computes a normal for each corner: the mean, weighted by area, of the triangles at its place
/// that are turned by less than 60 degrees against the corner's own. Corners of triangles without
/// area get the up direction.
/// places   x, y, z of each place
/// corners  numbers of places, three per triangle
std::vector<Vec3> smooth_normals(std::span<const float> places,
                                 std::span<const int> corners,
                                 const Progress& progress);

/// The normal of that number, normalised; `otherwise` if the number is negative or the normal is
/// zero.
Vec3 given_normal(std::span<const float> normals, int number, const Vec3& otherwise);

}  // namespace valkyr::examples
