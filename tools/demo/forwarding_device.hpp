// A device that hands every call on to another one: the base of devices that change some of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::tools {

class ForwardingDevice : public raster::Device {
public:
    explicit ForwardingDevice(std::unique_ptr<raster::Device> inner)
        : inner_(std::move(inner)) {}

    /// The device that does the work.
    [[nodiscard]] raster::Device& inner() { return *inner_; }

    Result<raster::BufferRef> create_buffer(uint64_t size_bytes,
                                            std::span<const std::byte> data) override {
        return inner_->create_buffer(size_bytes, data);
    }
    Result<void> write_buffer(const raster::BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override {
        return inner_->write_buffer(buffer, offset, data);
    }
    Result<raster::TextureRef> create_texture(const raster::TextureDesc& desc) override {
        return inner_->create_texture(desc);
    }
    Result<void> write_texture(const raster::TextureRef& texture,
                               uint32_t level,
                               const raster::Box& box,
                               std::span<const std::byte> data,
                               size_t stride_bytes,
                               size_t slice_bytes) override {
        return inner_->write_texture(texture, level, box, data, stride_bytes, slice_bytes);
    }
    Result<void> read_texture(const raster::TextureRef& texture,
                              uint32_t level,
                              const raster::Box& box,
                              std::span<std::byte> data,
                              size_t stride_bytes,
                              size_t slice_bytes) override {
        return inner_->read_texture(texture, level, box, data, stride_bytes, slice_bytes);
    }
    Result<raster::ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override {
        return inner_->create_shader(tgsi_text, std::move(name));
    }
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override {
        return inner_->create_pipeline(desc);
    }
    Result<void> clear(const raster::Framebuffer& framebuffer,
                       const raster::ClearInfo& info) override {
        return inner_->clear(framebuffer, info);
    }
    Result<void> draw(const raster::DrawState& state, const raster::DrawInfo& info) override {
        return inner_->draw(state, info);
    }
    Result<void> blit(const raster::BlitInfo& info) override { return inner_->blit(info); }
    Result<void> finish() override { return inner_->finish(); }
    [[nodiscard]] raster::Statistics take_statistics() override {
        return inner_->take_statistics();
    }
    [[nodiscard]] const raster::DeviceOptions& options() const noexcept override {
        return inner_->options();
    }

private:
    std::unique_ptr<raster::Device> inner_;
};

}  // namespace valkyr::tools
