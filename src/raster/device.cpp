// The rasterizer's Device: validates, records, flushes.
// SPDX-License-Identifier: MIT
#include "raster/device_impl.hpp"
#include "raster/recorder.hpp"
#include "raster/transfer.hpp"
#include "raster/validate.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace valkyr::raster {

Result<std::unique_ptr<Device>> Device::create(const DeviceOptions& options) {
    VALKYR_TRY(device, DeviceImpl::create(options));
    return std::unique_ptr<Device>(std::move(device));
}

Result<std::unique_ptr<DeviceImpl>> DeviceImpl::create(const DeviceOptions& options) {
    std::unique_ptr<DeviceImpl> device(new DeviceImpl(options));
    VALKYR_TRY(renderer, Renderer::create(options));
    device->renderer_ = std::move(renderer);
    VALKYR_TRY(shaders, ShaderCache::create(options));
    device->shaders_ = std::move(shaders);
    device->options_.threads = device->renderer_->threads();
    return device;
}

Result<BufferRef> DeviceImpl::create_buffer(uint64_t size_bytes, std::span<const std::byte> data) {
    VALKYR_TRY(buffer, BufferImpl::create(this, size_bytes, data));
    return BufferRef(std::move(buffer));
}

Result<void> DeviceImpl::write_buffer(const BufferRef& buffer,
                                      uint64_t offset,
                                      std::span<const std::byte> data) {
    BufferImpl* own = own_buffer(buffer, this);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "write_buffer: a buffer of another device"};
    if (offset > own->size() || data.size() > own->size() - offset)
        return Error{Errc::OutOfRange,
                     {},
                     "write_buffer: " + std::to_string(data.size()) + " bytes at " +
                         std::to_string(offset) + " of " + std::to_string(own->size())};
    if (in_use(own->last_pass))
        flush();
    if (!data.empty())
        std::memcpy(own->data() + offset, data.data(), data.size());
    return {};
}

Result<TextureRef> DeviceImpl::create_texture(const TextureDesc& desc) {
    VALKYR_TRY(texture, TextureImpl::create(this, desc));
    return TextureRef(std::move(texture));
}

Result<void> DeviceImpl::write_texture(const TextureRef& texture,
                                       uint32_t level,
                                       const Box& box,
                                       std::span<const std::byte> data,
                                       size_t stride_bytes,
                                       size_t slice_bytes) {
    TextureImpl* own = own_texture(texture, this);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "write_texture: a texture of another device"};
    if (in_use(own->last_pass))
        flush();
    return upload(*own, level, box, data, stride_bytes, slice_bytes);
}

Result<void> DeviceImpl::read_texture(const TextureRef& texture,
                                      uint32_t level,
                                      const Box& box,
                                      std::span<std::byte> data,
                                      size_t stride_bytes,
                                      size_t slice_bytes) {
    TextureImpl* own = own_texture(texture, this);
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "read_texture: a texture of another device"};
    if (in_use(own->last_pass))
        flush();
    return download(*own, level, box, data, stride_bytes, slice_bytes);
}

Result<ShaderRef> DeviceImpl::create_shader(std::string_view tgsi_text, std::string name) {
    return shaders_->shader(this, tgsi_text, std::move(name));
}

Result<PipelineRef> DeviceImpl::create_pipeline(const PipelineDesc& desc) {
    VALKYR_TRY_VOID(validate_pipeline(desc));
    if (!desc.vertex)
        return Error{Errc::InvalidState, {}, "pipeline: no vertex shader"};
    VALKYR_TRY(stages, shaders_->link(this, desc.vertex, desc.fragment));
    return create_native_pipeline(desc, std::move(stages.vertex), std::move(stages.fragment));
}

Result<PipelineRef>
DeviceImpl::create_native_pipeline(PipelineDesc desc, StageRef vertex, StageRef fragment) {
    VALKYR_TRY_VOID(validate_pipeline(desc));
    VALKYR_TRY_VOID(validate_attributes(desc, vertex->info()));
    VALKYR_TRY_VOID(renderer_->reserve_tls(
        std::max(vertex->tls_bytes(), fragment ? fragment->tls_bytes() : 0)));
    return PipelineRef(std::make_shared<PipelineImpl>(this, std::move(desc), std::move(vertex),
                                                      std::move(fragment)));
}

Result<void> DeviceImpl::clear(const Framebuffer& framebuffer, const ClearInfo& info) {
    VALKYR_TRY(targets, resolve_targets(framebuffer, this));
    std::vector<const TargetSurface*> surfaces{&targets.depth_stencil};
    for (const TargetSurface& surface : targets.color)
        surfaces.push_back(&surface);
    const auto unbound = [](const TargetSurface* s) { return s->texture == nullptr; };
    surfaces.erase(std::remove_if(surfaces.begin(), surfaces.end(), unbound), surfaces.end());
    for (const TargetSurface* surface : surfaces)
        if (in_use(surface->texture->last_pass))
            flush();
    clear_targets(targets, info);
    if (!options_.fast_clear)
        for (const TargetSurface* surface : surfaces)
            surface->texture->settle(surface->level, surface->layer);
    return {};
}

Result<void> DeviceImpl::draw(const DrawState& state, const DrawInfo& info) {
    const auto* pipeline = dynamic_cast<const PipelineImpl*>(state.pipeline.get());
    if (pipeline == nullptr || pipeline->owner() != this)
        return Error{Errc::InvalidState, {}, "draw: no pipeline, or one of another device"};
    VALKYR_TRY_VOID(validate_draw(state, info, this));
    VALKYR_TRY(targets, resolve_targets(state.framebuffer, this));
    const bool discards = pipeline->desc().rasterizer.rasterizer_discard;
    if (targets.width == 0 && !discards)
        return Error{Errc::InvalidState, {}, "draw: a framebuffer without attachments"};
    if (info.count == 0 || info.instance_count == 0)
        return {};
    VALKYR_TRY_VOID(begin_draw(targets, state.framebuffer));
    VALKYR_TRY_VOID(record_draw({&pass_, this, renderer_->tls()}, state, info));
    ++draws_;
    return {};
}

Result<void> DeviceImpl::begin_draw(const PassTargets& targets, const Framebuffer& framebuffer) {
    if (!pass_.draws.empty() &&
        (!(targets == pass_.targets) || pass_.arena.used() > kPassRecordBytes))
        flush();
    if (!pass_.draws.empty())
        return {};
    pass_.reset();
    VALKYR_TRY_VOID(renderer_->reserve_tiles(targets));
    pass_.targets = targets;
    const auto use = [&](const Surface& surface) {
        if (!surface.texture)
            return;
        static_cast<TextureImpl&>(*surface.texture).last_pass = pass_.number;
        pass_.keep(surface.texture);
    };
    for (const Surface& surface : framebuffer.color)
        use(surface);
    use(framebuffer.depth_stencil);
    return {};
}

void DeviceImpl::flush() {
    if (!pass_.draws.empty())
        renderer_->execute(pass_);
    pass_.reset();
}

Result<void> DeviceImpl::finish() {
    flush();
    return {};
}

Statistics DeviceImpl::take_statistics() {
    Statistics statistics;
    statistics.draws = draws_;
    draws_ = 0;
    renderer_->take_statistics(statistics);
    shaders_->take_statistics(statistics);
    return statistics;
}

}  // namespace valkyr::raster
