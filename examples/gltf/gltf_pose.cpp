// Pose of glTF: computes where nodes, joints and morph targets are at a time.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_pose.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace valkyr::examples {

namespace {

using Quaternion = std::array<float, 4>;

Quaternion normalized(const Quaternion& q) {
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        return {0, 0, 0, 1};
    return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

/// The arc between two rotations. Section 3.11 wants slerp; between keys less than a tenth of a
/// degree apart the straight line is the same.
Quaternion between(const Quaternion& from, Quaternion to, float part) {
    float dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    if (dot < 0) {
        dot = -dot;
        for (float& component : to)
            component = -component;
    }
    float from_weight = 1 - part;
    float to_weight = part;
    if (dot < 0.999999F) {
        const double angle = arc_cosine(static_cast<double>(dot));
        const double whole = sine(angle);
        to_weight = static_cast<float>(sine(angle * static_cast<double>(part)) / whole);
        from_weight = static_cast<float>(sine(angle * static_cast<double>(1 - part)) / whole);
    }
    Quaternion out;
    for (size_t i = 0; i < 4; i++)
        out[i] = from[i] * from_weight + to[i] * to_weight;
    return normalized(out);
}

/// A place between two keys: `part` is 0 at the first and 1 at the second.
struct Place {
    size_t key = 0;
    size_t next = 0;
    float part = 0;
    float step = 0;  ///< seconds between the keys
};

Place place_of(const std::vector<float>& times, double seconds) {
    const auto above = std::upper_bound(times.begin(), times.end(), static_cast<float>(seconds));
    if (above == times.begin())
        return {};
    const auto next = static_cast<size_t>(above - times.begin());
    if (next == times.size())
        return {next - 1, next - 1, 0, 0};
    const float step = times[next] - times[next - 1];
    return {next - 1, next, (static_cast<float>(seconds) - times[next - 1]) / step, step};
}

/// The Hermite spline of appendix C.
float spline(float p0, float m0, float p1, float m1, float t) {
    const float t2 = t * t;
    const float t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * p0 + (t3 - 2 * t2 + t) * m0 + (3 * t2 - 2 * t3) * p1 +
           (t3 - t2) * m1;
}

std::vector<float> sample(const GltfChannel& channel, double seconds) {
    const Place place = place_of(channel.times, seconds);
    const size_t width = channel.width;
    const bool is_spline = channel.interpolation == Interpolation::CubicSpline;
    // A spline's key has an in-tangent, a value and an out-tangent.
    const auto at = [&](size_t key, size_t part) {
        return std::span<const float>(
            &channel.values[is_spline ? (3 * key + part) * width : key * width], width);
    };
    const std::span<const float> from = at(place.key, 1);
    const std::span<const float> to = at(place.next, 1);
    std::vector<float> out(from.begin(), from.end());
    if (channel.interpolation == Interpolation::Step || place.part == 0)
        return out;
    if (is_spline) {
        for (size_t i = 0; i < width; i++)
            out[i] = spline(from[i], place.step * at(place.key, 2)[i], to[i],
                            place.step * at(place.next, 0)[i], place.part);
    } else if (channel.path == ChannelPath::Rotation) {
        Quaternion a{from[0], from[1], from[2], from[3]};
        const Quaternion q =
            between(normalized(a), normalized({to[0], to[1], to[2], to[3]}), place.part);
        out.assign(q.begin(), q.end());
    } else {
        for (size_t i = 0; i < width; i++)
            out[i] = from[i] + (to[i] - from[i]) * place.part;
    }
    return out;
}

void set(GltfPose& pose, const GltfChannel& channel, const std::vector<float>& value) {
    GltfTransform& transform = pose.transforms[channel.node];
    switch (channel.path) {
    case ChannelPath::Translation:
        std::copy_n(value.begin(), 3, transform.translation.begin());
        break;
    case ChannelPath::Rotation:
        transform.rotation = normalized({value[0], value[1], value[2], value[3]});
        break;
    case ChannelPath::Scale: std::copy_n(value.begin(), 3, transform.scale.begin()); break;
    case ChannelPath::Weights: pose.weights[channel.node] = value; break;
    }
}

/// Translation * rotation * scale (3.5.3).
Mat4 matrix_of(const GltfTransform& t) {
    const auto [x, y, z, w] = normalized(t.rotation);
    Mat4 out{{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0},
              {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0},
              {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0},
              {t.translation[0], t.translation[1], t.translation[2], 1}}};
    for (size_t column = 0; column < 3; column++)
        for (size_t row = 0; row < 3; row++)
            out[column][row] *= t.scale[column];
    return out;
}

void set_world(const GltfModel& model, GltfPose& pose) {
    for (size_t i = 0; i < model.nodes.size(); i++) {
        const GltfNode& node = model.nodes[i];
        const Mat4 local = node.has_matrix ? node.matrix : matrix_of(pose.transforms[i]);
        pose.world.push_back(node.parent == kNone ? local
                                                  : multiply(pose.world[node.parent], local));
    }
}

Vec3 transformed(const Mat4& m, const float (&p)[3]) {
    Vec3 out;
    for (size_t row = 0; row < 3; row++)
        out[row] = m[0][row] * p[0] + m[1][row] * p[1] + m[2][row] * p[2] + m[3][row];
    return out;
}

/// The vertex in the world, as the vertex shaders compute it.
Vec3 placed(const GltfVertex& vertex, const std::vector<Mat4>& palette, bool has_skin) {
    if (!has_skin)
        return transformed(palette[0], vertex.position);
    Vec3 out{};
    for (size_t k = 0; k < 4; k++) {
        const Vec3 place = transformed(palette[vertex.joints[k]], vertex.position);
        for (size_t i = 0; i < 3; i++)
            out[i] += place[i] * vertex.weights[k];
    }
    return out;
}

}  // namespace

