// Torus knot: draws a knot with Phong lighting, four samples a pixel.
// SPDX-License-Identifier: MIT
//
// Shows a lit mesh: a vertex shader with two matrices, Blinn's highlight in the fragment shader.
// The list of scenes recommends four samples; PictureTarget creates and resolves the targets.
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

class TorusKnot final : public MeshScene {
public:
    explicit TorusKnot(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(mesh, upload(device_, torus_knot(2, 3, 0.22F, 160, 20)));
        mesh_ = mesh;
        VALKYR_TRY(desc, mesh_pipeline("mesh.vert", "phong.frag"));
        VALKYR_TRY(pipeline, device_.create_pipeline(desc));
        pipeline_ = pipeline;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {0.05F, 0.06F, 0.09F, 1}));
        const Eye from = eye({.distance = 5}, width, height);
        const Mat4 world =
            multiply(rotation_x(0.5 + 0.3 * seconds), rotation_y(0.4 + 0.7 * seconds));
        return draw_mesh(pipeline_, mesh_, from.view_projection, world,
                         Constants()
                             .add(Float4{0.48F, 0.64F, 0.6F, 0})
                             .add(float4(from.place))
                             .add(Float4{0.9F, 0.35F, 0.15F, 0}));
    }

private:
    DeviceMesh mesh_;
    PipelineRef pipeline_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_torus_knot(Device& device) {
    auto scene = std::make_unique<TorusKnot>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
