// Stencil outline: draws a lit knot with a bright outline.
// SPDX-License-Identifier: MIT
//
// Shows the stencil buffer: the knot writes 1 where it is visible; then a thicker knot is drawn
// where stencil is not 1.
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

class StencilOutline final : public MeshScene {
public:
    explicit StencilOutline(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(knot, upload(device_, torus_knot(3, 2, 0.2F, 140, 16)));
        VALKYR_TRY(thick, upload(device_, torus_knot(3, 2, 0.25F, 140, 16)));
        knot_ = knot;
        thick_ = thick;
        VALKYR_TRY(lit, mesh_pipeline("mesh.vert", "phong.frag"));
        lit.depth_stencil.stencil[0].enable = true;
        lit.depth_stencil.stencil[0].pass = StencilOp::Replace;
        VALKYR_TRY(lit_pipeline, device_.create_pipeline(lit));
        VALKYR_TRY(rim, mesh_pipeline("mesh.vert", "plain.frag"));
        rim.depth_stencil.depth_test = rim.depth_stencil.depth_write = false;
        rim.depth_stencil.stencil[0].enable = true;
        rim.depth_stencil.stencil[0].func = CompareFunc::NotEqual;
        VALKYR_TRY(rim_pipeline, device_.create_pipeline(rim));
        lit_ = lit_pipeline;
        rim_ = rim_pipeline;
        state_.stencil_reference = {1, 1};
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {0.05F, 0.06F, 0.09F, 1}));
        const Eye from = eye({.distance = 5.2}, width, height);
        const Mat4 world =
            multiply(rotation_x(0.5 * seconds - 0.4), rotation_y(0.3 + 0.8 * seconds));
        VALKYR_TRY_VOID(draw_mesh(lit_, knot_, from.view_projection, world,
                                  Constants()
                                      .add(Float4{0.48F, 0.64F, 0.6F, 0})
                                      .add(float4(from.place))
                                      .add(Float4{0.15F, 0.4F, 0.8F, 0})));
        return draw_mesh(rim_, thick_, from.view_projection, world,
                         Constants().add(Float4{1, 0.85F, 0.2F, 1}));
    }

private:
    DeviceMesh knot_, thick_;
    PipelineRef lit_, rim_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_stencil_outline(Device& device) {
    auto scene = std::make_unique<StencilOutline>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
