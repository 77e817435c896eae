// Model normals: computes normals for models that have none.
// SPDX-License-Identifier: MIT
#include "examples/model_normals.hpp"

#include <cmath>
#include <optional>

namespace valkyr::examples {

namespace {

using Double3 = std::array<double, 3>;

double dot(const Double3& a, const Double3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

std::optional<Vec3> unit(const Double3& v) {
    const double length = std::sqrt(dot(v, v));
    if (!(length > 0) || !std::isfinite(length))
        return std::nullopt;
    return Vec3{static_cast<float>(v[0] / length), static_cast<float>(v[1] / length),
                static_cast<float>(v[2] / length)};
}

void add(Double3& sum, const Double3& v) {
    for (size_t i = 0; i < 3; i++)
        sum[i] += v[i];
}

/// The normals of triangles; their length is twice the area.
std::vector<Double3> face_normals(std::span<const float> places, std::span<const int> corners) {
    std::vector<Double3> normals(corners.size() / 3);
    for (size_t face = 0; face < normals.size(); face++) {
        std::array<Double3, 3> at{};
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < 3; i++)
                at[k][i] = double{places[3 * static_cast<size_t>(corners[3 * face + k]) + i]};
        Double3 a{};
        Double3 b{};
        for (size_t i = 0; i < 3; i++) {
            a[i] = at[1][i] - at[0][i];
            b[i] = at[2][i] - at[0][i];
        }
        normals[face] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    }
    return normals;
}

/// The triangles at each place: those of place i are faces[first[i]] up to faces[first[i + 1]].
struct Around {
    std::vector<uint32_t> first;
    std::vector<uint32_t> faces;
};

Around faces_around(size_t places, std::span<const int> corners) {
    Around around;
    around.first.assign(places + 2, 0);
    for (const int corner : corners)
        around.first[static_cast<size_t>(corner) + 2]++;
    for (size_t i = 2; i < around.first.size(); i++)
        around.first[i] += around.first[i - 1];
    around.faces.resize(corners.size());
    for (size_t i = 0; i < corners.size(); i++)
        around.faces[around.first[static_cast<size_t>(corners[i]) + 1]++] =
            static_cast<uint32_t>(i / 3);
    return around;
}

/// The sum of the normals of `faces` that are turned by less than 60 degrees against `own`.
Double3 sum_around(std::span<const uint32_t> faces,
                   const std::vector<Double3>& normals,
                   const Double3& own) {
    constexpr size_t kMost = 64;  // if more triangles meet, the first ones suffice
    Double3 sum = own;
    const double own_length = std::sqrt(dot(own, own));
    for (const uint32_t face : faces.first(std::min(faces.size(), kMost))) {
        const Double3& other = normals[face];
        if (&other != &own && dot(own, other) > 0.5 * own_length * std::sqrt(dot(other, other)))
            add(sum, other);
    }
    return sum;
}

}  // namespace

std::vector<Vec3> smooth_normals(std::span<const float> places,
                                 std::span<const int> corners,
                                 const Progress& progress) {
    const std::vector<Double3> faces = face_normals(places, corners);
    const Around around = faces_around(places.size() / 3, corners);
    std::vector<Vec3> normals(corners.size());
    for (size_t i = 0; i < corners.size(); i++) {
        const auto place = static_cast<size_t>(corners[i]);
        const uint32_t begin = around.first[place];
        const std::span<const uint32_t> near(&around.faces[begin], around.first[place + 1] - begin);
        normals[i] = unit(sum_around(near, faces, faces[i / 3])).value_or(Vec3{0, 1, 0});
        if (progress && i % 1048576 == 0)
            progress("smoothing", static_cast<double>(i) / static_cast<double>(corners.size()));
    }
    return normals;
}

Vec3 given_normal(std::span<const float> normals, int number, const Vec3& otherwise) {
    if (number < 0)
        return otherwise;
    const float* n = &normals[3 * static_cast<size_t>(number)];
    return unit({double{n[0]}, double{n[1]}, double{n[2]}}).value_or(otherwise);
}

}  // namespace valkyr::examples
