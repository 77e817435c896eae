// Pose of glTF: computes where nodes, joints and morph targets are at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/gltf/gltf_model.hpp"

namespace valkyr::examples {

/// Local transforms and weights of all nodes, and the matrices into the world.
struct GltfPose {
    std::vector<GltfTransform> transforms;    ///< of nodes without a matrix
    std::vector<std::vector<float>> weights;  ///< of nodes whose mesh has morph targets
    std::vector<Mat4> world;
};

/// The pose of an animation at a time; kNone: of the model without animation. Times beyond the
/// first and the last key have those keys' values (3.11).
/// animation  below model.animations.size(), or kNone
GltfPose gltf_pose(const GltfModel& model, size_t animation, double seconds);

/// The matrices that take vertices into the world: of a node with a skin one for each joint
/// (3.7.3), else the node's own.
std::vector<Mat4> gltf_palette(const GltfModel& model, const GltfPose& pose, size_t node);

/// The vertices with the offsets of the morph targets, weighted.
std::vector<GltfVertex> gltf_morph(const GltfPrimitive& primitive,
                                   const std::vector<float>& weights);

/// The corners of a box around all vertices at the pose.
struct GltfBounds {
    Vec3 low;
    Vec3 high;
};
GltfBounds gltf_bounds(const GltfModel& model, const GltfPose& pose);

}  // namespace valkyr::examples
