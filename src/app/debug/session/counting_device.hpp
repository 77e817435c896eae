// Counting device: counts draws, remembers their parts, and can stop at one of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/work_device.hpp"
#include "app/debug/session/draw_log.hpp"

namespace valkyr::debug {

/// Forwards every call to the inner device. Finishes that device before and after each counted draw
/// call, so that the log's capture knows which kernel calls belong to the draw. Commands behind the
/// log's last draw do nothing: memory stays as that draw left it.
class CountingDevice final : public app::WorkDevice {
public:
    /// The log must outlive the device; its capture is the inner device's kernel tap.
    CountingDevice(std::unique_ptr<raster::Device> inside, DrawLog& log)
        : WorkDevice(std::move(inside))
        , log_(log) {}
    /// A rasterizer with one thread, whose kernels are tapped by the log's capture.
    /// errors   those of raster::Device::create
    static Result<std::unique_ptr<raster::Device>> make(DrawLog& log);
    /// make(), or what DrawLog::make_device makes.
    static Result<std::unique_ptr<raster::Device>> create(DrawLog& log);

    Result<void> write_buffer(const raster::BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override;
    Result<void> write_texture(const raster::TextureRef& texture,
                               uint32_t level,
                               const raster::Box& box,
                               std::span<const std::byte> data,
                               size_t stride_bytes,
                               size_t slice_bytes) override;
    Result<raster::ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override;
    Result<void> clear(const raster::Framebuffer& framebuffer,
                       const raster::ClearInfo& info) override;
    Result<void> copy_buffer(const raster::BufferRef& to,
                             uint64_t to_offset,
                             const raster::BufferRef& from,
                             uint64_t from_offset,
                             uint64_t size) override;
    Result<void> fill_buffer(const raster::BufferRef& buffer,
                             uint64_t offset,
                             uint64_t size,
                             std::span<const std::byte> pattern) override;
    Result<void> copy_texture(const raster::TextureRef& to,
                              uint32_t to_level,
                              uint32_t x,
                              uint32_t y,
                              uint32_t z,
                              const raster::TextureRef& from,
                              uint32_t from_level,
                              const raster::Box& box) override;
    Result<void> clear_texture(const raster::TextureRef& texture,
                               uint32_t level,
                               const raster::Box& box,
                               const std::array<uint32_t, 4>& value) override;
    Result<void> blit(const raster::BlitInfo& info) override;
    Result<void> set_stream_position(const raster::StreamTargetRef& target,
                                     uint64_t position) override;

private:
    Result<void> work(const Work& work, const DoWork& do_work) override;

    DrawLog& log_;
    ShaderTexts texts_;
};

}  // namespace valkyr::debug
