// A device that counts draws, remembers what they were made of, and can stop at one of them.
// SPDX-License-Identifier: MIT
#include "debug/counting_device.hpp"

#include <algorithm>

namespace valkyr::debug {

using namespace raster;

namespace {

/// Width and height of the first attachment's level.
void set_size(CountingDevice::Draw& draw, const Framebuffer& framebuffer) {
    draw.width = framebuffer.width;
    draw.height = framebuffer.height;
    std::vector<Surface> surfaces = framebuffer.color;
    surfaces.push_back(framebuffer.depth_stencil);
    for (const Surface& surface : surfaces) {
        if (!surface.texture)
            continue;
        draw.width = std::max(1U, surface.texture->desc().width >> surface.level);
        draw.height = std::max(1U, surface.texture->desc().height >> surface.level);
        return;
    }
}

}  // namespace

const CountingDevice::Text* CountingDevice::text_of(const ShaderRef& shader) const {
    const auto found = texts_.find(shader);
    return found != texts_.end() ? &found->second : nullptr;
}

const PipelineDesc* CountingDevice::desc_of(const PipelineRef& pipeline) const {
    const auto found = descs_.find(pipeline);
    return found != descs_.end() ? &found->second : nullptr;
}

Result<BufferRef> CountingDevice::create_buffer(uint64_t size_bytes,
                                                std::span<const std::byte> data) {
    VALKYR_TRY(buffer, inner().create_buffer(size_bytes, data));
    buffers_.push_back(buffer);
    return buffer;
}

Result<TextureRef> CountingDevice::create_texture(const TextureDesc& desc) {
    VALKYR_TRY(texture, inner().create_texture(desc));
    textures_.push_back(texture);
    return texture;
}

Result<ShaderRef> CountingDevice::create_shader(std::string_view tgsi_text, std::string name) {
    VALKYR_TRY(shader, inner().create_shader(tgsi_text, name));
    texts_[shader] = {std::move(name), std::string(tgsi_text)};
    return shader;
}

Result<PipelineRef> CountingDevice::create_pipeline(const PipelineDesc& desc) {
    VALKYR_TRY(pipeline, inner().create_pipeline(desc));
    descs_[pipeline] = desc;
    return pipeline;
}

template <typename Command>
Result<void> CountingDevice::counted(const DrawState& state, Command&& command) {
    if (stopped())
        return {};
    VALKYR_TRY_VOID(inner().finish());
    Draw draw{state.pipeline, state.vertex_constants, state.fragment_constants};
    set_size(draw, state.framebuffer);
    capture_.arm(static_cast<uint32_t>(draws_.size()));
    draws_.push_back(std::move(draw));
    Result<void> done = command();
    if (done)
        done = inner().finish();
    capture_.disarm();
    return done;
}

Result<void> CountingDevice::draw(const DrawState& state, const DrawInfo& info) {
    return counted(state, [&] { return inner().draw(state, info); });
}

Result<void> CountingDevice::draw_indirect(const DrawState& state, const IndirectInfo& info) {
    return counted(state, [&] { return inner().draw_indirect(state, info); });
}

Result<void> CountingDevice::write_buffer(const BufferRef& buffer,
                                          uint64_t offset,
                                          std::span<const std::byte> data) {
    return stopped() ? Result<void>() : inner().write_buffer(buffer, offset, data);
}

Result<void> CountingDevice::write_texture(const TextureRef& texture,
                                           uint32_t level,
                                           const Box& box,
                                           std::span<const std::byte> data,
                                           size_t stride_bytes,
                                           size_t slice_bytes) {
    return stopped() ? Result<void>()
                     : inner().write_texture(texture, level, box, data, stride_bytes, slice_bytes);
}

Result<void> CountingDevice::clear(const Framebuffer& framebuffer, const ClearInfo& info) {
    return stopped() ? Result<void>() : inner().clear(framebuffer, info);
}

Result<void> CountingDevice::copy_buffer(const BufferRef& to,
                                         uint64_t to_offset,
                                         const BufferRef& from,
                                         uint64_t from_offset,
                                         uint64_t size) {
    return stopped() ? Result<void>() : inner().copy_buffer(to, to_offset, from, from_offset, size);
}

Result<void> CountingDevice::fill_buffer(const BufferRef& buffer,
                                         uint64_t offset,
                                         uint64_t size,
                                         std::span<const std::byte> pattern) {
    return stopped() ? Result<void>() : inner().fill_buffer(buffer, offset, size, pattern);
}

Result<void> CountingDevice::copy_texture(const TextureRef& to,
                                          uint32_t to_level,
                                          uint32_t x,
                                          uint32_t y,
                                          uint32_t z,
                                          const TextureRef& from,
                                          uint32_t from_level,
                                          const Box& box) {
    return stopped() ? Result<void>()
                     : inner().copy_texture(to, to_level, x, y, z, from, from_level, box);
}

Result<void> CountingDevice::clear_texture(const TextureRef& texture,
                                           uint32_t level,
                                           const Box& box,
                                           const std::array<uint32_t, 4>& value) {
    return stopped() ? Result<void>() : inner().clear_texture(texture, level, box, value);
}

Result<void> CountingDevice::blit(const BlitInfo& info) {
    return stopped() ? Result<void>() : inner().blit(info);
}

Result<void> CountingDevice::set_stream_position(const StreamTargetRef& target, uint64_t position) {
    return stopped() ? Result<void>() : inner().set_stream_position(target, position);
}

}  // namespace valkyr::debug
