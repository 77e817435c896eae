// Scene base: makes the shaders, meshes, pipelines and draws that benchmark scenes share.
// SPDX-License-Identifier: MIT
#include "bench/scene_base.hpp"

#include <bit>
#include <span>
#include <string>
#include <utility>

namespace valkyr::bench {

using namespace raster;

Result<void> SceneBase::upload(const MeshData& data, Mesh& mesh) {
    const auto vertices = std::as_bytes(std::span(data.vertices));
    VALKYR_TRY(vertex_buffer, device_.create_buffer(vertices.size(), vertices));
    mesh.vertices = std::move(vertex_buffer);
    mesh.count = static_cast<uint32_t>(data.vertices.size());
    if (data.indices.empty())
        return {};
    const auto indices = std::as_bytes(std::span(data.indices));
    VALKYR_TRY(index_buffer, device_.create_buffer(indices.size(), indices));
    mesh.indices = std::move(index_buffer);
    mesh.count = static_cast<uint32_t>(data.indices.size());
    return {};
}

Result<PipelineRef> SceneBase::pipeline(PipelineDesc desc,
                                        std::string_view vertex,
                                        std::string_view fragment,
                                        std::initializer_list<Attribute> attributes) {
    constexpr VertexElement kElements[] = {
        {0, offsetof(Vertex, position), 0, Format::R32G32B32_FLOAT},
        {0, offsetof(Vertex, normal), 0, Format::R32G32B32_FLOAT},
        {0, offsetof(Vertex, uv), 0, Format::R32G32_FLOAT},
        {0, offsetof(Vertex, color), 0, Format::R8G8B8A8_UNORM}};
    const std::string vertex_name = std::string(vertex) + ".vert.tgsi";
    const std::string fragment_name = std::string(fragment) + ".frag.tgsi";
    VALKYR_TRY(vertex_shader, device_.create_shader(shader_text(vertex_name), vertex_name));
    VALKYR_TRY(fragment_shader, device_.create_shader(shader_text(fragment_name), fragment_name));
    desc.vertex = vertex_shader;
    desc.fragment = fragment_shader;
    for (const Attribute attribute : attributes)
        desc.elements.push_back(kElements[static_cast<size_t>(attribute)]);
    desc.strides = {sizeof(Vertex)};
    return device_.create_pipeline(desc);
}

Result<void> SceneBase::use_pipeline(const PipelineDesc& desc,
                                     std::string_view vertex,
                                     std::string_view fragment,
                                     std::initializer_list<Attribute> attributes) {
    VALKYR_TRY(made, pipeline(desc, vertex, fragment, attributes));
    state_.pipeline = std::move(made);
    return {};
}

Result<void> SceneBase::clear(const Framebuffer& target, float red) {
    ClearInfo info;
    if (!target.color.empty())
        info.set_color(0, {red, 0.15F, 0.2F, 1});
    info.depth = true;
    info.stencil = true;
    return device_.clear(target, info);
}

void SceneBase::begin(const Framebuffer& target, uint32_t size) {
    const auto side = static_cast<float>(size);
    state_.framebuffer = target;
    state_.viewport = Viewport::over(0, 0, side, side);
}

Result<void> SceneBase::draw(const Mesh& mesh, uint32_t first, uint32_t count) {
    return draw(mesh, first, count, StateGroups::all());
}

Result<void>
SceneBase::draw_flat_quad(const Mesh& mesh, uint32_t quad, const std::array<float, 4>& color) {
    constexpr uint32_t kVertices = 6;
    std::vector<Words>& constants = state_.fragment().constants;
    constants.resize(1);
    const auto words = std::bit_cast<std::array<uint32_t, 4>>(color);
    constants[0].assign(words.begin(), words.end());
    return draw(mesh, quad * kVertices, kVertices,
                quad == 0 ? StateGroups::all() : StateGroup::FragmentConstants);
}

Result<void>
SceneBase::draw(const Mesh& mesh, uint32_t first, uint32_t count, StateGroups changed) {
    if (changed.has(StateGroup::VertexBuffers | StateGroup::IndexBuffer)) {
        state_.vertex_buffers.resize(1);
        state_.vertex_buffers[0] = {mesh.vertices};
        state_.index_buffer = {mesh.indices};
        state_.index_type = mesh.indices ? IndexType::U32 : IndexType::None;
    }
    DrawInfo info;
    info.first = first;
    info.count = count == UINT32_MAX ? mesh.count : count;
    return device_.redraw(state_, info, changed);
}

void SceneBase::append(Words& words, std::initializer_list<float> values) {
    for (const float value : values)
        words.push_back(std::bit_cast<uint32_t>(value));
}

void SceneBase::append(Words& words, const Matrix& matrix) {
    for (const float value : matrix)
        words.push_back(std::bit_cast<uint32_t>(value));
}

DepthStencilState depth_less() {
    DepthStencilState state;
    state.depth_test = true;
    state.depth_write = true;
    return state;
}

BlendState source_over() {
    BlendState state;
    state.targets[0] = {.enable = true,
                        .rgb_src = BlendFactor::SrcAlpha,
                        .rgb_dst = BlendFactor::InvSrcAlpha,
                        .alpha_src = BlendFactor::SrcAlpha,
                        .alpha_dst = BlendFactor::InvSrcAlpha};
    return state;
}

RasterizerState gl_rasterizer(bool cull_back) {
    RasterizerState state;
    state.front_ccw = false;
    state.cull = cull_back ? CullFace::Back : CullFace::None;
    return state;
}

PipelineDesc gl_pipeline(bool cull_back) {
    PipelineDesc desc;
    desc.rasterizer = gl_rasterizer(cull_back);
    return desc;
}

}  // namespace valkyr::bench
