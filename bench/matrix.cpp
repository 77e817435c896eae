// Matrix: multiplies column-major 4x4 matrices in single precision.
// SPDX-License-Identifier: MIT
#include "bench/matrix.hpp"

#include <cmath>

namespace valkyr::bench {
namespace {

using Vector = std::array<float, 3>;

float dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector normalize(Vector v) {
    const float scale = 1 / std::sqrt(dot(v, v));
    for (float& f : v)
        f *= scale;
    return v;
}

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (unsigned column = 0; column < 4; ++column)
        for (unsigned row = 0; row < 4; ++row)
            for (unsigned k = 0; k < 4; ++k)
                product[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    return product;
}

Matrix perspective(float field_of_view, float aspect, float near, float far) {
    const float t = 1 / std::tan(field_of_view * 0.5F);
    Matrix m{};
    m[0] = t / aspect;
    m[5] = t;
    m[10] = (far + near) / (near - far);
    m[11] = -1;
    m[14] = 2 * far * near / (near - far);
    return m;
}

Matrix orthographic(float half, float near, float far) {
    Matrix m{};
    m[0] = m[5] = 1 / half;
    m[10] = -2 / (far - near);
    m[14] = -(far + near) / (far - near);
    m[15] = 1;
    return m;
}

Matrix look_at_origin(const std::array<float, 3>& eye, const std::array<float, 3>& up) {
    const Vector forward = normalize({-eye[0], -eye[1], -eye[2]});
    const Vector side = normalize(cross(forward, up));
    const Vector upward = cross(side, forward);
    return {side[0],         upward[0],         -forward[0],       0,
            side[1],         upward[1],         -forward[1],       0,
            side[2],         upward[2],         -forward[2],       0,
            -dot(side, eye), -dot(upward, eye), dot(forward, eye), 1};
}

}  // namespace valkyr::bench
