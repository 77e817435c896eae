// Fuzz target: reads bytes as a glTF file, and computes its poses.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "examples/gltf/gltf_model.hpp"
#include "examples/gltf/gltf_pose.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::fuzz {

using namespace examples;

namespace {

ModelLimits small_gltf_limits() {
    ModelLimits limits;
    limits.file_bytes = 1 << 16;
    limits.triangles = 2000;
    limits.texture_size = 16;
    limits.texture_bytes = 4096;
    return limits;
}

void check_primitive(const GltfModel& model, const GltfPrimitive& primitive) {
    VALKYR_CHECK(primitive.material < model.materials.size());
    VALKYR_CHECK(primitive.indices.size() % 3 == 0);
    for (const uint32_t index : primitive.indices)
        VALKYR_CHECK(index < primitive.vertices.size());
    for (const auto& target : primitive.targets)
        VALKYR_CHECK(target.size() == primitive.vertices.size());
    for (const GltfVertex& vertex : primitive.vertices) {
        VALKYR_CHECK(std::isfinite(vertex.position[0]) && std::isfinite(vertex.uv[3]));
        const float sum =
            vertex.weights[0] + vertex.weights[1] + vertex.weights[2] + vertex.weights[3];
        VALKYR_CHECK(std::abs(sum - 1) < 1e-3F);
    }
}

void check_references(const GltfModel& model) {
    for (size_t i = 0; i < model.nodes.size(); i++) {
        const GltfNode& node = model.nodes[i];
        VALKYR_CHECK(node.parent == kNone || node.parent < i);
        VALKYR_CHECK(node.mesh == kNone || node.mesh < model.meshes.size());
        VALKYR_CHECK(node.skin == kNone || node.skin < model.skins.size());
    }
    for (const GltfSkin& skin : model.skins)
        VALKYR_CHECK(skin.joints.size() == skin.inverse_bind.size());
    for (const GltfMaterial& material : model.materials)
        for (const GltfTextureUse& use : material.textures)
            VALKYR_CHECK(use.image == kNone || use.image < model.images.size());
}

void check_poses(const GltfModel& model) {
    for (size_t animation = 0; animation < model.animations.size(); animation++)
        for (const double seconds : {0.0, 0.3, 1e9})
            (void)gltf_bounds(model, gltf_pose(model, animation, seconds));
    (void)gltf_bounds(model, gltf_pose(model, kNone, 0));
}

}  // namespace

void gltf_model(std::span<const uint8_t> bytes) {
    const ModelLimits limits = small_gltf_limits();
    const auto model =
        read_gltf({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "/none", {}, limits);
    if (!model.has_value()) {
        VALKYR_CHECK(!model.error().text.empty() && model.error().text.size() < 5000);
        return;
    }
    VALKYR_CHECK(model->warnings.size() < 200);
    for (const GltfMesh& mesh : model->meshes)
        for (const GltfPrimitive& primitive : mesh.primitives)
            check_primitive(*model, primitive);
    check_references(*model);
    check_poses(*model);
}

}  // namespace valkyr::fuzz
