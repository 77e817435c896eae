// Attractor: draws particles that a compute shader moves along Lorenz' attractor.
// SPDX-License-Identifier: MIT
//
// Shows compute: a shader steps the particles in a storage buffer, and the vertex shader reads
// their places from it. A picture depends on its time alone: the number of steps is that of the
// time, and going back starts anew.
#include "examples/random.hpp"
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr uint32_t kParticles = 4096;
constexpr uint32_t kGroup = 64;       // invocations of a work-group, as the shader says
constexpr uint64_t kFirstSteps = 60;  // until the particles have found the attractor
constexpr double kStepsPerSecond = 60;

class Attractor final : public MeshScene {
public:
    explicit Attractor(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        Dice dice;
        for (uint32_t i = 0; i < kParticles; ++i) {
            const float x = dice.between(-20, 20);
            const float y = dice.between(-20, 20);
            start_.push_back({x, y, dice.between(5, 45), 0});
        }
        const auto bytes = std::as_bytes(std::span(start_));
        VALKYR_TRY(buffer, device_.create_buffer(bytes.size(), bytes));
        VALKYR_TRY(shader, device_.create_shader(shader_text("attractor.comp.tgsi"), "attractor"));
        VALKYR_TRY(step, device_.create_compute_pipeline({shader}));
        step_.pipeline = step;
        step_.resources.storage = {{buffer}};
        // The length of a step, and the three numbers of Lorenz' equations.
        step_.resources.constants = {Constants().add(Float4{0.006F, 10, 28, 8.0F / 3}).words()};
        state_.vertex().storage = {{buffer}};
        VALKYR_TRY(desc, mesh_pipeline("attractor.vert", "particle.frag"));
        desc.elements.clear();
        desc.strides.clear();
        desc.primitive = Primitive::TriangleStrip;
        desc.rasterizer.cull = CullFace::None;
        desc.depth_stencil.depth_write = false;
        desc.blend.targets[0] = {.enable = true,
                                 .rgb_src = BlendFactor::One,
                                 .rgb_dst = BlendFactor::One,
                                 .alpha_src = BlendFactor::Zero,
                                 .alpha_dst = BlendFactor::One};
        VALKYR_TRY(pipeline, device_.create_pipeline(desc));
        state_.pipeline = pipeline;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(
            step_until(kFirstSteps + static_cast<uint64_t>(seconds * kStepsPerSecond + 0.5)));
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {0.01F, 0.012F, 0.03F, 1}));
        const Eye from =
            eye({.distance = 5.2, .pitch = 0.15, .yaw = 0.5 + 0.2 * seconds}, width, height);
        state_.vertex().constants = {Constants()
                                         .add(from.projection)
                                         .add(from.view)
                                         .add(Float4{0.10F, 0.30F, 1.0F, 0.55F})  // slow
                                         .add(Float4{1.0F, 0.45F, 0.12F, 0.7F})   // fast
                                         .add(Float4{0.035F, 0.075F, 0.00004F, 0})
                                         .add(Float4{0, -1.85F, 0, 0})
                                         .words()};
        DrawInfo info;
        info.count = 4;
        info.instance_count = kParticles;
        return device_.draw(state_, info);
    }

private:
    Result<void> step_until(uint64_t steps) {
        if (steps < steps_) {
            VALKYR_TRY_VOID(device_.write_buffer(step_.resources.storage[0].buffer, 0,
                                                 std::as_bytes(std::span(start_))));
            steps_ = 0;
        }
        for (; steps_ < steps; ++steps_)
            VALKYR_TRY_VOID(device_.dispatch(step_, {kParticles / kGroup, 1, 1}));
        return {};
    }

    std::vector<Float4> start_;
    DispatchState step_;
    uint64_t steps_ = 0;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_attractor(Device& device) {
    auto scene = std::make_unique<Attractor>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
