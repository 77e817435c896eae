// The rasterizer's Device.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "raster/pass.hpp"
#include "raster/renderer.hpp"
#include "raster/shader_cache.hpp"

#include <memory>
#include <string>

namespace valkyr::raster {

class DeviceImpl final : public Device, public DeviceTag {
public:
    static Result<std::unique_ptr<DeviceImpl>> create(const DeviceOptions& options);

    Result<BufferRef> create_buffer(uint64_t size_bytes, std::span<const std::byte> data) override;
    Result<void> write_buffer(const BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override;
    Result<TextureRef> create_texture(const TextureDesc& desc) override;
    Result<void> write_texture(const TextureRef& texture,
                               uint32_t level,
                               const Box& box,
                               std::span<const std::byte> data,
                               size_t stride_bytes,
                               size_t slice_bytes) override;
    Result<void> read_texture(const TextureRef& texture,
                              uint32_t level,
                              const Box& box,
                              std::span<std::byte> data,
                              size_t stride_bytes,
                              size_t slice_bytes) override;
    Result<ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;
    Result<PipelineRef> create_pipeline(const PipelineDesc& desc) override;
    Result<void> clear(const Framebuffer& framebuffer, const ClearInfo& info) override;
    Result<void> draw(const DrawState& state, const DrawInfo& info) override;
    Result<void> finish() override;
    [[nodiscard]] Statistics take_statistics() override;
    [[nodiscard]] const DeviceOptions& options() const noexcept override { return options_; }

    /// A pipeline of ready-made stages (native_stage.hpp) instead of shaders; `desc.vertex` and
    /// `desc.fragment` are ignored.
    Result<PipelineRef>
    create_native_pipeline(PipelineDesc desc, StageRef vertex, StageRef fragment);

private:
    explicit DeviceImpl(const DeviceOptions& options)
        : options_(options) {}

    /// Renders what is recorded.
    void flush();
    /// Makes the pass draw to these attachments, flushing what was recorded for others.
    Result<void> begin_draw(const PassTargets& targets, const Framebuffer& framebuffer);
    [[nodiscard]] bool in_use(uint64_t last_pass) const {
        return last_pass == pass_.number && !pass_.draws.empty();
    }

    DeviceOptions options_;
    std::unique_ptr<Renderer> renderer_;
    std::unique_ptr<ShaderCache> shaders_;
    Pass pass_;
    uint64_t draws_ = 0;
};

}  // namespace valkyr::raster
