// Null device: keeps buffers and draws nothing, to fuzz the code above the device.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace valkyr::fuzz {

class NullDevice final : public raster::Device {
public:
    class NullBuffer final : public raster::Buffer {
    public:
        explicit NullBuffer(uint64_t size)
            : bytes(size) {}
        [[nodiscard]] uint64_t size() const noexcept override { return bytes.size(); }
        std::vector<std::byte> bytes;
    };
    class NullTexture final : public raster::Texture {
    public:
        explicit NullTexture(const raster::TextureDesc& desc)
            : desc_(desc) {}
        [[nodiscard]] const raster::TextureDesc& desc() const noexcept override { return desc_; }

    private:
        raster::TextureDesc desc_;
    };
    class NullShader final : public raster::Shader {};
    class NullPipeline final : public raster::Pipeline {};
    class NullComputePipeline final : public raster::ComputePipeline {};
    class NullTarget final : public raster::StreamTarget {
    public:
        [[nodiscard]] uint64_t position() const noexcept override { return 64; }
    };
    class NullQuery final : public raster::Query {
    public:
        explicit NullQuery(raster::QueryKind kind)
            : kind_(kind) {}
        [[nodiscard]] raster::QueryKind kind() const noexcept override { return kind_; }

    private:
        raster::QueryKind kind_;
    };

    Result<raster::BufferRef> create_buffer(uint64_t size_bytes,
                                            std::span<const std::byte> data) override {
        if (size_bytes > kMostBytes || data.size() > size_bytes)
            return Error{Errc::OutOfRange, {}, "too large"};
        auto buffer = std::make_shared<NullBuffer>(size_bytes);
        std::copy(data.begin(), data.end(), buffer->bytes.begin());
        return raster::BufferRef(std::move(buffer));
    }
    Result<void> write_buffer(const raster::BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override {
        auto& bytes = static_cast<NullBuffer&>(*buffer).bytes;
        if (offset > bytes.size() || data.size() > bytes.size() - offset)
            return Error{Errc::OutOfRange, {}, "outside"};
        std::copy(data.begin(), data.end(), bytes.begin() + static_cast<ptrdiff_t>(offset));
        return {};
    }
    Result<void> read_buffer(const raster::BufferRef& buffer,
                             uint64_t offset,
                             std::span<std::byte> data) override {
        const auto& bytes = static_cast<NullBuffer&>(*buffer).bytes;
        if (offset > bytes.size() || data.size() > bytes.size() - offset)
            return Error{Errc::OutOfRange, {}, "outside"};
        std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(offset), data.size(), data.begin());
        return {};
    }
    Result<raster::TextureRef> create_texture(const raster::TextureDesc& desc) override {
        return raster::TextureRef(std::make_shared<NullTexture>(desc));
    }
    /// Reads the first and the last byte of the caller's data, for sanitizers.
    Result<void> write_texture(const raster::TextureRef& /*texture*/,
                               uint32_t /*level*/,
                               const raster::Box& /*box*/,
                               std::span<const std::byte> data,
                               size_t /*stride_bytes*/,
                               size_t /*slice_bytes*/) override {
        if (!data.empty() && data.front() == std::byte{1} && data.back() == std::byte{2})
            return Error{Errc::OutOfRange, {}, "outside"};
        return {};
    }
    Result<void> read_texture(const raster::TextureRef& /*texture*/,
                              uint32_t /*level*/,
                              const raster::Box& /*box*/,
                              std::span<std::byte> data,
                              size_t /*stride_bytes*/,
                              size_t /*slice_bytes*/) override {
        if (!data.empty())
            data.front() = data.back() = std::byte{3};
        return {};
    }
    Result<raster::ShaderRef> create_shader(std::string_view text, std::string /*name*/) override {
        if (text.size() % 7 == 0)
            return Error{Errc::Syntax, {1, 1}, "refused"};
        return raster::ShaderRef(std::make_shared<NullShader>());
    }
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override {
        for (const raster::VertexElement& element : desc.elements)
            if (element.buffer >= desc.strides.size())
                return Error{Errc::InvalidState, {}, "no stride"};
        return raster::PipelineRef(std::make_shared<NullPipeline>());
    }
    Result<raster::ComputePipelineRef>
    create_compute_pipeline(const raster::ComputePipelineDesc& desc) override {
        if (desc.shared_bytes > exec::kMaxSharedBytes)
            return Error{Errc::OutOfRange, {}, "too much shared memory"};
        return raster::ComputePipelineRef(std::make_shared<NullComputePipeline>());
    }
    Result<void> dispatch(const raster::DispatchState&,
                          const std::array<uint32_t, 3>& groups) override {
        if (std::ranges::max(groups) > kMostGroups)
            return Error{Errc::OutOfRange, {}, "too many groups"};
        return {};
    }
    Result<void> clear(const raster::Framebuffer&, const raster::ClearInfo&) override { return {}; }
    Result<void> draw(const raster::DrawState&, const raster::DrawInfo&) override { return {}; }
    Result<raster::StreamTargetRef> create_stream_target(const raster::BufferRange&) override {
        return raster::StreamTargetRef(std::make_shared<NullTarget>());
    }
    Result<void> set_stream_position(const raster::StreamTargetRef&, uint64_t) override {
        return {};
    }
    Result<raster::QueryRef> create_query(raster::QueryKind kind, uint32_t /*stream*/) override {
        return raster::QueryRef(std::make_shared<NullQuery>(kind));
    }
    Result<void> begin_query(const raster::QueryRef&) override { return {}; }
    Result<void> end_query(const raster::QueryRef&) override { return {}; }
    Result<std::optional<raster::QueryResult>> query_result(const raster::QueryRef&,
                                                            bool /*wait*/) override {
        return std::optional(raster::QueryResult());
    }
    Result<void> finish() override { return {}; }
    [[nodiscard]] raster::Statistics take_statistics() override { return {}; }
    [[nodiscard]] const raster::DeviceOptions& options() const noexcept override {
        return options_;
    }

private:
    static constexpr uint32_t kMostGroups = 65535;
    static constexpr uint64_t kMostBytes = uint64_t{1} << 24;
    raster::DeviceOptions options_;
};

}  // namespace valkyr::fuzz
