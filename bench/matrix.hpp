// Matrix: multiplies column-major 4x4 matrices in single precision.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

namespace valkyr::bench {

using Matrix = std::array<float, 16>;

/// a * b.
Matrix multiply(const Matrix& a, const Matrix& b);
/// OpenGL's perspective projection; vertical field of view in radians.
Matrix perspective(float field_of_view, float aspect, float near, float far);
/// An orthographic projection of the square from -half to half.
Matrix orthographic(float half, float near, float far);
/// A view from `eye` to the origin.
Matrix look_at_origin(const std::array<float, 3>& eye, const std::array<float, 3>& up);

}  // namespace valkyr::bench
