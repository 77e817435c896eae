// Reference device: implements the Device interface over plain containers.
// SPDX-License-Identifier: MIT
#include "tests/oracle/reference_device.hpp"

#include "tests/oracle/blit.hpp"
#include "tests/oracle/block_decode.hpp"
#include "tests/oracle/compute.hpp"
#include "tests/oracle/draw.hpp"
#include "tests/oracle/resources.hpp"
#include "tests/oracle/stream_output.hpp"
#include "tests/oracle/targets.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace valkyr::reference {
namespace {

using raster::Box;
using raster::BufferRef;
using raster::ComputePipelineRef;
using raster::PipelineRef;
using raster::ShaderRef;
using raster::TextureRef;

Error invalid(std::string text) {
    return {Errc::InvalidState, {}, std::move(text)};
}

/// Distances between the texels of a box in the caller's memory.
struct HostLayout {
    size_t texel_bytes;
    size_t stride_bytes;
    size_t slice_bytes;
    [[nodiscard]] size_t at(uint32_t x, uint32_t y, uint32_t z) const {
        return z * slice_bytes + y * stride_bytes + x * texel_bytes;
    }
    /// Bytes from the first texel to the end of the last one.
    [[nodiscard]] size_t extent(const Box& box) const {
        return at(box.width - 1, box.height - 1, box.depth - 1) + texel_bytes;
    }
};

bool is_empty(const Box& box) {
    return box.width == 0 || box.height == 0 || box.depth == 0;
}

template <typename Visit>
void for_each_texel(const Box& box, Visit visit) {
    for (uint32_t z = 0; z < box.depth; z++)
        for (uint32_t y = 0; y < box.height; y++)
            for (uint32_t x = 0; x < box.width; x++)
                visit(x, y, z);
}

class ReferenceDevice final : public raster::Device {
public:
    Result<BufferRef> create_buffer(uint64_t size_bytes, std::span<const std::byte> data) override {
        std::vector<std::byte> bytes(size_bytes);
        std::copy_n(data.begin(), std::min<size_t>(data.size(), size_bytes), bytes.begin());
        return BufferRef(std::make_shared<ReferenceBuffer>(std::move(bytes)));
    }

    Result<void> write_buffer(const BufferRef& buffer,
                              uint64_t offset,
                              std::span<const std::byte> data) override {
        auto* target = dynamic_cast<ReferenceBuffer*>(buffer.get());
        if (target == nullptr)
            return invalid("a buffer of another device");
        if (offset > target->size() || data.size() > target->size() - offset)
            return Error{Errc::OutOfRange, {}, "the bytes lie outside the buffer"};
        std::copy(data.begin(), data.end(),
                  target->bytes.begin() + static_cast<std::ptrdiff_t>(offset));
        return {};
    }

    Result<void>
    read_buffer(const BufferRef& buffer, uint64_t offset, std::span<std::byte> data) override {
        const auto* source = dynamic_cast<const ReferenceBuffer*>(buffer.get());
        if (source == nullptr)
            return invalid("a buffer of another device");
        if (offset > source->size() || data.size() > source->size() - offset)
            return Error{Errc::OutOfRange, {}, "the bytes lie outside the buffer"};
        std::copy_n(source->bytes.begin() + static_cast<std::ptrdiff_t>(offset), data.size(),
                    data.begin());
        return {};
    }

    Result<TextureRef> create_texture(const raster::TextureDesc& desc) override {
        if (row(desc.format).layout != exec::FormatLayout::Block)
            return TextureRef(std::make_shared<ReferenceTexture>(desc));
        const std::optional<exec::Format> plain = decoded_format(desc.format);
        if (!plain)
            return Error{Errc::Unsupported,
                         {},
                         "reference renderer: a compressed format that it does not know"};
        raster::TextureDesc decoded = desc;
        decoded.format = *plain;
        auto texture = std::make_shared<ReferenceTexture>(decoded);
        texture->compressed = desc.format;
        return TextureRef(std::move(texture));
    }

    Result<void> write_texture(const TextureRef& texture,
                               uint32_t level,
                               const Box& box,
                               std::span<const std::byte> data,
                               size_t stride_bytes,
                               size_t slice_bytes) override {
        VALKYR_TRY(target, checked(texture, level, box));
        if (target->compressed != exec::Format::None)
            return write_blocks(*target, level, box, data, stride_bytes, slice_bytes);
        const HostLayout host{target->texel_bytes(), stride_bytes, slice_bytes};
        if (is_empty(box))
            return {};
        if (data.size() < host.extent(box))
            return Error{Errc::OutOfRange, {}, "too few bytes for the box"};
        for_each_texel(box, [&](uint32_t x, uint32_t y, uint32_t z) {
            TexelPlace place{level, box.x + x, box.y + y, box.z + z, 0};
            for (; place.sample < target->desc().samples; place.sample++)
                std::memcpy(target->texel(place), &data[host.at(x, y, z)], host.texel_bytes);
        });
        return {};
    }

    Result<void> read_texture(const TextureRef& texture,
                              uint32_t level,
                              const Box& box,
                              std::span<std::byte> data,
                              size_t stride_bytes,
                              size_t slice_bytes) override {
        VALKYR_TRY(source, checked(texture, level, box));
        const HostLayout host{source->texel_bytes(), stride_bytes, slice_bytes};
        if (is_empty(box))
            return {};
        if (data.size() < host.extent(box))
            return Error{Errc::OutOfRange, {}, "too few bytes for the box"};
        for_each_texel(box, [&](uint32_t x, uint32_t y, uint32_t z) {
            uint8_t texel[32];
            resolve_texel(*source, {level, box.x + x, box.y + y, box.z + z, 0}, texel);
            std::memcpy(&data[host.at(x, y, z)], texel, host.texel_bytes);
        });
        return {};
    }

