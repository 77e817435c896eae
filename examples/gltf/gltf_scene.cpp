// Scene of glTF: shows a glTF model with its materials, and plays an animation.
// SPDX-License-Identifier: MIT
//
// gltf.frag.tgsi is the metallic-roughness model of the specification's appendix B: GGX, the height
// correlated Smith term, and Schlick's Fresnel for the light; for the sky a gradient that is the
// sharper, the smoother the surface is. Colours are linear until they are encoded as sRGB at its
// end.
#include "examples/gltf/gltf_scene.hpp"

#include "examples/gltf/gltf_pose.hpp"
#include "examples/picture_texture.hpp"
#include "examples/scene_base.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace valkyr::examples {

namespace {

using namespace raster;

/// As many as gltf_skin.vert.tgsi declares.
constexpr size_t kMostJoints = 1024;
/// Poses that the picture is fitted to.
constexpr int kFittedPoses = 8;

/// The first three rows of a matrix: what shaders multiply points by.
void add_rows(Constants& constants, const Mat4& m) {
    for (size_t row = 0; row < 3; row++)
        constants.add(Float4{m[0][row], m[1][row], m[2][row], m[3][row]});
}

/// The matrix that normals are multiplied by, up to a factor: cofactors of the upper 3 x 3 part.
/// They are the inverse transpose times the determinant, and exist for flat models, too.
Mat4 normal_matrix(const Mat4& m) {
    Mat4 out{};
    for (size_t c = 0; c < 3; c++)
        for (size_t r = 0; r < 3; r++) {
            const size_t c1 = (c + 1) % 3;
            const size_t c2 = (c + 2) % 3;
            const size_t r1 = (r + 1) % 3;
            const size_t r2 = (r + 2) % 3;
            out[c][r] = m[c1][r1] * m[c2][r2] - m[c1][r2] * m[c2][r1];
        }
    return out;
}

float determinant(const Mat4& m) {
    const Mat4 cofactors = normal_matrix(m);
    return m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
}

/// Constants 2 to 20 of gltf.frag.tgsi.
Constants material_constants(const GltfMaterial& m) {
    const bool is_masked = m.alpha_mode == AlphaMode::Mask;
    const bool is_opaque = m.alpha_mode != AlphaMode::Blend;
    const bool has_normals = m.textures[kNormal].image != kNone;
    Constants out;
    out.add(m.base_color)
        .add(float4(m.emissive, is_masked ? m.alpha_cutoff : -1.0F))
        .add(Float4{m.metallic, m.roughness, has_normals ? m.normal_scale : 0.0F,
                    m.textures[kOcclusion].image == kNone ? 0.0F : m.occlusion_strength})
        .add(Float4{m.unlit ? 1.0F : 0.0F, is_opaque ? 1.0F : 0.0F, 0, 0});
    for (const GltfTextureUse& use : m.textures)
        out.add(use.rows[0]).add(use.rows[1]).add(Float4{use.offset[0], use.offset[1], 0, 0});
    return out;
}

/// A primitive of a node, ready to be drawn.
struct Piece {
    size_t node;
    const GltfPrimitive* primitive;
    BufferRef vertices;
    BufferRef indices;
};

/// A material's textures, samplers and constants.
struct Surface {
    std::vector<TextureView> textures;
    std::vector<SamplerState> samplers;
    Constants constants;
    bool blends = false;
    bool double_sided = false;
};

class GltfScene final : public MeshScene {
public:
    GltfScene(Device& device, const GltfModel& model, size_t animation)
        : MeshScene(device)
        , model_(model)
        , animation_(animation) {}

    Result<void> prepare() {
        for (const GltfSkin& skin : model_.skins)
            if (skin.joints.size() > kMostJoints)
                return Error{Errc::Unsupported, {}, "a skin has more than 1024 joints"};
        VALKYR_TRY_VOID(prepare_surfaces());
        VALKYR_TRY_VOID(prepare_pieces());
        fit();
        VALKYR_TRY(background, screen_pipeline("gradient.frag"));
        background_ = background;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        const double narrow = std::min(1.0, static_cast<double>(width) / height);
        const double distance = 2.75 * radius_ / narrow;
        const Eye from = eye({.distance = distance,
                              .pitch = 0.25,
                              .yaw = -0.5 + 0.4 * seconds,
                              .target = middle_,
                              .z_near = distance / 50,
                              .z_far = 12 * radius_ / narrow},
                             width, height);
        VALKYR_TRY_VOID(draw_sky(
            background_, from,
            Constants().add(Float4{0.34F, 0.37F, 0.42F, 0}).add(Float4{0.12F, 0.13F, 0.16F, 0})));
        const GltfPose pose = gltf_pose(model_, animation_, time_of(seconds));
        // Opaque pieces are drawn before transparent ones.
        for (const bool blends : {false, true})
            for (const Piece& piece : pieces_)
                if (surfaces_[piece.primitive->material].blends == blends)
                    VALKYR_TRY_VOID(draw_piece(piece, pose, from));
        return {};
    }

private:
    [[nodiscard]] double time_of(double seconds) const {
        const float duration = animation_ == kNone ? 0 : model_.animations[animation_].duration;
        return duration > 0 ? std::fmod(seconds, static_cast<double>(duration)) : 0;
    }

