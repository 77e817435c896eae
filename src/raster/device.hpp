// raster::Device: the rasterizer's API. Explicit resources, plain state, deferred tile rendering.
// SPDX-License-Identifier: MIT
//
// Thread-compatible: one thread at a time uses a Device; it runs its own workers. Everything that
// can fail does so when an object is made or a draw is validated; the draw path itself cannot.
#pragma once

#include "base/result.hpp"
#include "raster/state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::raster {

/// Handles. Their contents belong to the Device implementation that made them (raster's own, or the
/// tests' reference renderer); a handle of another Device is refused with InvalidState.
class Buffer {
public:
    virtual ~Buffer() = default;
    [[nodiscard]] virtual uint64_t size() const noexcept = 0;
};
class Texture {
public:
    virtual ~Texture() = default;
    [[nodiscard]] virtual const TextureDesc& desc() const noexcept = 0;
};
class Shader {
public:
    virtual ~Shader() = default;
};
class Pipeline {
public:
    virtual ~Pipeline() = default;
};
using BufferRef = std::shared_ptr<Buffer>;
using TextureRef = std::shared_ptr<Texture>;
using ShaderRef = std::shared_ptr<const Shader>;
using PipelineRef = std::shared_ptr<const Pipeline>;

/// Shaders and the state that their kernels are specialised for.
struct PipelineDesc {
    ShaderRef vertex;
    ShaderRef fragment;  ///< null only with rasterizer_discard or without colour targets
    std::vector<VertexElement> elements;
    std::vector<uint32_t> strides;  ///< by vertex buffer slot, bytes
    BlendState blend;
    DepthStencilState depth_stencil;
    RasterizerState rasterizer;
    Primitive primitive = Primitive::Triangles;
};

/// A level and layer of a texture that is drawn to.
struct Surface {
    TextureRef texture;
    uint32_t level = 0;
    uint32_t layer = 0;
};

struct Framebuffer {
    std::vector<Surface> color;  ///< at most kMaxRenderTargets; a null texture leaves a gap
    Surface depth_stencil;       ///< null texture: none
};

struct TextureView {
    TextureRef texture;
    Format format = Format::None;  ///< None = the texture's own
    uint8_t first_level = 0;
    uint8_t level_count = 255;  ///< clamped to what there is
    uint32_t first_layer = 0;
    uint32_t layer_count = 0xFFFFFFFF;
    std::array<Swizzle, 4> swizzle{Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
};

struct BufferRange {
    BufferRef buffer;
    uint64_t offset = 0;
    uint64_t size = UINT64_MAX;  ///< clamped to the buffer
};

/// Everything a draw reads. Kept by the caller and changed at will between draws.
struct DrawState {
    PipelineRef pipeline;
    Framebuffer framebuffer;
    std::vector<BufferRange> vertex_buffers;
    BufferRange index_buffer;
    IndexType index_type = IndexType::None;
    /// Constant buffer b of each stage; the bytes are copied when the draw is recorded.
    std::vector<std::vector<uint32_t>> vertex_constants;
    std::vector<std::vector<uint32_t>> fragment_constants;
    std::vector<TextureView> vertex_textures;
    std::vector<SamplerState> vertex_samplers;
    std::vector<TextureView> fragment_textures;
    std::vector<SamplerState> fragment_samplers;
    Viewport viewport;
    Rect scissor;
    std::array<float, 4> blend_color{};
    std::array<uint8_t, 2> stencil_reference{};
    float alpha_reference = 0;
    uint32_t sample_mask = 0xFFFFFFFF;
    std::array<std::array<float, 4>, 8> clip_planes{};
};

struct DrawInfo {
    uint32_t first = 0;  ///< first vertex, or first index
    uint32_t count = 0;
    int32_t base_vertex = 0;
    uint32_t first_instance = 0;
    uint32_t instance_count = 1;
    bool primitive_restart = false;
    uint32_t restart_index = 0xFFFFFFFF;
};

/// What to clear; colour values are f32 or, for integer targets, integers in the same words.
struct ClearInfo {
    uint32_t color_targets = 0;  ///< bit mask
    std::array<std::array<uint32_t, 4>, exec::kMaxRenderTargets> color{};
    bool depth = false;
    bool stencil = false;
    float depth_value = 1;
    uint8_t stencil_value = 0;
};

/// Counters of the frames since the last call of take_statistics().
struct Statistics {
    uint64_t draws = 0;
    uint64_t vertices = 0;
    uint64_t triangles_in = 0;
    uint64_t triangles_culled = 0;
    uint64_t triangles_binned = 0;
    uint64_t blocks_shaded = 0;
    uint64_t pixels_covered = 0;
    uint64_t kernels_compiled = 0;
    uint64_t kernel_cache_hits = 0;
};

/// The interface of a renderer; create() makes the rasterizer itself. Scenes are written against
/// it.
class Device {
public:
    /// errors  Unsupported: the host level or engine is not available here
    static Result<std::unique_ptr<Device>> create(const DeviceOptions& options = {});
    virtual ~Device() = default;

    /// errors  OutOfRange: larger than the documented limits (config.hpp)
    virtual Result<BufferRef> create_buffer(uint64_t size_bytes,
                                            std::span<const std::byte> data = {}) = 0;
    virtual Result<void>
    write_buffer(const BufferRef& buffer, uint64_t offset, std::span<const std::byte> data) = 0;
    virtual Result<TextureRef> create_texture(const TextureDesc& desc) = 0;
    /// Texels of a box, rows `stride_bytes` and slices `slice_bytes` apart, in the texture's
    /// format.
    virtual Result<void> write_texture(const TextureRef& texture,
                                       uint32_t level,
                                       const Box& box,
                                       std::span<const std::byte> data,
                                       size_t stride_bytes,
                                       size_t slice_bytes = 0) = 0;
    /// The same layout the other way; waits for pending rendering.
    virtual Result<void> read_texture(const TextureRef& texture,
                                      uint32_t level,
                                      const Box& box,
                                      std::span<std::byte> data,
                                      size_t stride_bytes,
                                      size_t slice_bytes = 0) = 0;

    /// Parses, verifies and keeps TGSI text. Errors carry line and column of the text.
    virtual Result<ShaderRef> create_shader(std::string_view tgsi_text, std::string name = {}) = 0;
    /// Links, compiles and recompiles. Framebuffer formats are part of kernels: missing kernels for
    /// new formats are made when a draw is recorded.
    virtual Result<PipelineRef> create_pipeline(const PipelineDesc& desc) = 0;

    virtual Result<void> clear(const Framebuffer& framebuffer, const ClearInfo& info) = 0;
    virtual Result<void> draw(const DrawState& state, const DrawInfo& info) = 0;
    /// Executes all that is recorded and waits for it.
    virtual Result<void> finish() = 0;

    [[nodiscard]] virtual Statistics take_statistics() = 0;
    [[nodiscard]] virtual const DeviceOptions& options() const noexcept = 0;
};

}  // namespace valkyr::raster
