// Deferred shading: shades balls under forty moving lights from four render targets.
// SPDX-License-Identifier: MIT
//
// Shows several colour targets of different formats. The first pass stores colour, normal, position
// and emission of the visible surfaces. Then each light adds its part to the pixels near it,
// without drawing geometry again. The strip at the bottom shows the four targets.
#include "examples/random.hpp"
#include "examples/scene_base.hpp"

#include <cmath>

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr int kLights = 40;
constexpr float kReach = 2.2F;  // of a light
constexpr Format kFormats[] = {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
                               Format::R32G32B32A32_FLOAT, Format::R8G8B8A8_UNORM};
/// How the strip maps the values of each target to colours: factor and addend.
constexpr Float4 kShown[] = {{1, 0, 0, 0}, {0.5F, 0.5F, 0, 0}, {0.15F, 0.5F, 0, 0}, {1, 0, 0, 0}};

/// A sphere; the alpha of its colour is the emissive part.
struct Ball {
    Float4 place;  ///< centre and radius
    Float4 color;
};

/// The hue at `turn` of the colour circle, 0..1.
Float4 hue(double turn, float alpha) {
    const auto wave = [&](double shift) {
        return static_cast<float>(0.55 + 0.45 * cosine(2 * kPi * (turn - shift)));
    };
    return {wave(0), wave(1 / 3.0), wave(2 / 3.0), alpha};
}

std::vector<Ball> make_balls() {
    Dice dice(5);
    std::vector<Ball> balls;
    for (int z = -3; z <= 3; z++)
        for (int x = -3; x <= 3; x++) {
            const float size = dice.between(0.22F, 0.46F);
            const float shade = dice.between(0.55F, 0.95F);
            balls.push_back(
                {{static_cast<float>(x) * 1.1F, size, static_cast<float>(z) * 1.1F, size},
                 {shade, shade * 0.96F, shade * 0.9F, 0}});
        }
    return balls;
}

class DeferredShading final : public MeshScene {
public:
    explicit DeferredShading(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(ball, upload(device_, sphere(18, 28)));
        VALKYR_TRY(floor, upload(device_, ground(7, 0)));
        ball_ = ball;
        floor_ = floor;
        const std::vector<Ball> balls = make_balls();
        const std::vector<Ball> one = {{{0, 0, 0, 1}, {0.75F, 0.75F, 0.8F, 0}}};
        VALKYR_TRY(many, buffer_of(balls));
        VALKYR_TRY(single, buffer_of(one));
        VALKYR_TRY(lamps, device_.create_buffer(kLights * sizeof(Ball)));
        balls_ = many;
        one_ = single;
        lamps_ = lamps;
        VALKYR_TRY(desc, mesh_pipeline("instance.vert", "gbuffer.frag"));
        desc.elements.push_back({1, offsetof(Ball, place), 1, Format::R32G32B32A32_FLOAT});
        desc.elements.push_back({1, offsetof(Ball, color), 1, Format::R32G32B32A32_FLOAT});
        desc.strides.push_back(sizeof(Ball));
        VALKYR_TRY(fill, device_.create_pipeline(desc));
        VALKYR_TRY(ambient, screen_pipeline("ambient.frag"));
        VALKYR_TRY(light, light_pipeline());
        VALKYR_TRY(show, screen_pipeline("show.frag"));
        fill_ = fill;
        ambient_ = ambient;
        light_ = light;
        show_ = show;
        SamplerState nearest;
        nearest.min_filter = nearest.mag_filter = Filter::Nearest;
        nearest.wrap_s = nearest.wrap_t = Wrap::ClampToEdge;
        state_.fragment().samplers = {nearest, nearest, nearest, nearest};
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(make_targets(width, height));
        const Eye from =
            eye({.distance = 8.2, .pitch = 0.55, .yaw = 0.5 + 0.12 * seconds}, width, height);
        const std::vector<Ball> lamps = lamps_at(seconds);
        VALKYR_TRY_VOID(fill_targets(from, width, height, lamps));
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        VALKYR_TRY_VOID(shade(from));
        return show_targets(width, height);
    }

private:
    Result<BufferRef> buffer_of(const std::vector<Ball>& balls) {
        const auto bytes = std::as_bytes(std::span(balls));
        return device_.create_buffer(bytes.size(), bytes);
    }

    /// The four targets and a depth buffer, of the picture's size.
    Result<void> make_targets(uint32_t width, uint32_t height) {
        if (!targets_.color.empty() && targets_.color[0].texture->desc().width == width &&
            targets_.color[0].texture->desc().height == height)
            return {};
        TextureDesc desc;
        desc.width = width;
        desc.height = height;
        desc.render_target = true;
        targets_ = {};
        for (const Format format : kFormats) {
            desc.format = format;
            VALKYR_TRY(texture, device_.create_texture(desc));
            targets_.color.push_back({texture});
        }
        desc.format = Format::D32_FLOAT;
        VALKYR_TRY(depth, device_.create_texture(desc));
        targets_.depth_stencil = {depth};
        return {};
    }

