// Nodes of glTF: converts the hierarchy of nodes, skins, and animations.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_accessor.hpp"
#include "examples/gltf/gltf_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace valkyr::examples {

namespace {

template <size_t N>
void copy_numbers(const std::vector<double>& from, std::array<float, N>& to) {
    if (from.size() == N)
        for (size_t i = 0; i < N; i++)
            to[i] = std::isfinite(from[i]) ? static_cast<float>(from[i]) : 0;
}

Result<GltfNode>
node_of(const tinygltf::Model& file, const tinygltf::Node& from, const std::string& what) {
    GltfNode out;
    out.name = from.name;
    VALKYR_TRY(mesh, gltf_index(from.mesh, file.meshes.size(), what, "mesh"));
    VALKYR_TRY(skin, gltf_index(from.skin, file.skins.size(), what, "skin"));
    out.mesh = mesh;
    out.skin = skin;
    copy_numbers(from.translation, out.transform.translation);
    copy_numbers(from.rotation, out.transform.rotation);
    copy_numbers(from.scale, out.transform.scale);
    std::array<float, 16> matrix{};
    out.has_matrix = from.matrix.size() == matrix.size();
    copy_numbers(from.matrix, matrix);
    std::memcpy(out.matrix.data(), matrix.data(), sizeof matrix);
    for (const double weight : from.weights)
        out.weights.push_back(static_cast<float>(weight));
    return out;
}

/// The nodes that the scene begins with: of the default scene, else of the first one, else all that
/// are nobody's child.
Result<std::vector<int>> roots_of(const tinygltf::Model& file) {
    VALKYR_TRY(number, gltf_index(file.defaultScene, file.scenes.size(), "scene", "scene"));
    if (number != kNone || !file.scenes.empty())
        return file.scenes[number == kNone ? 0 : number].nodes;
    std::vector<bool> is_child(file.nodes.size());
    for (const tinygltf::Node& node : file.nodes)
        for (const int child : node.children)
            if (child >= 0 && static_cast<size_t>(child) < is_child.size())
                is_child[static_cast<size_t>(child)] = true;
    std::vector<int> roots;
    for (size_t i = 0; i < is_child.size(); i++)
        if (!is_child[i])
            roots.push_back(static_cast<int>(i));
    return roots;
}

Result<GltfSkin> skin_of(const tinygltf::Model& file,
                         const tinygltf::Skin& from,
                         const GltfNodes& nodes,
                         const std::string& what) {
    GltfSkin out;
    for (const int joint : from.joints) {
        VALKYR_TRY(number, gltf_index(joint, file.nodes.size(), what, "node"));
        if (number == kNone || nodes.places[number] == kNone)
            return gltf_error(what, "a joint is not in the scene");
        out.joints.push_back(nodes.places[number]);
    }
    if (out.joints.empty())
        return gltf_error(what, "there are no joints");
    out.inverse_bind.assign(out.joints.size(), identity());
    if (from.inverseBindMatrices < 0)
        return out;
    VALKYR_TRY(matrices,
               read_array(file, from.inverseBindMatrices, what + ".inverseBindMatrices", 16));
    if (matrices.count < out.joints.size())
        return gltf_error(what, "there are fewer matrices than joints");
    std::memcpy(out.inverse_bind.data(), matrices.values.data(), sizeof(Mat4) * out.joints.size());
    return out;
}

struct PathKind {
    const char* name;
    ChannelPath path;
    uint32_t width;  ///< 0: as many as there are morph targets
};
constexpr PathKind kPaths[] = {{"translation", ChannelPath::Translation, 3},
                               {"rotation", ChannelPath::Rotation, 4},
                               {"scale", ChannelPath::Scale, 3},
                               {"weights", ChannelPath::Weights, 0}};

Interpolation interpolation_of(const std::string& name) {
    return name == "STEP"          ? Interpolation::Step
           : name == "CUBICSPLINE" ? Interpolation::CubicSpline
                                   : Interpolation::Linear;
}

Result<GltfChannel> channel_of(const tinygltf::Model& file,
                               const tinygltf::AnimationSampler& from,
                               const PathKind& kind,
                               uint32_t width,
                               const std::string& what) {
    GltfChannel out;
    out.path = kind.path;
    out.width = width;
    out.interpolation = interpolation_of(from.interpolation);
    VALKYR_TRY(times, read_array(file, from.input, what + ".input", 1));
    const bool ascending = std::is_sorted(times.values.begin(), times.values.end());
    if (!ascending || times.values.front() < 0)
        return gltf_error(what, "times do not ascend from 0");
    VALKYR_TRY(values, read_array(file, from.output, what + ".output"));
    const size_t keys = times.count * (out.interpolation == Interpolation::CubicSpline ? 3 : 1);
    if (values.values.size() != keys * width)
        return gltf_error(what, "times and values do not match");
    out.times = std::move(times.values);
    out.values = std::move(values.values);
    return out;
}

/// Adds a channel, unless its node is not in the scene or it has no effect.
Result<void> add_channel(const tinygltf::Model& file,
                         const tinygltf::Animation& from,
                         const tinygltf::AnimationChannel& channel,
                         const GltfNodes& nodes,
                         const std::vector<GltfMesh>& meshes,
                         const std::string& what,
                         GltfAnimation& out) {
    const auto* const kind = std::find_if(std::begin(kPaths), std::end(kPaths), [&](const auto& k) {
        return channel.target_path == k.name;
    });
    VALKYR_TRY(target, gltf_index(channel.target_node, file.nodes.size(), what, "node"));
    if (kind == std::end(kPaths) || target == kNone || nodes.places[target] == kNone)
        return {};
    const size_t place = nodes.places[target];
    uint32_t width = kind->width;
    if (width == 0) {
        const size_t mesh = nodes.nodes[place].mesh;
        width = mesh == kNone ? 0 : static_cast<uint32_t>(meshes[mesh].weights.size());
        if (width == 0)
            return {};
    }
    VALKYR_TRY(sampler, gltf_index(channel.sampler, from.samplers.size(), what, "sampler"));
    if (sampler == kNone)
        return gltf_error(what, "a channel has no sampler");
    VALKYR_TRY(read, channel_of(file, from.samplers[sampler], *kind, width,
                                what + "." + gltf_name("samplers", sampler)));
    read.node = place;
    out.duration = std::max(out.duration, read.times.back());
    out.channels.push_back(std::move(read));
    return {};
}

}  // namespace

