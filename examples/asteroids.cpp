// Asteroids: draws a belt of rocks around a planet, one mesh in many instances.
// SPDX-License-Identifier: MIT
//
// Shows instancing: place and size of each rock are an attribute that advances once per instance.
#include "examples/random.hpp"
#include "examples/scene_base.hpp"

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr uint32_t kRocks = 600;

std::vector<Float4> make_belt() {
    Dice dice;
    std::vector<Float4> belt;
    for (uint32_t i = 0; i < kRocks; i++) {
        const double turn = 2 * kPi * static_cast<double>(dice.next());
        const double radius = 2.0 + 1.2 * static_cast<double>(dice.next());
        const float height = 0.3F * (dice.next() - 0.5F);
        const float size = dice.next();
        belt.push_back({static_cast<float>(radius * cosine(turn)), height,
                        static_cast<float>(radius * sine(turn)), 0.02F + 0.06F * size * size});
    }
    return belt;
}

class Asteroids final : public MeshScene {
public:
    explicit Asteroids(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(planet, upload(device_, sphere(24, 36)));
        VALKYR_TRY(rock, upload(device_, sphere(4, 6)));
        planet_ = planet;
        rock_ = rock;
        const std::vector<Float4> belt = make_belt();
        const auto bytes = std::as_bytes(std::span(belt));
        VALKYR_TRY(places, device_.create_buffer(bytes.size(), bytes));
        state_.vertex_buffers = {{}, {places}};
        VALKYR_TRY(one, mesh_pipeline("mesh.vert", "phong.frag"));
        VALKYR_TRY(one_pipeline, device_.create_pipeline(one));
        VALKYR_TRY(many, mesh_pipeline("asteroid.vert", "phong.frag"));
        many.elements.push_back({1, 0, 1, Format::R32G32B32A32_FLOAT});
        many.strides.push_back(sizeof(Float4));
        VALKYR_TRY(many_pipeline, device_.create_pipeline(many));
        one_ = one_pipeline;
        many_ = many_pipeline;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {0.01F, 0.01F, 0.03F, 1}));
        const Eye from = eye({.distance = 7, .pitch = 0.45}, width, height);
        const auto lit = [&](const Float4& color) {
            return Constants()
                .add(Float4{0.8F, 0.36F, 0.48F, 0})
                .add(float4(from.place))
                .add(color);
        };
        VALKYR_TRY_VOID(draw_mesh(one_, planet_, from.view_projection, scaling(1.3F, 1.3F, 1.3F),
                                  lit({0.25F, 0.45F, 0.75F, 1})));
        return draw_mesh(many_, rock_, from.view_projection, rotation_y(0.25 * seconds),
                         lit({0.6F, 0.5F, 0.4F, 1}), kRocks);
    }

private:
    DeviceMesh planet_, rock_;
    PipelineRef one_, many_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_asteroids(Device& device) {
    auto scene = std::make_unique<Asteroids>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
