// Environment map: draws a golden knot and silver balls that mirror the sky.
// SPDX-License-Identifier: MIT
//
// Shows cube maps: the background looks up the viewing direction, the metal the reflected
// direction; the Fresnel effect makes rims white.
#include "examples/procedural_texture.hpp"
#include "examples/scene_base.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr uint32_t kFaceSize = 256;
constexpr int kBalls = 5;

double mix(double t, double a, double b) {
    return a + std::clamp(t, 0.0, 1.0) * (b - a);
}

/// Clouds, and a low sun in the direction (0.62, 0.3, -0.72).
uint32_t sky_color(double x, double y, double z) {
    const double clouds = fractal_noise(2.2 * x / (y + 0.12), 2.2 * z / (y + 0.12), 5);
    const double cover = std::clamp(4 * (clouds - 0.52), 0.0, 1.0) * std::clamp(5 * y, 0.0, 1.0);
    const double toward_sun = std::max(0.0, 0.62 * x + 0.3 * y - 0.72 * z);
    const double glow2 = toward_sun * toward_sun * toward_sun * toward_sun;
    const double glow = glow2 * glow2;
    const double disc = toward_sun > 0.9965 ? 1 : 0;
    const double height = std::sqrt(y);
    return rgba_of(mix(cover, mix(height, 0.86, 0.16), 1.0) + 0.5 * glow + disc,
                   mix(cover, mix(height, 0.74, 0.36), 0.96) + 0.3 * glow + disc,
                   mix(cover, mix(height, 0.66, 0.72), 0.93) + 0.05 * glow + disc);
}

/// A square wave of period 2: 1 in every other unit interval, 0 between, with edges of the given
/// width.
double square_wave(double x, double width) {
    const double part = x / 2 - std::floor(x / 2);
    const double inside = 1 - std::abs(4 * part - 2);  // > 0 from 0.25 to 0.75
    return std::clamp(inside / (2 * width) + 0.5, 0.0, 1.0);
}

/// A floor of dark and light tiles that fades into the horizon.
uint32_t floor_color(double x, double y, double z) {
    const double u = 1.4 * x / -y;
    const double v = 1.4 * z / -y;
    const double texel = 1.4 * 2.0 / kFaceSize / (y * y);
    const double a = square_wave(u, texel);
    const double b = square_wave(v, texel);
    const double stone =
        (0.24 + 0.38 * (a * (1 - b) + b * (1 - a))) * (0.75 + 0.5 * fractal_noise(6 * u, 6 * v, 3));
    const double far = 1 / ((1 - 4 * y) * (1 - 4 * y));
    return rgba_of(mix(far, stone * 1.02, 0.84), mix(far, stone * 0.93, 0.72),
                   mix(far, stone * 0.84, 0.64));
}

uint32_t surroundings(double x, double y, double z) {
    const double length = std::sqrt(x * x + y * y + z * z);
    return y > 0 ? sky_color(x / length, y / length, z / length)
                 : floor_color(x / length, std::min(y / length, -1e-3), z / length);
}

class EnvironmentMap final : public MeshScene {
public:
    explicit EnvironmentMap(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY(knot, upload(device_, torus_knot(2, 3, 0.24F, 200, 24)));
        VALKYR_TRY(ball, upload(device_, sphere(20, 30)));
        knot_ = knot;
        ball_ = ball;
        VALKYR_TRY(cube, create_mipmapped_cube(device_, kFaceSize, surroundings));
        SamplerState sampler;
        sampler.mip_filter = MipFilter::Linear;
        state_.fragment().textures = {{cube}};
        state_.fragment().samplers = {sampler};
        VALKYR_TRY(sky, screen_pipeline("sky.frag"));
        sky_ = sky;
        VALKYR_TRY(desc, mesh_pipeline("mesh.vert", "mirror.frag"));
        VALKYR_TRY(metal, device_.create_pipeline(desc));
        metal_ = metal;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        const Eye from =
            eye({.distance = 5.2, .pitch = 0.12, .yaw = 0.35 + 0.15 * seconds}, width, height);
        VALKYR_TRY_VOID(draw_sky(sky_, from, Constants()));
        const auto metal = [&](const Float4& color) {
            return Constants().add(float4(from.place)).add(color);
        };
        const Mat4 turn = multiply(rotation_y(0.5 * seconds), rotation_x(0.4 + 0.3 * seconds));
        VALKYR_TRY_VOID(
            draw_mesh(metal_, knot_, from.view_projection, turn, metal({1.0F, 0.78F, 0.34F, 0})));
        for (int i = 0; i < kBalls; i++) {
            const double angle = 2 * kPi * i / kBalls - 0.4 * seconds;
            const Mat4 place =
                multiply(translation(static_cast<float>(2.3 * sine(angle)),
                                     static_cast<float>(0.35 * sine(3 * angle + seconds)),
                                     static_cast<float>(2.3 * cosine(angle))),
                         scaling(0.3F, 0.3F, 0.3F));
            VALKYR_TRY_VOID(draw_mesh(metal_, ball_, from.view_projection, place,
                                      metal({0.88F, 0.9F, 0.92F, 0})));
        }
        return {};
    }

private:
    DeviceMesh knot_, ball_;
    PipelineRef sky_, metal_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_environment_map(Device& device) {
    auto scene = std::make_unique<EnvironmentMap>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