Result<GltfNodes> gltf_nodes(const tinygltf::Model& file) {
    GltfNodes out;
    out.places.assign(file.nodes.size(), kNone);
    struct Entry {
        int node;
        size_t parent;
    };
    std::vector<Entry> open;
    // The last entry is taken first; children stay in their order.
    const auto add = [&](const std::vector<int>& numbers, size_t parent) {
        for (auto number = numbers.rbegin(); number != numbers.rend(); ++number)
            open.push_back({*number, parent});
    };
    VALKYR_TRY(roots, roots_of(file));
    add(roots, kNone);
    while (!open.empty()) {
        const Entry entry = open.back();
        open.pop_back();
        VALKYR_TRY(number, gltf_index(entry.node, file.nodes.size(), "nodes", "node"));
        const std::string what = gltf_name("nodes", number);
        if (number == kNone || out.places[number] != kNone)
            return gltf_error(what, "the node is in the hierarchy twice");
        VALKYR_TRY(node, node_of(file, file.nodes[number], what));
        node.parent = entry.parent;
        out.places[number] = out.nodes.size();
        add(file.nodes[number].children, out.nodes.size());
        out.nodes.push_back(std::move(node));
    }
    return out;
}

Result<std::vector<GltfSkin>> gltf_skins(const tinygltf::Model& file, const GltfNodes& nodes) {
    std::vector<GltfSkin> out(file.skins.size());
    for (const GltfNode& node : nodes.nodes) {
        if (node.skin == kNone || !out[node.skin].joints.empty())
            continue;
        VALKYR_TRY(skin,
                   skin_of(file, file.skins[node.skin], nodes, gltf_name("skins", node.skin)));
        out[node.skin] = std::move(skin);
    }
    return out;
}

Result<std::vector<GltfAnimation>> gltf_animations(const tinygltf::Model& file,
                                                   const GltfNodes& nodes,
                                                   const std::vector<GltfMesh>& meshes) {
    std::vector<GltfAnimation> out;
    for (const tinygltf::Animation& from : file.animations) {
        const std::string what = gltf_name("animations", out.size());
        GltfAnimation animation;
        animation.name = from.name;
        for (const tinygltf::AnimationChannel& channel : from.channels)
            VALKYR_TRY_VOID(add_channel(file, from, channel, nodes, meshes, what, animation));
        out.push_back(std::move(animation));
    }
    return out;
}

}  // namespace valkyr::examples