    Result<ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override {
        tgsi::ParseResult parsed = tgsi::parse(tgsi_text);
        if (parsed.ok())
            parsed.errors = tgsi::verify(parsed.shader);
        if (!parsed.ok()) {
            Error error = parsed.errors.front();
            error.text = name + ": " + error.text;
            return error;
        }
        return ShaderRef(std::make_shared<ReferenceShader>(std::move(parsed.shader)));
    }

    Result<PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override {
        if (dynamic_cast<const ReferenceShader*>(desc.vertex.get()) == nullptr)
            return invalid("a pipeline needs a vertex shader of this device");
        for (const ShaderRef& shader :
             {desc.tess_control, desc.tess_evaluation, desc.geometry, desc.fragment})
            if (shader && dynamic_cast<const ReferenceShader*>(shader.get()) == nullptr)
                return invalid("a shader of another device");
        if ((desc.primitive == raster::Primitive::Patches) != (desc.tess_evaluation != nullptr))
            return invalid("patches and an evaluation shader go together");
        return PipelineRef(std::make_shared<ReferencePipeline>(desc));
    }

    Result<ComputePipelineRef>
    create_compute_pipeline(const raster::ComputePipelineDesc& desc) override {
        if (dynamic_cast<const ReferenceShader*>(desc.shader.get()) == nullptr)
            return invalid("a compute pipeline needs a shader of this device");
        return ComputePipelineRef(std::make_shared<ReferenceComputePipeline>(desc));
    }
    Result<void> dispatch(const raster::DispatchState& state,
                          const std::array<uint32_t, 3>& groups) override {
        statistics_.dispatches++;
        return execute_dispatch(state, groups);
    }

    Result<void> clear(const raster::Framebuffer& framebuffer,
                       const raster::ClearInfo& info) override {
        VALKYR_TRY(targets, open_targets(framebuffer));
        clear_targets(targets, info);
        return {};
    }

    Result<void> blit(const raster::BlitInfo& info) override { return reference::blit(info); }

    Result<void> draw(const raster::DrawState& state, const raster::DrawInfo& info) override {
        statistics_.draws++;
        return execute_draw(state, info);
    }
    Result<void> finish() override { return {}; }

    Result<raster::StreamTargetRef>
    create_stream_target(const raster::BufferRange& range) override {
        if (dynamic_cast<const ReferenceBuffer*>(range.buffer.get()) == nullptr)
            return invalid("a buffer of another device");
        const uint64_t size = range.buffer->size();
        if (range.offset > size || range.offset % 4 != 0)
            return Error{Errc::OutOfRange, {}, "a stream target begins at a word of the buffer"};
        return raster::StreamTargetRef(std::make_shared<ReferenceStreamTarget>(raster::BufferRange{
            range.buffer, range.offset, std::min(range.size, size - range.offset)}));
    }
    Result<void> set_stream_position(const raster::StreamTargetRef& target,
                                     uint64_t position) override {
        auto* own = dynamic_cast<ReferenceStreamTarget*>(target.get());
        if (own == nullptr)
            return invalid("a stream target of another device");
        if (position % 4 != 0 || position > own->size())
            return Error{Errc::OutOfRange, {}, "no word of the stream target"};
        own->set_position(position);
        return {};
    }

    [[nodiscard]] raster::Statistics take_statistics() override {
        return std::exchange(statistics_, {});
    }
    [[nodiscard]] const raster::DeviceOptions& options() const noexcept override {
        return options_;
    }

private:
    /// Writes rows of compressed blocks; the box begins at a block.
    static Result<void> write_blocks(ReferenceTexture& target,
                                     uint32_t level,
                                     const Box& box,
                                     std::span<const std::byte> data,
                                     size_t stride_bytes,
                                     size_t slice_bytes) {
        const HostLayout host{row(target.compressed).block_bytes, stride_bytes, slice_bytes};
        const Box blocks{0, 0, 0, (box.width + 3) / 4, (box.height + 3) / 4, box.depth};
        if (is_empty(box))
            return {};
        if (data.size() < host.extent(blocks))
            return Error{Errc::OutOfRange, {}, "too few bytes for the box"};
        for_each_texel(box, [&](uint32_t x, uint32_t y, uint32_t z) {
            const auto* block = reinterpret_cast<const uint8_t*>(&data[host.at(x / 4, y / 4, z)]);
            const auto texels = decode_block(target.compressed, block);
            std::memcpy(target.texel({level, box.x + x, box.y + y, box.z + z, 0}),
                        texels[y % 4 * 4 + x % 4].data(), target.texel_bytes());
        });
        return {};
    }
    static Result<ReferenceTexture*>
    checked(const TextureRef& texture, uint32_t level, const Box& box) {
        auto* own = dynamic_cast<ReferenceTexture*>(texture.get());
        if (own == nullptr)
            return invalid("a texture of another device");
        if (!own->contains(box, level))
            return Error{Errc::OutOfRange, {}, "the box lies outside the texture"};
        return own;
    }

    raster::DeviceOptions options_;
    raster::Statistics statistics_;
};

}  // namespace

std::unique_ptr<raster::Device> create_reference_device() {
    return std::make_unique<ReferenceDevice>();
}

}  // namespace valkyr::reference
