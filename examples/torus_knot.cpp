// A torus knot with Phong lighting, four samples a pixel.
// SPDX-License-Identifier: MIT
//
// Shows multisampling: the scene draws to targets of its own, and a blit resolves them.
#include "scene_base.hpp"

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
        desc.rasterizer.multisample = true;
        VALKYR_TRY(pipeline, device_.create_pipeline(desc));
        pipeline_ = pipeline;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(make_targets(width, height));
        VALKYR_TRY_VOID(begin(samples_, width, height, {0.05F, 0.06F, 0.09F, 1}));
        const Mat4 eye = multiply(perspective(kPi / 4, static_cast<double>(width) / height, 1, 20),
                                  translation(0, 0, -5));
        const Mat4 world =
            multiply(rotation_x(0.5 + 0.3 * seconds), rotation_y(0.4 + 0.7 * seconds));
        VALKYR_TRY_VOID(draw_mesh(pipeline_, mesh_, eye, world,
                                  Constants()
                                      .add(Float4{0.48F, 0.64F, 0.6F, 0})
                                      .add(Float4{0, 0, 5, 0})
                                      .add(Float4{0.9F, 0.35F, 0.15F, 0})));
        const auto w = static_cast<int32_t>(width);
        const auto h = static_cast<int32_t>(height);
        BlitInfo resolve;
        resolve.source = {samples_.color[0].texture, 0, 0, 0, 0, w, h};
        resolve.destination = {framebuffer.color[0].texture, 0, 0, 0, 0, w, h};
        return device_.blit(resolve);
    }

private:
    /// Multisampled colour and depth of the picture's size.
    Result<void> make_targets(uint32_t width, uint32_t height) {
        if (!samples_.color.empty() && samples_.color[0].texture->desc().width == width &&
            samples_.color[0].texture->desc().height == height)
            return {};
        TextureDesc desc;
        desc.kind = TextureKind::Tex2DMs;
        desc.width = width;
        desc.height = height;
        desc.samples = 4;
        desc.render_target = true;
        desc.format = Format::R8G8B8A8_UNORM;
        VALKYR_TRY(color, device_.create_texture(desc));
        desc.format = Format::D32_FLOAT;
        VALKYR_TRY(depth, device_.create_texture(desc));
        samples_ = {};
        samples_.color = {{color}};
        samples_.depth_stencil = {depth};
        return {};
    }

    Framebuffer samples_;
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