    Result<void> prepare_surfaces() {
        std::map<std::pair<size_t, bool>, TextureRef> textures;  // by image and sRGB
        const Image white{1, 1, {255, 255, 255, 255}};
        for (const GltfMaterial& material : model_.materials) {
            Surface surface;
            for (const GltfTextureUse& use : material.textures) {
                const bool is_missing = use.image == kNone || model_.images[use.image].rgba.empty();
                TextureRef& texture = textures[{is_missing ? kNone : use.image, use.srgb}];
                if (texture == nullptr) {
                    VALKYR_TRY(created,
                               create_picture_texture(
                                   device_, is_missing ? white : model_.images[use.image],
                                   use.srgb ? Format::R8G8B8A8_SRGB : Format::R8G8B8A8_UNORM));
                    texture = created;
                }
                surface.textures.push_back({texture});
                surface.samplers.push_back(use.sampler);
            }
            surface.constants = material_constants(material);
            surface.blends = material.alpha_mode == AlphaMode::Blend;
            surface.double_sided = material.double_sided;
            surfaces_.push_back(std::move(surface));
        }
        return {};
    }

    /// Nodes with one mesh share its buffers, unless morph targets change them.
    Result<void> prepare_pieces() {
        std::map<const GltfPrimitive*, Piece> made;
        for (size_t node = 0; node < model_.nodes.size(); node++) {
            if (model_.nodes[node].mesh == kNone)
                continue;
            for (const GltfPrimitive& primitive :
                 model_.meshes[model_.nodes[node].mesh].primitives) {
                if (primitive.indices.empty())
                    continue;
                Piece piece{node, &primitive, {}, {}};
                const auto found = made.find(&primitive);
                if (found != made.end() && primitive.targets.empty()) {
                    piece.vertices = found->second.vertices;
                    piece.indices = found->second.indices;
                } else {
                    VALKYR_TRY_VOID(create_buffers(piece));
                    made[&primitive] = piece;
                }
                pieces_.push_back(piece);
            }
        }
        return {};
    }

    Result<void> create_buffers(Piece& piece) {
        const auto vertices = std::as_bytes(std::span(piece.primitive->vertices));
        const auto indices = std::as_bytes(std::span(piece.primitive->indices));
        VALKYR_TRY(vertex_buffer, device_.create_buffer(vertices.size(), vertices));
        VALKYR_TRY(index_buffer, device_.create_buffer(indices.size(), indices));
        piece.vertices = vertex_buffer;
        piece.indices = index_buffer;
        return {};
    }

    /// Finds a sphere around the model at some poses of the animation.
    void fit() {
        Vec3 low;
        Vec3 high;
        low.fill(HUGE_VALF);
        high.fill(-HUGE_VALF);
        const float duration = animation_ == kNone ? 0 : model_.animations[animation_].duration;
        for (int i = 0; i < (duration > 0 ? kFittedPoses : 1); i++) {
            const double seconds = static_cast<double>(duration) * i / kFittedPoses;
            const GltfBounds bounds = gltf_bounds(model_, gltf_pose(model_, animation_, seconds));
            for (size_t k = 0; k < 3; k++) {
                low[k] = std::min(low[k], bounds.low[k]);
                high[k] = std::max(high[k], bounds.high[k]);
            }
        }
        double square = 0;
        for (size_t k = 0; k < 3; k++) {
            middle_[k] = (low[k] + high[k]) / 2;
            const double half = (static_cast<double>(high[k]) - low[k]) / 2;
            square += half * half;
        }
        radius_ = square > 0 && std::isfinite(square) ? std::sqrt(square) : 1;
    }

