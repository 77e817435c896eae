// Sphere impostors: draws squares whose fragment shader computes a sphere's surface and depth.
// SPDX-License-Identifier: MIT
//
// Shows a depth output, discarded fragments and attributes that advance once per instance. Each
// sphere is four vertices without vertex buffer; VERTEXID tells them apart.
#include "examples/scene_base.hpp"

#include <bit>

namespace valkyr::examples {

namespace {

using namespace raster;

struct Impostor {
    Float4 place;  ///< centre and radius
    Float4 color;
};

/// Balls on a spiral, large and small ones touching.
std::vector<Impostor> make_impostors() {
    std::vector<Impostor> balls;
    for (int i = 0; i < 48; i++) {
        const double turn = 0.55 * i;
        const double radius = 0.35 + 0.028 * i;
        const auto part = static_cast<float>(i) / 48;
        balls.push_back({{static_cast<float>(radius * cosine(turn)), part * 2.2F - 1.1F,
                          static_cast<float>(radius * sine(turn)), i % 3 == 0 ? 0.36F : 0.22F},
                         {0.3F + 0.7F * part, 0.75F - 0.4F * part, 1 - 0.8F * part, 1}});
    }
    return balls;
}

class SphereImpostors final : public MeshScene {
public:
    explicit SphereImpostors(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        const std::vector<Impostor> balls = make_impostors();
        count_ = static_cast<uint32_t>(balls.size());
        const auto bytes = std::as_bytes(std::span(balls));
        VALKYR_TRY(buffer, device_.create_buffer(bytes.size(), bytes));
        state_.vertex_buffers = {{buffer}};
        VALKYR_TRY(desc, mesh_pipeline("impostor.vert", "impostor.frag"));
        desc.elements = {{0, offsetof(Impostor, place), 1, Format::R32G32B32A32_FLOAT},
                         {0, offsetof(Impostor, color), 1, Format::R32G32B32A32_FLOAT}};
        desc.strides = {sizeof(Impostor)};
        desc.primitive = Primitive::TriangleStrip;
        desc.rasterizer.cull = CullFace::None;
        VALKYR_TRY(pipeline, device_.create_pipeline(desc));
        state_.pipeline = pipeline;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {0.08F, 0.08F, 0.1F, 1}));
        const Eye from =
            eye({.distance = 5.5, .pitch = 0.35, .yaw = 0.5 * seconds, .z_near = 1, .z_far = 12},
                width, height);
        const Mat4& projection = from.projection;
        state_.vertex().constants = {Constants().add(projection).add(from.view).words()};
        // Depth of an eye-space z: (a z + b) / -z.
        state_.fragment().constants = {Constants()
                                           .add(Float4{0.48F, 0.64F, 0.6F, 0})
                                           .add(Float4{projection[2][2], projection[3][2], 0, 0})
                                           .words()};
        DrawInfo info;
        info.count = 4;
        info.instance_count = count_;
        return device_.draw(state_, info);
    }

private:
    uint32_t count_ = 0;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_sphere_impostors(Device& device) {
    auto scene = std::make_unique<SphereImpostors>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
