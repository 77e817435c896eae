// Counting device: counts draws, remembers their parts, and can stop at one of them.
// SPDX-License-Identifier: MIT
#include "app/debug/session/counting_device.hpp"

#include "gpu/create_device.hpp"

#include <algorithm>

namespace valkyr::debug {

using namespace raster;

namespace {

/// Width and height of the first attachment's level.
void set_size(LoggedDraw& draw, const Framebuffer& framebuffer) {
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

Result<std::unique_ptr<Device>> CountingDevice::create(DrawLog& log) {
    return log.make_device ? log.make_device() : make(log);
}

Result<std::unique_ptr<Device>> CountingDevice::make(DrawLog& log) {
    DeviceOptions options;
    options.threads = 1;
    options.hierarchical_z = false;  // the debugger also examines hidden fragments
    options.kernel_tap = &log.capture;
    VALKYR_TRY(inside, gpu::create_device(options));
    return std::unique_ptr<Device>(std::make_unique<CountingDevice>(std::move(inside), log));
}

Result<ShaderRef> CountingDevice::create_shader(std::string_view tgsi_text, std::string name) {
    VALKYR_TRY(shader, inner().create_shader(tgsi_text, name));
    texts_.add(shader, std::move(name), tgsi_text);
    return shader;
}

Result<PipelineRef> CountingDevice::create_pipeline(const PipelineDesc& desc) {
    VALKYR_TRY(pipeline, inner().create_pipeline(desc));
    texts_.add(pipeline, desc);
    return pipeline;
}

Result<void> CountingDevice::work(const Work& work, const DoWork& do_work) {
    if (log_.stopped())
        return {};
    if (!log_.counting || work.draw == nullptr)
        return do_work();
    VALKYR_TRY_VOID(inner().finish());
    LoggedDraw draw;
    if (work.info != nullptr) {
        draw.vertices = work.info->count;
        draw.instances = work.info->instance_count;
    }
    draw.patch_vertices = work.patch_vertices;
    draw.state = *work.draw;
    draw.shaders = texts_.of(work.draw->pipeline);
    draw.primitive = texts_.desc_of(work.draw->pipeline).primitive;
    set_size(draw, work.draw->framebuffer);
    log_.capture.arm(static_cast<uint32_t>(log_.draws.size()), draw.patch_vertices);
    log_.draws.push_back(std::move(draw));
    Result<void> done = do_work();
    if (done)
        done = inner().finish();
    log_.capture.disarm();
    log_.draw_done();
    return done;
}

Result<void> CountingDevice::write_buffer(const BufferRef& buffer,
                                          uint64_t offset,
                                          std::span<const std::byte> data) {
    return log_.stopped() ? Result<void>() : inner().write_buffer(buffer, offset, data);
}

Result<void> CountingDevice::write_texture(const TextureRef& texture,
                                           uint32_t level,
                                           const Box& box,
                                           std::span<const std::byte> data,
                                           size_t stride_bytes,
                                           size_t slice_bytes) {
    return log_.stopped()
               ? Result<void>()
               : inner().write_texture(texture, level, box, data, stride_bytes, slice_bytes);
}

Result<void> CountingDevice::clear(const Framebuffer& framebuffer, const ClearInfo& info) {
    return log_.stopped() ? Result<void>() : inner().clear(framebuffer, info);
}

Result<void> CountingDevice::copy_buffer(const BufferRef& to,
                                         uint64_t to_offset,
                                         const BufferRef& from,
                                         uint64_t from_offset,
                                         uint64_t size) {
    return log_.stopped() ? Result<void>()
                          : inner().copy_buffer(to, to_offset, from, from_offset, size);
}

Result<void> CountingDevice::fill_buffer(const BufferRef& buffer,
                                         uint64_t offset,
                                         uint64_t size,
                                         std::span<const std::byte> pattern) {
    return log_.stopped() ? Result<void>() : inner().fill_buffer(buffer, offset, size, pattern);
}

Result<void> CountingDevice::copy_texture(const TextureRef& to,
                                          uint32_t to_level,
                                          uint32_t x,
                                          uint32_t y,
                                          uint32_t z,
                                          const TextureRef& from,
                                          uint32_t from_level,
                                          const Box& box) {
    return log_.stopped() ? Result<void>()
                          : inner().copy_texture(to, to_level, x, y, z, from, from_level, box);
}

Result<void> CountingDevice::clear_texture(const TextureRef& texture,
                                           uint32_t level,
                                           const Box& box,
                                           const std::array<uint32_t, 4>& value) {
    return log_.stopped() ? Result<void>() : inner().clear_texture(texture, level, box, value);
}

Result<void> CountingDevice::blit(const BlitInfo& info) {
    return log_.stopped() ? Result<void>() : inner().blit(info);
}

Result<void> CountingDevice::set_stream_position(const StreamTargetRef& target, uint64_t position) {
    return log_.stopped() ? Result<void>() : inner().set_stream_position(target, position);
}

}  // namespace valkyr::debug