GltfPose gltf_pose(const GltfModel& model, size_t animation, double seconds) {
    GltfPose pose;
    for (const GltfNode& node : model.nodes) {
        pose.transforms.push_back(node.transform);
        std::vector<float> weights;
        if (node.mesh != kNone)
            weights = model.meshes[node.mesh].weights;
        if (node.weights.size() == weights.size())
            weights = node.weights;
        pose.weights.push_back(std::move(weights));
    }
    if (animation != kNone)
        for (const GltfChannel& channel : model.animations[animation].channels)
            set(pose, channel, sample(channel, seconds));
    set_world(model, pose);
    return pose;
}

std::vector<Mat4> gltf_palette(const GltfModel& model, const GltfPose& pose, size_t node) {
    const size_t number = model.nodes[node].skin;
    if (number == kNone)
        return {pose.world[node]};
    const GltfSkin& skin = model.skins[number];
    std::vector<Mat4> out;
    for (size_t i = 0; i < skin.joints.size(); i++)
        out.push_back(multiply(pose.world[skin.joints[i]], skin.inverse_bind[i]));
    return out;
}

std::vector<GltfVertex> gltf_morph(const GltfPrimitive& primitive,
                                   const std::vector<float>& weights) {
    std::vector<GltfVertex> out = primitive.vertices;
    for (size_t target = 0; target < std::min(weights.size(), primitive.targets.size()); target++) {
        const float weight = weights[target];
        if (weight == 0)
            continue;
        for (size_t i = 0; i < out.size(); i++)
            for (size_t k = 0; k < 3; k++) {
                out[i].position[k] += weight * primitive.targets[target][i].position[k];
                out[i].normal[k] += weight * primitive.targets[target][i].normal[k];
            }
    }
    return out;
}

GltfBounds gltf_bounds(const GltfModel& model, const GltfPose& pose) {
    GltfBounds out;
    out.low.fill(HUGE_VALF);
    out.high.fill(-HUGE_VALF);
    for (size_t i = 0; i < model.nodes.size(); i++) {
        if (model.nodes[i].mesh == kNone)
            continue;
        const std::vector<Mat4> palette = gltf_palette(model, pose, i);
        for (const GltfPrimitive& primitive : model.meshes[model.nodes[i].mesh].primitives)
            for (const GltfVertex& vertex : gltf_morph(primitive, pose.weights[i])) {
                const Vec3 place = placed(vertex, palette, model.nodes[i].skin != kNone);
                for (size_t k = 0; k < 3; k++) {
                    out.low[k] = std::min(out.low[k], place[k]);
                    out.high[k] = std::max(out.high[k], place[k]);
                }
            }
    }
    return out;
}

}  // namespace valkyr::examples
