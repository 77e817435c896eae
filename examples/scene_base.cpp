// What most demo scenes share.
// SPDX-License-Identifier: MIT
#include "scene_base.hpp"

#include <bit>
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
    return desc;
}

Result<void> MeshScene::begin(const Framebuffer& framebuffer,
                              uint32_t width,
                              uint32_t height,
                              const Float4& color) {
    const auto w = static_cast<float>(width);
    const auto h = static_cast<float>(height);
    state_.framebuffer = framebuffer;
    state_.viewport = {{w / 2, -h / 2, 0.5F}, {w / 2, h / 2, 0.5F}};
    ClearInfo clear;
    clear.color_targets = (1U << framebuffer.color.size()) - 1;
    std::array<uint32_t, 4> words{};
    for (size_t i = 0; i < 4; i++)
        words[i] = std::bit_cast<uint32_t>(color[i]);
    clear.color.fill(words);
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
    state_.vertex_constants = {Constants().add(view_projection).add(world).words()};
    state_.fragment_constants = {fragment.words()};
    DrawInfo info;
    info.count = mesh.count;
    info.instance_count = instances;
    return device_.draw(state_, info);
}

}  // namespace valkyr::examples
