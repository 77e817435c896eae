// A device that counts draws, remembers what they were made of, and can stop at one of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "debug/scene_capture.hpp"
#include "forwarding_device.hpp"

#include <map>

namespace valkyr::debug {

/// Everything goes to the device inside. Around each draw call everything before it is executed, so
/// that the capture knows which kernel calls are the draw's. After draw `last` commands do nothing:
/// memory stays as that draw left it.
class CountingDevice final : public tools::ForwardingDevice {
public:
    CountingDevice(std::unique_ptr<raster::Device> inside, SceneCapture& capture, uint32_t last)
        : ForwardingDevice(std::move(inside))
        , capture_(capture)
        , last_(last) {}

    struct Text {
        std::string name;
        std::string text;
    };
    /// One draw call.
    struct Draw {
        raster::PipelineRef pipeline;
        std::vector<std::vector<uint32_t>> vertex_constants;
        std::vector<std::vector<uint32_t>> fragment_constants;
        uint32_t width = 0;  ///< of the framebuffer
        uint32_t height = 0;
    };
    [[nodiscard]] const std::vector<Draw>& draws() const { return draws_; }
    /// The text of a shader of this device, or null.
    [[nodiscard]] const Text* text_of(const raster::ShaderRef& shader) const;
    [[nodiscard]] const raster::PipelineDesc* desc_of(const raster::PipelineRef& pipeline) const;

    Result<raster::BufferRef> create_buffer(uint64_t size_bytes,
                                            std::span<const std::byte> data) override;
    Result<void> write_buffer(const raster::BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override;
    Result<raster::TextureRef> create_texture(const raster::TextureDesc& desc) override;
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
    Result<void> draw(const raster::DrawState& state, const raster::DrawInfo& info) override;
    Result<void> draw_indirect(const raster::DrawState& state,
                               const raster::IndirectInfo& info) override;
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
    [[nodiscard]] bool stopped() const { return draws_.size() > last_; }
    template <typename Command>
    Result<void> counted(const raster::DrawState& state, Command&& command);

    SceneCapture& capture_;
    uint64_t last_;
    std::vector<Draw> draws_;
    // What draws refer to stays alive.
    std::vector<raster::BufferRef> buffers_;
    std::vector<raster::TextureRef> textures_;
    std::map<raster::ShaderRef, Text> texts_;
    std::map<raster::PipelineRef, raster::PipelineDesc> descs_;
};

}  // namespace valkyr::debug