    /// Makes a pipeline when the first piece needs it: most models need one or two.
    /// cull  the faces that are not drawn, by winding
    Result<PipelineRef> pipeline_for(bool has_skin, CullFace cull, bool blends) {
        PipelineRef& pipeline = pipelines_[{has_skin, cull, blends}];
        if (pipeline == nullptr) {
            VALKYR_TRY(created, create_pipeline(has_skin, cull, blends));
            pipeline = created;
        }
        return pipeline;
    }

    Result<PipelineRef> create_pipeline(bool has_skin, CullFace cull, bool blends) {
        VALKYR_TRY(desc, mesh_pipeline(has_skin ? "gltf_skin.vert" : "gltf.vert", "gltf.frag"));
        desc.elements = {{0, offsetof(GltfVertex, position), 0, Format::R32G32B32_FLOAT},
                         {0, offsetof(GltfVertex, normal), 0, Format::R32G32B32_FLOAT},
                         {0, offsetof(GltfVertex, uv), 0, Format::R32G32B32A32_FLOAT},
                         {0, offsetof(GltfVertex, color), 0, Format::R32G32B32A32_FLOAT}};
        if (has_skin) {
            desc.elements.push_back(
                {0, offsetof(GltfVertex, joints), 0, Format::R16G16B16A16_UINT});
            desc.elements.push_back(
                {0, offsetof(GltfVertex, weights), 0, Format::R32G32B32A32_FLOAT});
        }
        desc.strides = {sizeof(GltfVertex)};
        desc.rasterizer.cull = cull;
        if (blends)
            blend_over(desc);
        return device_.create_pipeline(desc);
    }

    void set_vertex_constants(const Piece& piece,
                              const std::vector<Mat4>& palette,
                              const Mat4& view_projection) {
        Constants constants;
        constants.add(view_projection);
        if (model_.nodes[piece.node].skin == kNone) {
            add_rows(constants, palette[0]);
            add_rows(constants, normal_matrix(palette[0]));
            state_.vertex().constants = {constants.words()};
            return;
        }
        Constants joints;
        for (const Mat4& joint : palette)
            add_rows(joints, joint);
        state_.vertex().constants = {constants.words(), joints.words()};
    }

    Result<void> draw_piece(const Piece& piece, const GltfPose& pose, const Eye& from) {
        const GltfPrimitive& primitive = *piece.primitive;
        const Surface& surface = surfaces_[primitive.material];
        if (!primitive.targets.empty()) {
            const auto vertices = gltf_morph(primitive, pose.weights[piece.node]);
            VALKYR_TRY_VOID(
                device_.write_buffer(piece.vertices, 0, std::as_bytes(std::span(vertices))));
        }
        const bool has_skin = model_.nodes[piece.node].skin != kNone;
        const std::vector<Mat4> palette = gltf_palette(model_, pose, piece.node);
        set_vertex_constants(piece, palette, from.view_projection);
        // A mirrored node turns the winding of its triangles (3.7.4).
        const bool is_mirrored = !has_skin && determinant(palette[0]) < 0;
        const CullFace cull = surface.double_sided ? CullFace::None
                              : is_mirrored        ? CullFace::Front
                                                   : CullFace::Back;
        VALKYR_TRY(pipeline, pipeline_for(has_skin, cull, surface.blends));
        state_.pipeline = pipeline;
        std::vector<uint32_t> words =
            Constants().add(shoulder_light(from)).add(float4(from.place)).words();
        words.insert(words.end(), surface.constants.words().begin(),
                     surface.constants.words().end());
        state_.fragment().constants = {std::move(words)};
        state_.fragment().textures = surface.textures;
        state_.fragment().samplers = surface.samplers;
        state_.vertex_buffers = {{piece.vertices}};
        state_.index_buffer = {piece.indices};
        state_.index_type = IndexType::U32;
        DrawInfo info;
        info.count = static_cast<uint32_t>(primitive.indices.size());
        return device_.draw(state_, info);
    }

    const GltfModel& model_;
    size_t animation_;
    std::vector<Surface> surfaces_;
    std::vector<Piece> pieces_;
    std::map<std::tuple<bool, CullFace, bool>, PipelineRef> pipelines_;
    PipelineRef background_;
    Vec3 middle_{};
    double radius_ = 1;
};

}  // namespace

Result<std::unique_ptr<Scene>>
create_gltf_scene(Device& device, const GltfModel& model, size_t animation) {
    auto scene = std::make_unique<GltfScene>(device, model, animation);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
