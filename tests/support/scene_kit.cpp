// Scene kit: records and draws a test scene on any raster::Device.
// SPDX-License-Identifier: MIT
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::scenes {
namespace {

using exec::Format;

/// The value of a Result; throws its error.
template <typename T>
T want(Result<T> result) {
    if (!result)
        throw SceneError(result.error().format("scene"));
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

constexpr Format kFloatFormats[] = {Format::None, Format::R32_FLOAT, Format::R32G32_FLOAT,
                                    Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT};

}  // namespace

void SceneKit::size(uint32_t width, uint32_t height, uint32_t samples) {
    width_ = width;
    height_ = height;
    samples_ = samples;
    state.viewport = viewport_over(0, 0, static_cast<float>(width), static_cast<float>(height));
}

raster::TextureRef SceneKit::add_attachment(Format format) {
    if (width_ == 0)
        size(64, 64);
    raster::TextureDesc desc;
    desc.kind = samples_ > 1 ? exec::TextureKind::Tex2DMs : exec::TextureKind::Tex2D;
    desc.format = format;
    desc.width = width_;
    desc.height = height_;
    desc.samples = samples_;
    desc.render_target = true;
    return texture(desc);
}

raster::TextureRef SceneKit::add_color(Format format) {
    raster::TextureRef made = add_attachment(format);
    state.framebuffer.color.push_back({made, 0, 0});
    return made;
}

raster::TextureRef SceneKit::add_depth(Format format) {
    raster::TextureRef made = add_attachment(format);
    state.framebuffer.depth_stencil = {made, 0, 0};
    return made;
}

void SceneKit::clear(float r, float g, float b, float a, float depth, uint8_t stencil) {
    raster::ClearInfo info;
    for (uint32_t i = 0; i < state.framebuffer.color.size(); i++)
        info.set_color(i, {r, g, b, a});
    info.depth = info.stencil = state.framebuffer.depth_stencil.texture != nullptr;
    info.depth_value = depth;
    info.stencil_value = stencil;
    want(device_.clear(state.framebuffer, info));
}

void SceneKit::clear_words(const std::array<uint32_t, 4>& words) {
    raster::ClearInfo info;
    info.color_targets = (1U << state.framebuffer.color.size()) - 1;
    info.color.fill(words);
    want(device_.clear(state.framebuffer, info));
}

raster::ShaderRef SceneKit::shader(std::string_view text) {
    if (text.empty())
        return nullptr;
    const auto known = shaders_.find(text);
    if (known != shaders_.end())
        return known->second;
    raster::ShaderRef made = want(device_.create_shader(text, "scene"));
    shaders_.emplace(text, made);
    return made;
}

void SceneKit::shaders(std::string_view vertex, std::string_view fragment) {
    pipeline.vertex = shader(vertex);
    pipeline.fragment = shader(fragment);
}

void SceneKit::vertices(std::span<const float> data, std::initializer_list<unsigned> components) {
    pipeline.elements.clear();
    uint32_t offset = 0;
    for (const unsigned count : components) {
        pipeline.elements.push_back({0, offset, 0, kFloatFormats[count]});
        offset += 4 * count;
    }
    pipeline.strides = {offset};
    state.vertex_buffers = {{buffer(std::as_bytes(data))}};
}

raster::BufferRef SceneKit::buffer(std::span<const std::byte> bytes) {
    return want(device_.create_buffer(bytes.size(), bytes));
}

raster::TextureRef SceneKit::texture(const raster::TextureDesc& desc) {
    return want(device_.create_texture(desc));
}

void SceneKit::write_level(const raster::TextureRef& texture,
                           uint32_t level,
                           std::span<const uint8_t> texels) {
    const raster::TextureDesc& desc = texture->desc();
    raster::Box box;
    box.width = std::max(1U, desc.width >> level);
    box.height = std::max(1U, desc.height >> level);
    box.depth =
        desc.kind == exec::TextureKind::Tex3D ? std::max(1U, desc.depth >> level) : desc.layers;
    const size_t stride = size_t{box.width} * exec::format_info(desc.format).block_bytes;
    want(device_.write_texture(texture, level, box, std::as_bytes(texels), stride,
                               stride * box.height));
}

void SceneKit::draw(const raster::DrawInfo& info) {
    state.pipeline = want(device_.create_pipeline(pipeline));
    want(device_.draw(state, info));
}

std::vector<Shot> SceneKit::shots() {
    want(device_.finish());
    std::vector<Shot> list;
    const auto read_layer = [&](const raster::Surface& surface, uint32_t layer, std::string name) {
        const raster::TextureDesc& desc = surface.texture->desc();
        Shot shot{std::move(name),
                  desc.format,
                  std::max(1U, desc.width >> surface.level),
                  std::max(1U, desc.height >> surface.level),
                  {}};
        const size_t stride = size_t{shot.width} * exec::format_info(desc.format).block_bytes;
        shot.bytes.resize(stride * shot.height);
        const raster::Box box{0, 0, surface.layer + layer, shot.width, shot.height, 1};
        want(device_.read_texture(surface.texture, surface.level, box,
                                  std::as_writable_bytes(std::span(shot.bytes)), stride));
        list.push_back(std::move(shot));
    };
    const auto read = [&](const raster::Surface& surface, const std::string& name) {
        if (surface.texture == nullptr)
            return;
        read_layer(surface, 0, name);
        for (uint32_t layer = 1; layer < surface.layer_count; layer++)
            read_layer(surface, layer, name + "-layer" + std::to_string(layer));
    };
    for (size_t i = 0; i < state.framebuffer.color.size(); i++)
        read(state.framebuffer.color[i], "color" + std::to_string(i));
    read(state.framebuffer.depth_stencil, "depth");
    return list;
}

raster::Viewport viewport_over(
    float x0, float y0, float x1, float y1, float near_depth, float far_depth, bool halfz) {
    raster::Viewport v;
    v.scale[0] = (x1 - x0) / 2;
    v.scale[1] = (y1 - y0) / 2;
    v.translate[0] = (x0 + x1) / 2;
    v.translate[1] = (y0 + y1) / 2;
    v.scale[2] = halfz ? far_depth - near_depth : (far_depth - near_depth) / 2;
    v.translate[2] = halfz ? near_depth : (near_depth + far_depth) / 2;
    return v;
}

}  // namespace valkyr::scenes