    /// Lamps that circle among the balls, each on its own ring.
    static std::vector<Ball> lamps_at(double seconds) {
        Dice dice(9);
        std::vector<Ball> lamps;
        for (int i = 0; i < kLights; i++) {
            const double radius = 0.6 + 3.9 * std::sqrt(static_cast<double>(i) / kLights);
            const double speed = (i % 2 == 0 ? 0.5 : -0.4) + 0.3 * static_cast<double>(dice.next());
            const double turn = 2 * kPi * static_cast<double>(dice.next()) + speed * seconds;
            const double height = 0.5 + 0.3 * sine(1.3 * seconds + i);
            lamps.push_back({{static_cast<float>(radius * cosine(turn)), static_cast<float>(height),
                              static_cast<float>(radius * sine(turn)), 0.06F},
                             hue(0.618034 * i, 1)});
        }
        return lamps;
    }

    Result<void>
    fill_targets(const Eye& from, uint32_t width, uint32_t height, const std::vector<Ball>& lamps) {
        VALKYR_TRY_VOID(device_.write_buffer(lamps_, 0, std::as_bytes(std::span(lamps))));
        VALKYR_TRY_VOID(begin(targets_, width, height, {}));
        state_.fragment().textures.clear();
        // Frequency of the floor's pattern, and the strength of the highlights.
        VALKYR_TRY_VOID(
            draw_balls(from, floor_, one_, 1, Constants().add(Float4{0.5F, 0.35F, 0, 0})));
        VALKYR_TRY_VOID(
            draw_balls(from, ball_, balls_, 49, Constants().add(Float4{0, 0.9F, 0, 0})));
        return draw_balls(from, ball_, lamps_, kLights, Constants().add(Float4{0, 0, 0, 0}));
    }

    Result<void> draw_balls(const Eye& from,
                            const DeviceMesh& mesh,
                            const BufferRef& balls,
                            uint32_t count,
                            const Constants& constants) {
        state_.vertex_buffers = {{}, {balls}};
        return draw_mesh(fill_, mesh, from.view_projection, identity(), constants, count);
    }

    /// Draws one square per light, which covers the light's reach; the vertex shader computes its
    /// corners.
    Result<PipelineRef> light_pipeline() {
        VALKYR_TRY(desc, mesh_pipeline("light.vert", "light.frag"));
        desc.elements = {{1, offsetof(Ball, place), 1, Format::R32G32B32A32_FLOAT},
                         {1, offsetof(Ball, color), 1, Format::R32G32B32A32_FLOAT}};
        desc.strides = {0, sizeof(Ball)};
        desc.primitive = Primitive::TriangleStrip;
        desc.depth_stencil = {};
        desc.rasterizer.cull = CullFace::None;
        desc.blend.targets[0] = {
            .enable = true, .rgb_dst = BlendFactor::One, .alpha_dst = BlendFactor::One};
        return device_.create_pipeline(desc);
    }

    /// Draws the lights themselves and a little ambient light, then adds light by light.
    Result<void> shade(const Eye& from) {
        state_.fragment().textures.clear();
        for (const Surface& target : targets_.color)
            state_.fragment().textures.push_back({target.texture});
        VALKYR_TRY_VOID(draw_screen(
            ambient_, {0.5F, 0, 0, 0}, {0, -0.5F, 0, 0}, {0.5F, 0.5F, 0, 0},
            Constants().add(Float4{0.05F, 0.055F, 0.08F, 1}).add(Float4{0.01F, 0.012F, 0.02F, 0})));
        state_.pipeline = light_;
        state_.vertex_buffers = {{}, {lamps_}};
        state_.vertex().constants = {Constants()
                                         .add(from.projection)
                                         .add(from.view)
                                         .add(Float4{kReach, 1 / (kReach * kReach), 0, 0})
                                         .words()};
        state_.fragment().constants = {Constants().add(float4(from.place)).words()};
        DrawInfo info;
        info.count = 4;
        info.instance_count = kLights;
        return device_.draw(state_, info);
    }

    /// Shows the targets in a strip at the bottom edge.
    Result<void> show_targets(uint32_t width, uint32_t height) {
        const auto w = static_cast<float>(width) / 14;  // half of a picture's width
        const auto h = static_cast<float>(height) / 14;
        for (size_t i = 0; i < targets_.color.size(); i++) {
            const float x = w * (1.2F + 2.15F * static_cast<float>(i));
            state_.viewport = {{w, -h, 0.5F}, {x, static_cast<float>(height) - 1.2F * h, 0.5F}};
            state_.fragment().textures = {{targets_.color[i].texture}};
            VALKYR_TRY_VOID(draw_screen(show_, {0.5F, 0, 0, 0}, {0, -0.5F, 0, 0},
                                        {0.5F, 0.5F, 0, 0}, Constants().add(kShown[i])));
        }
        return {};
    }

    Framebuffer targets_;
    DeviceMesh ball_, floor_;
    BufferRef balls_, one_, lamps_;
    PipelineRef fill_, ambient_, light_, show_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_deferred_shading(Device& device) {
    auto scene = std::make_unique<DeferredShading>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
