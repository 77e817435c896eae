// A device that hands every call on to another one: the base of devices that change some of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::app {

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
    Result<void> draw_indirect(const raster::DrawState& state,
                               const raster::IndirectInfo& info) override {
        return inner_->draw_indirect(state, info);
    }
    Result<raster::ComputePipelineRef>
    create_compute_pipeline(const raster::ComputePipelineDesc& desc) override {
        return inner_->create_compute_pipeline(desc);
    }
    Result<void> dispatch(const raster::DispatchState& state,
                          const std::array<uint32_t, 3>& groups) override {
        return inner_->dispatch(state, groups);
    }
    Result<void> dispatch_indirect(const raster::DispatchState& state,
                                   const raster::BufferRef& buffer,
                                   uint64_t offset) override {
        return inner_->dispatch_indirect(state, buffer, offset);
    }
    Result<void> read_buffer(const raster::BufferRef& buffer,
                             uint64_t offset,
                             std::span<std::byte> data) override {
        return inner_->read_buffer(buffer, offset, data);
    }
    Result<void> copy_buffer(const raster::BufferRef& to,
                             uint64_t to_offset,
                             const raster::BufferRef& from,
                             uint64_t from_offset,
                             uint64_t size) override {
        return inner_->copy_buffer(to, to_offset, from, from_offset, size);
    }
    Result<void> fill_buffer(const raster::BufferRef& buffer,
                             uint64_t offset,
                             uint64_t size,
                             std::span<const std::byte> pattern) override {
        return inner_->fill_buffer(buffer, offset, size, pattern);
    }
    Result<void> copy_texture(const raster::TextureRef& to,
                              uint32_t to_level,
                              uint32_t x,
                              uint32_t y,
                              uint32_t z,
                              const raster::TextureRef& from,
                              uint32_t from_level,
                              const raster::Box& box) override {
        return inner_->copy_texture(to, to_level, x, y, z, from, from_level, box);
    }
    Result<void> clear_texture(const raster::TextureRef& texture,
                               uint32_t level,
                               const raster::Box& box,
                               const std::array<uint32_t, 4>& value) override {
        return inner_->clear_texture(texture, level, box, value);
    }
    Result<void> blit(const raster::BlitInfo& info) override { return inner_->blit(info); }
    Result<raster::StreamTargetRef>
    create_stream_target(const raster::BufferRange& range) override {
        return inner_->create_stream_target(range);
    }
    Result<void> set_stream_position(const raster::StreamTargetRef& target,
                                     uint64_t position) override {
        return inner_->set_stream_position(target, position);
    }
    Result<raster::QueryRef> create_query(raster::QueryKind kind, uint32_t stream) override {
        return inner_->create_query(kind, stream);
    }
    Result<void> begin_query(const raster::QueryRef& query) override {
        return inner_->begin_query(query);
    }
    Result<void> end_query(const raster::QueryRef& query) override {
        return inner_->end_query(query);
    }
    Result<std::optional<raster::QueryResult>> query_result(const raster::QueryRef& query,
                                                            bool wait) override {
        return inner_->query_result(query, wait);
    }
    Result<void> eliminate_fast_clears(const raster::TextureRef& texture) override {
        return inner_->eliminate_fast_clears(texture);
    }
    Result<raster::FenceRef> insert_fence() override { return inner_->insert_fence(); }
    Result<bool> check_fence(const raster::FenceRef& fence, bool wait) override {
        return inner_->check_fence(fence, wait);
    }
    Result<void> finish() override { return inner_->finish(); }
    void cancel() noexcept override { inner_->cancel(); }
    [[nodiscard]] bool cancelled() const noexcept override { return inner_->cancelled(); }
    [[nodiscard]] raster::Statistics take_statistics() override {
        return inner_->take_statistics();
    }
    [[nodiscard]] const raster::DeviceOptions& options() const noexcept override {
        return inner_->options();
    }

private:
    std::unique_ptr<raster::Device> inner_;
};

}  // namespace valkyr::app
