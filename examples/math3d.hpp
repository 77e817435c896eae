// Math: computes vectors and matrices for the demo scenes, bit for bit equal on every host.
// SPDX-License-Identifier: MIT
//
// sine() and cosine() are polynomials in double. The last bit of the C library's functions differs
// between hosts, and golden images depend on these matrices.
#pragma once

#include <array>

namespace valkyr::examples {

inline constexpr double kPi = 3.14159265358979323846;

using Vec3 = std::array<float, 3>;
/// Column-major: m[c][r]; a point is transformed as sum over c of m[c] * p[c].
using Mat4 = std::array<std::array<float, 4>, 4>;

/// sin of an angle in radians, |angle| < 2^20; error below 1e-12.
double sine(double angle);
double cosine(double angle);
/// The angle from 0 to pi/2 whose cosine is the value, 0..1; error below 1e-9, and 1e-8 next to 1.
double arc_cosine(double value);

Mat4 identity();
Mat4 multiply(const Mat4& a, const Mat4& b);
Mat4 translation(float x, float y, float z);
Mat4 scaling(float x, float y, float z);
Mat4 rotation_x(double angle);
Mat4 rotation_y(double angle);
/// OpenGL's frustum: right-handed eye space looking down -z, clip z in [-w, w].
/// fov_y in radians; 0 < near < far.
Mat4 perspective(double fov_y, double aspect, double z_near, double z_far);

}  // namespace valkyr::examples
