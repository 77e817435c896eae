// Particles: draws a camp fire at night with soot, smoke, flames, sparks and a glow.
// SPDX-License-Identifier: MIT
//
// Shows blending: each kind of particle has its own blend mode. Particles have no state; the vertex
// shader computes place, size and colour from the time and four random numbers.
#include "examples/procedural_texture.hpp"
#include "examples/random.hpp"
#include "examples/scene_base.hpp"

#include <algorithm>

namespace valkyr::examples {

namespace {

using namespace raster;

/// A kind of particle. Ages go from 0 to 1; lengths are in world units.
struct Emitter {
    uint32_t count;
    BlendFactor source, destination;  ///< for premultiplied colours
    float lives;                      ///< lives per second
    float rise, height;               ///< particles start at `height` and rise by `rise`
    float width, widening;            ///< of the column at age 0, and its growth up to age 1
    float size, growth;
    Float4 young, old;  ///< colours; alpha is the strength
    Float4 drift;       ///< offset in x and z at age 1
};

constexpr Emitter kEmitters[] = {
    // Soot only darkens.
    {60,
     BlendFactor::Zero,
     BlendFactor::InvSrcAlpha,
     0.13F,
     3.8F,
     1.1F,
     0.2F,
     0.9F,
     0.25F,
     0.8F,
     {0, 0, 0, 0.22F},
     {0, 0, 0, 0.12F},
     {1.3F, 0, 0.4F, 0}},
    // Smoke covers the background.
    {60,
     BlendFactor::One,
     BlendFactor::InvSrcAlpha,
     0.15F,
     3.0F,
     0.9F,
     0.18F,
     0.7F,
     0.18F,
     0.6F,
     {0.42F, 0.26F, 0.16F, 0.20F},
     {0.16F, 0.18F, 0.25F, 0.10F},
     {1.1F, 0, 0.3F, 0}},
    // Flames add their light.
    {180,
     BlendFactor::One,
     BlendFactor::One,
     0.75F,
     1.75F,
     0.05F,
     0.46F,
     -0.38F,
     0.30F,
     -0.2F,
     {1.0F, 0.50F, 0.14F, 0.30F},
     {0.95F, 0.16F, 0.03F, 0.26F},
     {0.1F, 0, 0, 0}},
    {110,
     BlendFactor::One,
     BlendFactor::One,
     0.42F,
     2.6F,
     0.3F,
     0.25F,
     0.65F,
     0.022F,
     -0.008F,
     {1.0F, 0.75F, 0.35F, 1.6F},
     {1.0F, 0.30F, 0.05F, 1.2F},
     {0.8F, 0, 0.2F, 0}},
    // The glow brightens dark pixels and leaves bright ones unchanged.
    {6,
     BlendFactor::One,
     BlendFactor::InvSrcColor,
     0.9F,
     0.2F,
     0.45F,
     0.2F,
     0,
     1.9F,
     0.3F,
     {0.9F, 0.42F, 0.14F, 0.12F},
     {0.9F, 0.36F, 0.1F, 0.12F},
     {}},
};
constexpr uint32_t kMost = 180;

uint32_t earth_texel(uint32_t x, uint32_t y) {
    const double grain = fractal_noise(x / 6.0, y / 6.0, 4);
    return rgba_of(0.25 + 0.5 * grain, 0.22 + 0.42 * grain, 0.2 + 0.34 * grain);
}

class Particles final : public MeshScene {
public:
    explicit Particles(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        constexpr std::array<float, 2> kLog[] = {{0, -0.62F},     {0.1F, -0.62F},  {0.1F, -0.62F},
                                                 {0.085F, 0.62F}, {0.085F, 0.62F}, {0, 0.62F}};
        VALKYR_TRY(log, upload(device_, lathe(kLog, 12)));
        VALKYR_TRY(stone, upload(device_, sphere(8, 12)));
        Mesh plain = ground(30, 0);
        for (MeshVertex& vertex : plain.vertices)
            for (float& coordinate : vertex.uv)
                coordinate *= 6;  // the picture repeats
        VALKYR_TRY(floor, upload(device_, plain));
        log_ = log;
        stone_ = stone;
        floor_ = floor;
        VALKYR_TRY(earth, create_mipmapped_texture(device_, 256, earth_texel));
        SamplerState sampler;
        sampler.mip_filter = MipFilter::Linear;
        state_.fragment().textures = {{earth}};
        state_.fragment().samplers = {sampler};
        VALKYR_TRY_VOID(prepare_numbers());
        VALKYR_TRY(sky, screen_pipeline("gradient.frag"));
        sky_ = sky;
        VALKYR_TRY(lit, mesh_pipeline("mesh.vert", "firelight.frag"));
        VALKYR_TRY(solid, device_.create_pipeline(lit));
        solid_ = solid;
        VALKYR_TRY(desc, mesh_pipeline("particle.vert", "particle.frag"));
        desc.elements = {{1, 0, 1, Format::R32G32B32A32_FLOAT}};
        desc.strides = {0, sizeof(Float4)};
        desc.primitive = Primitive::TriangleStrip;
        desc.rasterizer.cull = CullFace::None;
        desc.depth_stencil.depth_write = false;
        for (const Emitter& emitter : kEmitters) {
            desc.blend.targets[0] = {.enable = true,
                                     .rgb_src = emitter.source,
                                     .rgb_dst = emitter.destination,
                                     .alpha_src = BlendFactor::Zero,
                                     .alpha_dst = BlendFactor::One};
            VALKYR_TRY(pipeline, device_.create_pipeline(desc));
            pipelines_.push_back(pipeline);
        }
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        const Eye from = eye({.distance = 5.6,
                              .pitch = 0.17,
                              .yaw = 0.1 * seconds,
                              .target = {0, 1.15F, 0},
                              .z_far = 60},
                             width, height);
        VALKYR_TRY_VOID(draw_sky(
            sky_, from,
            Constants().add(Float4{0.10F, 0.13F, 0.22F, 0}).add(Float4{0.015F, 0.02F, 0.05F, 0})));
        VALKYR_TRY_VOID(draw_camp(from, seconds));
        for (size_t i = 0; i < pipelines_.size(); i++)
            VALKYR_TRY_VOID(draw_particles(pipelines_[i], kEmitters[i], from, seconds));
        return {};
    }

private:
    /// Place in the column, first age, and speed of each particle.
    Result<void> prepare_numbers() {
        Dice dice;
        std::vector<Float4> numbers;
        while (numbers.size() < kMost) {
            const float x = dice.between(-1, 1);
            const float z = dice.between(-1, 1);
            if (x * x + z * z < 1)
                numbers.push_back({x, z, dice.next(), dice.between(0.7F, 1.3F)});
        }
        const auto bytes = std::as_bytes(std::span(numbers));
        VALKYR_TRY(buffer, device_.create_buffer(bytes.size(), bytes));
        state_.vertex_buffers = {{}, {buffer}};
        return {};
    }

