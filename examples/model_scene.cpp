// Model scene: shows a model from a file.
// SPDX-License-Identifier: MIT
#include "examples/model_scene.hpp"

#include "examples/picture_texture.hpp"
#include "examples/scene_base.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::examples {

namespace {

using namespace raster;

/// Moves the middle of the model to the origin and scales it into the unit sphere.
Mesh fitted(const Model& model) {
    std::array<double, 3> middle{};
    double square = 0;
    for (size_t i = 0; i < 3; i++) {
        middle[i] = (double{model.low[i]} + model.high[i]) / 2;
        const double half = double{model.high[i]} - middle[i];
        square += half * half;
    }
    const double scale = 1 / std::sqrt(square);
    Mesh mesh = model.mesh;
    for (MeshVertex& vertex : mesh.vertices)
        for (size_t i = 0; i < 3; i++)
            vertex.position[i] = static_cast<float>((vertex.position[i] - middle[i]) * scale);
    return mesh;
}

class ModelScene final : public MeshScene {
public:
    explicit ModelScene(Device& device)
        : MeshScene(device) {}

    Result<void> prepare(const Model& model) {
        VALKYR_TRY(mesh, upload(device_, fitted(model)));
        mesh_ = mesh;
        VALKYR_TRY(white, create_picture_texture(device_, {1, 1, {255, 255, 255, 255}}));
        for (const ModelPart& part : model.parts) {
            const ModelMaterial& material = model.materials[part.material];
            TextureRef texture = white;
            if (!material.texture.rgba.empty()) {
                VALKYR_TRY(picture, create_picture_texture(device_, material.texture));
                texture = picture;
            }
            parts_.push_back({part.first, part.count, texture, material.opacity < 1,
                              Constants()
                                  .add(float4(material.diffuse, material.opacity))
                                  .add(float4(material.specular, material.shininess))
                                  .add(float4(material.emission))});
        }
        // Opaque parts are drawn before transparent ones.
        std::stable_partition(parts_.begin(), parts_.end(),
                              [](const Part& part) { return !part.clear; });
        SamplerState sampler;
        sampler.mip_filter = MipFilter::Linear;
        sampler.max_anisotropy = 8;
        state_.fragment().samplers = {sampler};
        return prepare_pipelines();
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        // At this distance, a unit sphere just fits into the smaller side of the picture.
        const double narrow = std::min(1.0, static_cast<double>(width) / height);
        const Eye from = eye({.distance = 2.75 / narrow,
                              .pitch = 0.35,
                              .yaw = 0.6 + 0.4 * seconds,
                              .z_near = 0.05,
                              .z_far = 12 / narrow},
                             width, height);
        VALKYR_TRY_VOID(draw_sky(
            background_, from,
            Constants().add(Float4{0.34F, 0.37F, 0.42F, 0}).add(Float4{0.12F, 0.13F, 0.16F, 0})));
        state_.vertex_buffers = {{mesh_.vertices}};
        state_.index_buffer = {mesh_.indices};
        state_.index_type = IndexType::U32;
        for (const Part& part : parts_)
            VALKYR_TRY_VOID(draw_part(part, from));
        return {};
    }

private:
    struct Part {
        uint32_t first;
        uint32_t count;
        TextureRef texture;
        bool clear;  ///< transparent
        Constants material;
    };

    Result<void> prepare_pipelines() {
        VALKYR_TRY(background, screen_pipeline("gradient.frag"));
        background_ = background;
        VALKYR_TRY(desc, mesh_pipeline("mesh.vert", "model.frag"));
        desc.rasterizer.cull = CullFace::None;
        VALKYR_TRY(solid, device_.create_pipeline(desc));
        solid_ = solid;
        blend_over(desc);
        VALKYR_TRY(clear, device_.create_pipeline(desc));
        clear_ = clear;
        return {};
    }

    Result<void> draw_part(const Part& part, const Eye& from) {
        state_.pipeline = part.clear ? clear_ : solid_;
        state_.fragment().textures = {{part.texture}};
        state_.vertex().constants = {Constants().add(from.view_projection).add(identity()).words()};
        std::vector<uint32_t> words =
            Constants().add(shoulder_light(from)).add(float4(from.place)).words();
        words.insert(words.end(), part.material.words().begin(), part.material.words().end());
        state_.fragment().constants = {std::move(words)};
        DrawInfo info;
        info.first = part.first;
        info.count = part.count;
        return device_.draw(state_, info);
    }

    DeviceMesh mesh_;
    std::vector<Part> parts_;
    PipelineRef background_, solid_, clear_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_model_scene(Device& device, const Model& model) {
    auto scene = std::make_unique<ModelScene>(device);
    VALKYR_TRY_VOID(scene->prepare(model));
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
