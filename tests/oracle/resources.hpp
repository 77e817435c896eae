// Resources: store buffers and textures as bytes, with texels in row-major order.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tests/oracle/format.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace valkyr::reference {

class ReferenceBuffer final : public raster::Buffer {
public:
    explicit ReferenceBuffer(std::vector<std::byte> contents)
        : bytes(std::move(contents)) {}
    [[nodiscard]] uint64_t size() const noexcept override { return bytes.size(); }
    std::vector<std::byte> bytes;
};

/// The place of a sample of a texel; z is the slice (depth or layer).
struct TexelPlace {
    uint32_t level = 0;
    uint32_t x = 0, y = 0, z = 0;
    uint32_t sample = 0;
};

class ReferenceTexture final : public raster::Texture {
public:
    explicit ReferenceTexture(const raster::TextureDesc& desc);
    [[nodiscard]] const raster::TextureDesc& desc() const noexcept override { return desc_; }

    [[nodiscard]] uint32_t width(uint32_t level) const;
    [[nodiscard]] uint32_t height(uint32_t level) const;
    [[nodiscard]] uint32_t slices(uint32_t level) const;
    [[nodiscard]] bool contains(const raster::Box& box, uint32_t level) const;

    /// The bytes of one sample of one texel.
    [[nodiscard]] uint8_t* texel(const TexelPlace& place);
    [[nodiscard]] const uint8_t* texel(const TexelPlace& place) const;
    [[nodiscard]] uint32_t texel_bytes() const { return row(desc_.format).block_bytes; }

    /// The compressed format with which the texture was created, if any; desc() has the plain
    /// format.
    exec::Format compressed = exec::Format::None;

private:
    [[nodiscard]] size_t offset(const TexelPlace& place) const;
    raster::TextureDesc desc_;
    std::vector<std::vector<uint8_t>> levels_;
};

/// Resolves the samples of a texel (docs/rules/formats.md "Resolve, copies, blits").
void resolve_texel(const ReferenceTexture& texture, TexelPlace place, uint8_t* out);

class ReferenceShader final : public raster::Shader {
public:
    explicit ReferenceShader(tgsi::Shader parsed)
        : shader(std::move(parsed)) {}
    tgsi::Shader shader;
};

class ReferencePipeline final : public raster::Pipeline {
public:
    explicit ReferencePipeline(raster::PipelineDesc description)
        : desc(std::move(description)) {}
    raster::PipelineDesc desc;
};

}  // namespace valkyr::reference