    /// Draws ground, logs and stones in the light of the moon and of the flickering fire.
    Result<void> draw_camp(const Eye& from, double seconds) {
        const auto flicker =
            static_cast<float>(1 + 0.12 * sine(11 * seconds) + 0.08 * sine(17.3 * seconds + 1));
        const auto lit = [&](const Float4& color) {
            return Constants()
                .add(Float4{0.05F * flicker, 0.75F, 0, 0.55F})
                .add(Float4{2.5F * flicker, 1.15F * flicker, 0.4F * flicker, 0})
                .add(color)
                .add(direction(-0.5F, 0.6F, -0.4F))
                .add(Float4{0.10F, 0.13F, 0.22F, 0});
        };
        VALKYR_TRY_VOID(draw_mesh(solid_, floor_, from.view_projection, identity(),
                                  lit({0.9F, 0.9F, 0.9F, 0})));
        for (int i = 0; i < 6; i++) {
            const Mat4 turn = multiply(rotation_y(kPi / 3 * i + 0.3), rotation_x(1.05));
            VALKYR_TRY_VOID(draw_mesh(
                solid_, log_, from.view_projection,
                multiply(translation(0, 0.33F, 0), multiply(turn, translation(0, 0.12F, 0))),
                lit({0.62F, 0.42F, 0.28F, 0})));
        }
        for (int i = 0; i < 14; i++) {
            const double angle = 2 * kPi * i / 14;
            const float size = 0.15F + 0.03F * static_cast<float>(i * 5 % 4);
            const Mat4 place =
                multiply(translation(static_cast<float>(1.15 * cosine(angle)), 0.4F * size,
                                     static_cast<float>(1.15 * sine(angle))),
                         scaling(size, size, size));
            VALKYR_TRY_VOID(draw_mesh(solid_, stone_, from.view_projection, place,
                                      lit({1.0F, 1.0F, 1.05F, 0})));
        }
        return {};
    }

    Result<void> draw_particles(const PipelineRef& pipeline,
                                const Emitter& emitter,
                                const Eye& from,
                                double seconds) {
        const auto lives = static_cast<float>(emitter.lives * seconds);
        state_.pipeline = pipeline;
        state_.index_type = IndexType::None;
        state_.vertex().constants = {
            Constants()
                .add(from.projection)
                .add(from.view)
                .add(Float4{lives, emitter.rise, emitter.height, 0})
                .add(Float4{emitter.width, emitter.widening, emitter.size, emitter.growth})
                .add(emitter.young)
                .add(emitter.old)
                .add(emitter.drift)
                .words()};
        DrawInfo info;
        info.count = 4;
        info.instance_count = std::min(emitter.count, kMost);
        return device_.draw(state_, info);
    }

    DeviceMesh log_, stone_, floor_;
    PipelineRef sky_, solid_;
    std::vector<PipelineRef> pipelines_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_particles(Device& device) {
    auto scene = std::make_unique<Particles>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
