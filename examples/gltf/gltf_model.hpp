// Model of glTF: holds what a glTF 2.0 file describes, ready to be drawn.
// SPDX-License-Identifier: MIT
//
// Section numbers are those of the glTF 2.0 specification.
#pragma once

#include "base/result.hpp"
#include "examples/image_io.hpp"
#include "examples/math3d.hpp"
#include "examples/model.hpp"
#include "raster/state.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace valkyr::examples {

/// The index of nothing.
inline constexpr size_t kNone = std::numeric_limits<size_t>::max();

/// Joints count from 0 within the node's skin; weights are >= 0.
struct GltfVertex {
    float position[3];
    float normal[3];  ///< unit length, unless zero
    float uv[4];      ///< TEXCOORD_0 and TEXCOORD_1
    float color[4];
    uint16_t joints[4];
    float weights[4];
};

/// Changes of a vertex by a morph target of weight 1 (3.7.2.2).
struct GltfOffset {
    Vec3 position{};
    Vec3 normal{};
};

/// A texture of a material. Its place is rows * (u0, v0, u1, v1) + offset, which chooses the
/// coordinates and applies KHR_texture_transform.
struct GltfTextureUse {
    size_t image = kNone;  ///< kNone: white
    bool srgb = false;
    raster::SamplerState sampler;
    std::array<std::array<float, 4>, 2> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}}};
    std::array<float, 2> offset{};
};

enum class AlphaMode : uint8_t { Opaque, Mask, Blend };

/// Order of the textures of a material.
enum GltfTextureSlot : uint8_t {
    kBaseColor,
    kMetallicRoughness,
    kNormal,
    kOcclusion,
    kEmissive,
    kTextureSlots
};

/// A metallic-roughness material (3.9). Factors are 0..1, those of emission may be larger.
struct GltfMaterial {
    std::array<float, 4> base_color{1, 1, 1, 1};
    Vec3 emissive{};
    float metallic = 1;
    float roughness = 1;
    float normal_scale = 1;
    float occlusion_strength = 1;
    AlphaMode alpha_mode = AlphaMode::Opaque;
    float alpha_cutoff = 0.5F;
    bool double_sided = false;
    bool unlit = false;  ///< KHR_materials_unlit
    std::array<GltfTextureUse, kTextureSlots> textures;
};

/// Triangles with one material.
struct GltfPrimitive {
    std::vector<GltfVertex> vertices;
    std::vector<uint32_t> indices;                 ///< three a triangle, each below vertices.size()
    std::vector<std::vector<GltfOffset>> targets;  ///< each as long as vertices
    size_t material = 0;
};

struct GltfMesh {
    std::vector<GltfPrimitive> primitives;
    std::vector<float> weights;  ///< of morph targets, as many as each primitive has
};

/// Translation, rotation (a quaternion x, y, z, w of unit length) and scale of a node.
struct GltfTransform {
    Vec3 translation{};
    std::array<float, 4> rotation{0, 0, 0, 1};
    Vec3 scale{1, 1, 1};
};

struct GltfNode {
    std::string name;
    size_t parent = kNone;  ///< its place in `nodes` is before this one's
    GltfTransform transform;
    bool has_matrix = false;  ///< then `matrix` counts, and not `transform`
    Mat4 matrix{};
    size_t mesh = kNone;
    size_t skin = kNone;
    std::vector<float> weights;  ///< of morph targets; empty: those of the mesh
};

struct GltfSkin {
    std::vector<size_t> joints;  ///< nodes
    std::vector<Mat4> inverse_bind;
};

enum class Interpolation : uint8_t { Step, Linear, CubicSpline };
enum class ChannelPath : uint8_t { Translation, Rotation, Scale, Weights };

/// Keyframes of one property of a node (3.11).
struct GltfChannel {
    size_t node = 0;
    ChannelPath path = ChannelPath::Translation;
    Interpolation interpolation = Interpolation::Linear;
    uint32_t width = 3;         ///< components of a value
    std::vector<float> times;   ///< seconds, ascending, at least one
    std::vector<float> values;  ///< width a key; splines: in-tangent, value, out-tangent
};

struct GltfAnimation {
    std::string name;
    std::vector<GltfChannel> channels;
    float duration = 0;  ///< seconds; the last time of all channels
};

/// Nodes are those of the scene that is shown, parents first.
struct GltfModel {
    std::vector<Image> images;  ///< empty ones could not be read
    std::vector<GltfMaterial> materials;
    std::vector<GltfMesh> meshes;
    std::vector<GltfNode> nodes;
    std::vector<GltfSkin> skins;
    std::vector<GltfAnimation> animations;
    std::vector<std::string> warnings;  ///< parts that were left out or replaced, a line each

    /// Sums over the nodes with meshes.
    [[nodiscard]] size_t triangles() const;
    [[nodiscard]] size_t vertices() const;
};

/// True if the file's ending is .gltf or .glb, in letters of any case.
bool is_gltf_path(const std::string& path);

/// Reads the text (.gltf) or the binary form (.glb), with buffers and pictures from a folder or
/// within it.
/// errors  Syntax: not JSON, not glTF, a buffer that cannot be read; Semantic: an index, a range, a
///         type or a count that section 3 forbids; OutOfRange: a limit; Unsupported: a required
///         extension, another version; InvalidState: no triangles. The text names the object of
///         the file. Pictures that are missing or bad are warnings.
Result<GltfModel> read_gltf(const std::string& bytes,
                            const std::string& folder,
                            const Progress& progress = {},
                            const ModelLimits& limits = {});

/// read_gltf() of a file and its folder.
/// errors  also System: the file cannot be read
Result<GltfModel>
load_gltf(const std::string& path, const Progress& progress = {}, const ModelLimits& limits = {});

}  // namespace valkyr::examples
