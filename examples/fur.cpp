// Fur: grows forty thousand hairs on a knot.
// SPDX-License-Identifier: MIT
//
// Shows a geometry shader: a stage between the vertex shader and the rasterizer that takes a
// primitive and emits others. Here it takes a triangle of the skin and emits one hair, a strip of
// triangles. The pipeline runs it twelve times per triangle (GS_INVOCATIONS), so that the knot's
// 3,360 triangles carry 40,320 hairs. No hair is stored: the numbers of the triangle (PRIM_ID) and
// of the invocation give three random numbers, which give the place, length and lean of the hair.
//
// The instructions of fur.geom.tgsi:
//   0-20   three numbers by an integer hash; a point of the triangle and its normal from two of
//          them (the square root spreads the points evenly);
//   21-31  length and direction of the hair, and how far the wind pulls its tip;
//   32-39  the side that turns the strip's width to the eye;
//   40-70  nine vertices: along the hair t goes from 0 to 1, left and right in turn; the pull grows
//          with the square of t, and the width ends at the tip.
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr float kHairLength = 0.17F;

class Fur final : public MeshScene {
public:
    explicit Fur(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(mesh, upload(device_, torus_knot(2, 3, 0.2F, 140, 12)));
        mesh_ = mesh;
        VALKYR_TRY(skin, mesh_pipeline("mesh.vert", "plain.frag"));
        VALKYR_TRY(skin_pipeline, device_.create_pipeline(skin));
        skin_ = skin_pipeline;
        VALKYR_TRY(hair, mesh_pipeline("mesh.vert", "fur.frag"));
        VALKYR_TRY(grow, device_.create_shader(shader_text("fur.geom.tgsi"), "fur.geom"));
        hair.geometry = grow;
        hair.rasterizer.cull = CullFace::None;
        VALKYR_TRY(hair_pipeline, device_.create_pipeline(hair));
        hair_ = hair_pipeline;
        VALKYR_TRY(sky, screen_pipeline("gradient.frag"));
        sky_ = sky;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        const Eye from = eye({.distance = 4.6, .pitch = 0.25}, width, height);
        VALKYR_TRY_VOID(draw_sky(
            sky_, from,
            Constants().add(Float4{0.30F, 0.33F, 0.38F, 0}).add(Float4{0.12F, 0.16F, 0.24F, 0})));
        const Mat4 world =
            multiply(rotation_x(0.35 + 0.2 * sine(0.5 * seconds)), rotation_y(0.5 + 0.4 * seconds));
        const Float4 light = direction(0.4F, 0.75F, 0.55F);
        constexpr Float4 kRoots = {0.16F, 0.07F, 0.03F, 1};
        VALKYR_TRY_VOID(
            draw_mesh(skin_, mesh_, from.view_projection, world, Constants().add(kRoots)));
        // The force on the tips: gravity and a changing wind, whose phase moves over the knot.
        const auto wind = static_cast<float>(0.35 + 0.25 * sine(0.9 * seconds));
        const auto phase = static_cast<float>(2.5 * seconds);
        state_.geometry().constants = {Constants()
                                           .add(from.view_projection)
                                           .add(float4(from.place, kHairLength))
                                           .add(Float4{wind, -0.45F, 0.15F, phase})
                                           .words()};
        return draw_mesh(hair_, mesh_, from.view_projection, world,
                         Constants()
                             .add(light)
                             .add(float4(from.place))
                             .add(kRoots)
                             .add(Float4{0.95F, 0.45F, 0.12F, 0})
                             .add(Float4{0.98F, 0.82F, 0.55F, 0}));
    }

private:
    DeviceMesh mesh_;
    PipelineRef skin_;
    PipelineRef hair_;
    PipelineRef sky_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_fur(Device& device) {
    auto scene = std::make_unique<Fur>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
