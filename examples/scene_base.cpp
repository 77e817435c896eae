// Scene base: holds the shaders, constants, clears and meshes that demo scenes share.
// SPDX-License-Identifier: MIT
#include "examples/scene_base.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace valkyr::examples {

using namespace raster;

Constants& Constants::add(const Float4& vector) {
    for (const float value : vector)
        words_.push_back(std::bit_cast<uint32_t>(value));
    return *this;
}

Constants& Constants::add(const Mat4& matrix) {
    for (const Float4& column : matrix)
        add(column);
    return *this;
}

Float4 direction(float x, float y, float z) {
    const float length = std::sqrt(x * x + y * y + z * z);
    return {x / length, y / length, z / length, 0};
}

Float4 shoulder_light(const Eye& eye) {
    Float4 light{};
    for (size_t i = 0; i < 3; i++)
        light[i] = eye.view[i][0] * -0.42F + eye.view[i][1] * 0.62F + eye.view[i][2] * 0.662F;
    return light;
}

void blend_over(PipelineDesc& desc) {
    desc.depth_stencil.depth_write = false;
    desc.blend.targets[0] = {.enable = true,
                             .rgb_src = BlendFactor::SrcAlpha,
                             .rgb_dst = BlendFactor::InvSrcAlpha,
                             .alpha_src = BlendFactor::Zero,
                             .alpha_dst = BlendFactor::One};
}

Eye MeshScene::eye(const Camera& camera, uint32_t width, uint32_t height) const {
    const double limit = 0.49 * kPi;  // keeps the eye off the pole, where the picture would flip
    const double pitch = std::clamp(camera.pitch + viewer_.pitch, -limit, limit);
    const auto distance = static_cast<float>(camera.distance * viewer_.zoom);
    const Mat4 turn = multiply(rotation_x(pitch), rotation_y(camera.yaw + viewer_.yaw));
    const Vec3& target = camera.target;
    Eye eye;
    eye.view = multiply(translation(0, 0, -distance),
                        multiply(turn, translation(-target[0], -target[1], -target[2])));
    eye.projection = perspective(kPi / 4, static_cast<double>(width) / height, camera.z_near,
                                 camera.z_far * std::max(1.0, viewer_.zoom));
    eye.view_projection = multiply(eye.projection, eye.view);
    for (size_t i = 0; i < 3; i++)
        eye.place[i] = target[i] + distance * turn[i][2];
    return eye;
}

Result<PipelineDesc> MeshScene::mesh_pipeline(std::string_view vertex, std::string_view fragment) {
    const auto shader = [&](std::string_view name) {
        return device_.create_shader(shader_text(std::string(name) + ".tgsi"), std::string(name));
    };
    PipelineDesc desc;
    VALKYR_TRY(vertex_shader, shader(vertex));
    VALKYR_TRY(fragment_shader, shader(fragment));
    desc.vertex = vertex_shader;
    desc.fragment = fragment_shader;
    desc.elements = {{0, offsetof(MeshVertex, position), 0, Format::R32G32B32_FLOAT},
                     {0, offsetof(MeshVertex, normal), 0, Format::R32G32B32_FLOAT},
                     {0, offsetof(MeshVertex, uv), 0, Format::R32G32_FLOAT}};
    desc.strides = {sizeof(MeshVertex)};
    desc.depth_stencil.depth_test = desc.depth_stencil.depth_write = true;
    desc.rasterizer.cull = CullFace::Back;
    desc.rasterizer.multisample = true;
    return desc;
}

Result<PipelineRef> MeshScene::screen_pipeline(std::string_view fragment) {
    VALKYR_TRY(desc, mesh_pipeline("screen.vert", fragment));
    desc.elements.clear();
    desc.strides.clear();
    desc.depth_stencil = {};
    desc.rasterizer.cull = CullFace::None;
    return device_.create_pipeline(desc);
}

Result<void> MeshScene::begin(const Framebuffer& framebuffer,
                              uint32_t width,
                              uint32_t height,
                              const Float4& color) {
    state_.framebuffer = framebuffer;
    state_.viewport = Viewport::of(width, height);
    ClearInfo clear;
    for (uint32_t i = 0; i < framebuffer.color.size(); i++)
        clear.set_color(i, color);
    clear.depth = clear.stencil = framebuffer.depth_stencil.texture != nullptr;
    return device_.clear(framebuffer, clear);
}

Result<void> MeshScene::draw_mesh(const PipelineRef& pipeline,
                                  const DeviceMesh& mesh,
                                  const Mat4& view_projection,
                                  const Mat4& world,
                                  const Constants& fragment,
                                  uint32_t instances) {
    state_.pipeline = pipeline;
    state_.vertex_buffers.resize(std::max<size_t>(1, state_.vertex_buffers.size()));
    state_.vertex_buffers[0] = {mesh.vertices};
    state_.index_buffer = {mesh.indices};
    state_.index_type = IndexType::U32;
    state_.vertex().constants = {Constants().add(view_projection).add(world).words()};
    state_.fragment().constants = {fragment.words()};
    DrawInfo info;
    info.count = mesh.count;
    info.instance_count = instances;
    return device_.draw(state_, info);
}

Result<void> MeshScene::draw_screen(const PipelineRef& pipeline,
                                    const Float4& right,
                                    const Float4& up,
                                    const Float4& centre,
                                    const Constants& fragment) {
    state_.pipeline = pipeline;
    state_.index_type = IndexType::None;
    state_.vertex().constants = {Constants().add(right).add(up).add(centre).words()};
    state_.fragment().constants = {fragment.words()};
    DrawInfo info;
    info.count = 3;
    return device_.draw(state_, info);
}

Result<void>
MeshScene::draw_sky(const PipelineRef& pipeline, const Eye& eye, const Constants& fragment) {
    // The rows of the view's rotation are the eye's axes; the projection gives the field of view.
    const auto axis = [&](size_t row, float factor) {
        return Float4{eye.view[0][row] * factor, eye.view[1][row] * factor,
                      eye.view[2][row] * factor, 0};
    };
    return draw_screen(pipeline, axis(0, 1 / eye.projection[0][0]),
                       axis(1, 1 / eye.projection[1][1]), axis(2, -1), fragment);
}

}  // namespace valkyr::examples
