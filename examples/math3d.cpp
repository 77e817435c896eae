// Math: computes vectors and matrices for the demo scenes, bit for bit equal on every host.
// SPDX-License-Identifier: MIT
#include "examples/math3d.hpp"

#include <cmath>

namespace valkyr::examples {

namespace {

/// Taylor series of sin(x) for |x| <= pi/4, to x^15.
double sine_kernel(double x) {
    const double x2 = x * x;
    double term = x;
    double sum = x;
    for (int n = 1; n <= 7; ++n) {
        term *= -x2 / (2 * n * (2 * n + 1));
        sum += term;
    }
    return sum;
}

double cosine_kernel(double x) {
    const double x2 = x * x;
    double term = 1;
    double sum = 1;
    for (int n = 1; n <= 8; ++n) {
        term *= -x2 / ((2 * n - 1) * 2 * n);
        sum += term;
    }
    return sum;
}

}  // namespace

double sine(double angle) {
    const double turns = angle * (2 / kPi);
    const auto quadrant = static_cast<long long>(turns + (turns < 0 ? -0.5 : 0.5));
    const double x = angle - static_cast<double>(quadrant) * (kPi / 2);
    switch (quadrant & 3) {
    case 0: return sine_kernel(x);
    case 1: return cosine_kernel(x);
    case 2: return -sine_kernel(x);
    default: return -cosine_kernel(x);
    }
}

double cosine(double angle) {
    return sine(angle + kPi / 2);
}

double arc_cosine(double value) {
    // Newton's method from a root of 1 - angle^2 / 2 + angle^4 / 24, which is near on the interval.
    double angle = std::sqrt(6 - std::sqrt(12 + 24 * value));
    for (int i = 0; i < 4 && angle > 0; ++i)
        angle += (cosine(angle) - value) / sine(angle);
    return angle;
}

Mat4 identity() {
    return scaling(1, 1, 1);
}

Mat4 multiply(const Mat4& a, const Mat4& b) {
    Mat4 out{};
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
            for (int k = 0; k < 4; ++k)
                out[c][r] += a[k][r] * b[c][k];
    return out;
}

Mat4 translation(float x, float y, float z) {
    Mat4 m = identity();
    m[3] = {x, y, z, 1};
    return m;
}

Mat4 scaling(float x, float y, float z) {
    return Mat4{{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}, {0, 0, 0, 1}}};
}

Mat4 rotation_x(double angle) {
    const auto s = static_cast<float>(sine(angle));
    const auto c = static_cast<float>(cosine(angle));
    return Mat4{{{1, 0, 0, 0}, {0, c, s, 0}, {0, -s, c, 0}, {0, 0, 0, 1}}};
}

Mat4 rotation_y(double angle) {
    const auto s = static_cast<float>(sine(angle));
    const auto c = static_cast<float>(cosine(angle));
    return Mat4{{{c, 0, -s, 0}, {0, 1, 0, 0}, {s, 0, c, 0}, {0, 0, 0, 1}}};
}

Mat4 perspective(double fov_y, double aspect, double z_near, double z_far) {
    const double f = cosine(fov_y / 2) / sine(fov_y / 2);
    Mat4 m{};
    m[0][0] = static_cast<float>(f / aspect);
    m[1][1] = static_cast<float>(f);
    m[2][2] = static_cast<float>((z_far + z_near) / (z_near - z_far));
    m[2][3] = -1;
    m[3][2] = static_cast<float>(2 * z_far * z_near / (z_near - z_far));
    return m;
}

}  // namespace valkyr::examples
