// Shadow map: draws a knot and its shadow, first the depth from the light, then from the eye.
// SPDX-License-Identifier: MIT
//
// Shows rendering to a depth texture, polygon offset, and a comparison sampler.
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr uint32_t kMapSize = 512;

/// Parallel light from (0.6, 0.8, 0): x' = 0.8 x - 0.6 y, y' = z, depth along the light.
Mat4 light_projection() {
    return Mat4{{{0.8F / 3, 0, -0.6F / 6, 0},
                 {-0.6F / 3, 0, -0.8F / 6, 0},
                 {0, 1 / 3.0F, 0, 0},
                 {0, 0, 0, 1}}};
}

/// Clip coordinates to texture coordinates and depth, 0..1.
Mat4 clip_to_texture() {
    return multiply(translation(0.5F, 0.5F, 0.5F), scaling(0.5F, 0.5F, 0.5F));
}

class ShadowMap final : public MeshScene {
public:
    explicit ShadowMap(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(knot, upload(device_, torus_knot(2, 3, 0.2F, 120, 14)));
        VALKYR_TRY(floor, upload(device_, ground(2.6F, -1.3F)));
        knot_ = knot;
        floor_ = floor;
        TextureDesc map;
        map.width = map.height = kMapSize;
        map.format = Format::D24_UNORM_S8_UINT;
        map.render_target = true;
        VALKYR_TRY(texture, device_.create_texture(map));
        map_.depth_stencil = {texture};
        VALKYR_TRY(lit, mesh_pipeline("mesh.vert", "shadowed.frag"));
        VALKYR_TRY(lit_pipeline, device_.create_pipeline(lit));
        lit_ = lit_pipeline;
        PipelineDesc depth = lit;
        depth.fragment = nullptr;
        depth.rasterizer.cull = CullFace::None;
        depth.rasterizer.offset_fill = true;
        depth.rasterizer.offset_scale = 2;
        depth.rasterizer.offset_units = 4;
        VALKYR_TRY(depth_pipeline, device_.create_pipeline(depth));
        depth_ = depth_pipeline;
        SamplerState compare;
        compare.compare_enable = true;
        compare.wrap_s = compare.wrap_t = Wrap::ClampToEdge;
        state_.fragment().samplers = {compare};
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        const Mat4 turn = multiply(rotation_y(0.6 * seconds), rotation_x(0.9));
        VALKYR_TRY_VOID(begin(map_, kMapSize, kMapSize, {}));
        state_.viewport = Viewport::over(0, 0, kMapSize, kMapSize);
        state_.fragment().textures.clear();
        VALKYR_TRY_VOID(draw_mesh(depth_, knot_, light_projection(), turn, Constants()));

        VALKYR_TRY_VOID(begin(framebuffer, width, height, {0.35F, 0.45F, 0.6F, 1}));
        state_.fragment().textures = {{map_.depth_stencil.texture}};
        const Mat4 from =
            eye({.distance = 7, .pitch = 0.55, .yaw = 0.5, .target = {0, -0.2F, 0}}, width, height)
                .view_projection;
        const Mat4 to_map = multiply(clip_to_texture(), light_projection());
        const auto lit = [&](const Float4& color) {
            return Constants().add(Float4{0.6F, 0.8F, 0, 0}).add(color).add(to_map);
        };
        VALKYR_TRY_VOID(draw_mesh(lit_, floor_, from, identity(), lit({0.75F, 0.75F, 0.7F, 1})));
        return draw_mesh(lit_, knot_, from, turn, lit({0.95F, 0.5F, 0.2F, 1}));
    }

private:
    Framebuffer map_;
    DeviceMesh knot_, floor_;
    PipelineRef lit_, depth_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_shadow_map(Device& device) {
    auto scene = std::make_unique<ShadowMap>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
