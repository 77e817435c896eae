// Noise: draws flowing smoke, which a fragment shader computes from the pixel's place alone.
// SPDX-License-Identifier: MIT
//
// Shows loops and integer arithmetic: gradient noise in four octaves, evaluated twice, the second
// time at a place that the first result displaces. A hash of the lattice points selects one of
// eight gradients; four turn clockwise with time and four counter-clockwise.
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

class Noise final : public MeshScene {
public:
    explicit Noise(Device& device)
        : MeshScene(device) {}

    void look(const View& view) override { viewer_ = view; }

    Result<void> prepare() {
        VALKYR_TRY(pipeline, screen_pipeline("noise.frag"));
        pipeline_ = pipeline;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        // The shader computes two noises at once: cosine and sine of the turn of each one's
        // gradients.
        const double turn = 0.7 * seconds;
        const Constants constants =
            Constants()
                .add(Float4{static_cast<float>(cosine(turn)), static_cast<float>(sine(turn)),
                            static_cast<float>(cosine(0.8 * turn + 1)),
                            static_cast<float>(sine(0.8 * turn + 1))})
                .add(Float4{0.015F, 0.04F, 0.16F, 0})  // colours: deep, light, displaced, ridges
                .add(Float4{0.18F, 0.85F, 1.0F, 0})
                .add(Float4{1.25F, 0.34F, 0.12F, 0})
                .add(Float4{2.0F, 1.55F, 0.75F, 0})
                .add(Float4{1.1F, 0.5F, 1.9F, 0.12F});  // factors and addends of the noises
        const auto zoom = static_cast<float>(1.3 * viewer_.zoom);
        const auto x = static_cast<float>(-viewer_.yaw);
        const auto y = static_cast<float>(-viewer_.pitch);
        const float aspect = static_cast<float>(width) / static_cast<float>(height);
        return draw_screen(pipeline_, {zoom * aspect, 0, 0, 0}, {0, zoom, 0, 0},
                           {x + 3.3F, y + 5.1F, 0, 0}, constants);
    }

private:
    View viewer_;
    PipelineRef pipeline_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_noise(Device& device) {
    auto scene = std::make_unique<Noise>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
