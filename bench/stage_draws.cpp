// Stage draws: times stages with kernels in whole draws (bench_stages, Google Benchmark).
// SPDX-License-Identifier: MIT
//
// One thread draws on a 256x256 target that stays in the cache. Every iteration draws and renders.
// "fill" contains the fixed costs of a frame (load, store, bins); so do all benchmarks after it.
#include "bench/scene_base.hpp"
#include "bench/texels.hpp"
#include "gpu/create_device.hpp"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>

namespace valkyr::bench {
namespace {

using namespace raster;

constexpr uint32_t kSize = 256;
constexpr uint32_t kLayers = 8;
constexpr uint32_t kIndexedConstants = 32;

/// The value; an error ends the program with its text.
template <typename T>
T value_of(Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "bench_stages: %s\n", result.error().text.c_str());
    std::exit(1);
}
void need(const Result<void>& result) {
    if (result)
        return;
    std::fprintf(stderr, "bench_stages: %s\n", result.error().text.c_str());
    std::exit(1);
}

/// The stages that a draw adds to a plain fill.
struct StageOptions {
    bool textured = false;
    bool blended = false;
    bool depth = false;
    uint32_t samples = 1;
    const char* fragment = nullptr;  ///< shader of bench/shaders that reads texture coordinates
    Format image = Format::None;     ///< of the image that it loads from or stores to
    uint32_t fetched_samples = 0;    ///< of the texture that it fetches from
};

/// Layers of quads over the whole target.
class StageScene final : public SceneBase {
public:
    StageScene(Device& device, const StageOptions& options)
        : SceneBase(device, kSize)
        , options_(options) {
        TextureDesc desc;
        desc.kind = options.samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = desc.height = kSize;
        desc.samples = options.samples;
        desc.render_target = true;
        target_.color = {{value_of(device.create_texture(desc))}};
        desc.format = Format::D24_UNORM_S8_UINT;
        target_.depth_stencil = {value_of(device.create_texture(desc))};
    }

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_quads({.count = kLayers}), mesh_));
        PipelineDesc desc = gl_pipeline();
        desc.rasterizer.multisample = options_.samples > 1;
        if (options_.blended)
            desc.blend = source_over();
        if (options_.depth) {
            desc.depth_stencil = depth_less();
            desc.depth_stencil.depth_func = CompareFunc::LessEqual;
        }
        Words color;
        for (unsigned copies = 0; copies < kIndexedConstants; ++copies)
            append(color, {0.2F, 0.4F, 0.6F, 0.5F});
        state_.fragment().constants = {std::move(color)};
        VALKYR_TRY_VOID(bind_sources());
        if (options_.fragment != nullptr)
            return use_pipeline(desc, "texture", options_.fragment,
                                {Attribute::Position, Attribute::Uv});
        if (!options_.textured)
            return use_pipeline(desc, "flat", "flat", {Attribute::Position});
        VALKYR_TRY(texture, create_texture(device_, {.size = kSize}));
        state_.fragment().textures = {{texture}};
        state_.fragment().samplers = {SamplerState{}};
        return use_pipeline(desc, "texture", "texture", {Attribute::Position, Attribute::Uv});
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        begin(target, kSize);
        VALKYR_TRY_VOID(draw(mesh_));
        return device_.finish();
    }

    [[nodiscard]] const Framebuffer& target() const { return target_; }

private:
    /// Binds the images and textures that the fragment shader reads.
    Result<void> bind_sources() {
        TextureDesc desc;
        desc.width = desc.height = kSize;
        if (options_.image != Format::None) {
            desc.format = options_.image;
            VALKYR_TRY(texture, device_.create_texture(desc));
            state_.fragment().images = {{.texture = texture, .format = options_.image}};
        }
        if (options_.fetched_samples != 0) {
            desc.kind = TextureKind::Tex2DMs;
            desc.format = Format::R8G8B8A8_UNORM;
            desc.samples = options_.fetched_samples;
            VALKYR_TRY(texture, device_.create_texture(desc));
            state_.fragment().textures = {{texture}};
            state_.fragment().samplers = {SamplerState{}};
        }
        return {};
    }

    StageOptions options_;
    Framebuffer target_;
    Mesh mesh_;
};

/// Lit vertices with rasterizer discard.
class VertexStageScene final : public SceneBase {
public:
    VertexStageScene(Device& device, bool indexed)
        : SceneBase(device, kSize)
        , indexed_(indexed) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(
            make_grid({.cells = 100, .layers = 1, .jitter = 0.3F, .indexed = indexed_}), mesh_));
        PipelineDesc desc = gl_pipeline();
        desc.rasterizer.rasterizer_discard = true;
        state_.vertex().constants = {Words(20, 0x3F000000)};
        return use_pipeline(desc, "lit", "color",
                            {Attribute::Position, Attribute::Normal, Attribute::Color});
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        begin(target, kSize);
        VALKYR_TRY_VOID(draw(mesh_));
        return device_.finish();
    }

    [[nodiscard]] uint32_t count() const { return mesh_.count; }

private:
    bool indexed_;
    Mesh mesh_;
};

/// Writes parts of a vertex buffer between draws that read them.
class PartsScene final : public SceneBase {
public:
    static constexpr uint32_t kParts = 64;
    static constexpr uint32_t kVertices = 30;  ///< of a part

    PartsScene(Device& device, uint32_t cells)
        : SceneBase(device, kSize)
        , data_(make_grid({.cells = cells, .layers = 1, .indexed = false})) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(data_, mesh_));
        return use_pipeline(gl_pipeline(), "color", "color",
                            {Attribute::Position, Attribute::Color});
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        begin(target, kSize);
        const auto vertices = std::as_bytes(std::span(data_.vertices));
        constexpr size_t kPartBytes = kVertices * sizeof(Vertex);
        for (uint32_t i = 0; i < kParts; ++i) {
            const size_t at = i % 8 * kPartBytes;  // earlier draws have read most parts
            VALKYR_TRY_VOID(
                device_.write_buffer(mesh_.vertices, at, vertices.subspan(at, kPartBytes)));
            VALKYR_TRY_VOID(draw(mesh_, i % 8 * kVertices, kVertices));
        }
        return device_.finish();
    }

private:
    MeshData data_;
    Mesh mesh_;
};

/// A window of 1280x720 pixels with depth and stencil, covered by one layer.
class WindowScene final : public SceneBase {
public:
    WindowScene(Device& device, bool clears_stencil)
        : SceneBase(device, 1280)
        , clears_stencil_(clears_stencil) {
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = 1280;
        desc.height = 720;
        desc.render_target = true;
        target_.color = {{value_of(device.create_texture(desc))}};
        desc.format = Format::D24_UNORM_S8_UINT;
        target_.depth_stencil = {value_of(device.create_texture(desc))};
    }

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_quads({.count = 1}), mesh_));
        PipelineDesc desc = gl_pipeline();
        desc.depth_stencil = depth_less();
        state_.fragment().constants = {Words(4, 0x3F000000)};
        return use_pipeline(desc, "flat", "flat", {Attribute::Position});
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        ClearInfo info;
        info.color_targets = 1;
        info.depth = true;
        info.stencil = clears_stencil_;
        VALKYR_TRY_VOID(device_.clear(target, info));
        begin(target, size_);
        VALKYR_TRY_VOID(draw(mesh_));
        return device_.finish();
    }

    [[nodiscard]] const Framebuffer& target() const { return target_; }

private:
    bool clears_stencil_;
    Framebuffer target_;
    Mesh mesh_;
};

std::unique_ptr<Device> one_thread() {
    DeviceOptions options;
    options.threads = 1;
    options.hierarchical_z = false;  // All layers must be drawn.
    return value_of(gpu::create_device(options));
}

/// Draws layers: items are the pixels of all layers.
void layers(benchmark::State& state, const StageOptions& options) {
    const auto device = one_thread();
    StageScene scene(*device, options);
    need(scene.prepare());
    for ([[maybe_unused]] auto _ : state)
        need(scene.frame(scene.target(), 0));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kSize * kSize * kLayers);
}

/// Writes parts of a buffer that draws read: the range is the number of grid cells per side; items
/// are writes.
void buffer_parts(benchmark::State& state) {
    const auto device = one_thread();
    const StageScene target(*device, {});
    PartsScene scene(*device, static_cast<uint32_t>(state.range(0)));
    need(scene.prepare());
    for ([[maybe_unused]] auto _ : state)
        need(scene.frame(target.target(), 0));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * PartsScene::kParts);
}

/// Draws frames of a window that clear depth, with or without stencil.
void window(benchmark::State& state, bool clears_stencil) {
    const auto device = one_thread();
    WindowScene scene(*device, clears_stencil);
    need(scene.prepare());
    for ([[maybe_unused]] auto _ : state)
        need(scene.frame(scene.target(), 0));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

/// Reads a multisampled target: items are pixels.
void resolve(benchmark::State& state) {
    const auto device = one_thread();
    const StageScene scene(*device, {.samples = static_cast<uint32_t>(state.range(0))});
    std::vector<std::byte> rows(size_t{kSize} * kSize * 4);
    for ([[maybe_unused]] auto _ : state)
        need(device->read_texture(scene.target().color[0].texture, 0, {0, 0, 0, kSize, kSize, 1},
                                  rows, size_t{kSize} * 4));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kSize * kSize);
}

/// Fetch, vertex shader and assembly: items are the vertices or indices of the draw.
void vertices(benchmark::State& state, bool indexed) {
    const auto device = one_thread();
    const StageScene target(*device, {});
    VertexStageScene scene(*device, indexed);
    need(scene.prepare());
    for ([[maybe_unused]] auto _ : state)
        need(scene.frame(target.target(), 0));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * scene.count());
}

/// Options of a blit; a destination texel is `scale` source texels wide.
struct BlitOptions {
    uint32_t scale = 1;
    Filter filter = Filter::Nearest;
    Format source = Format::R8G8B8A8_UNORM;
    Format destination = Format::R8G8B8A8_UNORM;
    uint32_t samples = 1;  ///< of the source
    bool stencil = true;   ///< blit stencil of depth/stencil formats; depth is always blitted
};

/// Blits to 256x256 texels: items are destination texels.
void blit(benchmark::State& state, const BlitOptions& options) {
    const auto device = one_thread();
    TextureDesc desc;
    desc.kind = TextureKind::Tex2D;
    desc.format = options.destination;
    desc.width = desc.height = kSize;
    BlitInfo info;
    info.depth = true;
    info.stencil = options.stencil;
    info.destination = {value_of(device->create_texture(desc)), 0, 0, 0, 0, kSize, kSize};
    desc.format = options.source;
    desc.samples = options.samples;
    desc.kind = options.samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
    desc.width = desc.height = kSize * options.scale;
    const auto size = static_cast<int32_t>(desc.width);
    info.source = {value_of(device->create_texture(desc)), 0, 0, 0, 0, size, size};
    info.filter = options.filter;
    for ([[maybe_unused]] auto _ : state)
        need(device->blit(info));
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kSize * kSize);
}

BENCHMARK_CAPTURE(layers, fill, StageOptions{});
BENCHMARK_CAPTURE(layers, fill_samples, StageOptions{.samples = 4});
BENCHMARK_CAPTURE(layers, depth, StageOptions{.depth = true});
BENCHMARK_CAPTURE(layers, blend, StageOptions{.blended = true});
BENCHMARK_CAPTURE(layers, texture, StageOptions{.textured = true});
BENCHMARK_CAPTURE(layers, texture_blend, StageOptions{.textured = true, .blended = true});
BENCHMARK_CAPTURE(layers, indexed_constant, StageOptions{.fragment = "indexed_constant"});
BENCHMARK_CAPTURE(layers, local_array, StageOptions{.fragment = "local_array"});
BENCHMARK_CAPTURE(layers,
                  image_load,
                  StageOptions{.fragment = "image_load", .image = Format::R8G8B8A8_UNORM});
BENCHMARK_CAPTURE(layers,
                  image_load_float,
                  StageOptions{.fragment = "image_load", .image = Format::R32G32B32A32_FLOAT});
BENCHMARK_CAPTURE(layers,
                  image_store,
                  StageOptions{.fragment = "image_store", .image = Format::R8G8B8A8_UNORM});
BENCHMARK_CAPTURE(layers,
                  image_store_float,
                  StageOptions{.fragment = "image_store", .image = Format::R32G32B32A32_FLOAT});
BENCHMARK(buffer_parts)->Arg(20)->Arg(400);
BENCHMARK_CAPTURE(layers,
                  fetch_samples,
                  StageOptions{.fragment = "fetch_samples", .fetched_samples = 4});
BENCHMARK_CAPTURE(window, clears_depth, false);
BENCHMARK_CAPTURE(window, clears_depth_and_stencil, true);
BENCHMARK(resolve)->Arg(4)->Arg(16);
BENCHMARK_CAPTURE(blit, copy, BlitOptions{});
BENCHMARK_CAPTURE(blit, nearest, BlitOptions{.source = Format::B8G8R8A8_UNORM});
BENCHMARK_CAPTURE(blit, srgb, BlitOptions{.source = Format::B8G8R8A8_SRGB});
BENCHMARK_CAPTURE(blit, to_srgb, BlitOptions{.destination = Format::B8G8R8A8_SRGB});
BENCHMARK_CAPTURE(blit, half_float, BlitOptions{.source = Format::R16G16B16A16_FLOAT});
BENCHMARK_CAPTURE(blit, to_half_float, BlitOptions{.destination = Format::R16G16B16A16_FLOAT});
BENCHMARK_CAPTURE(blit, float32, BlitOptions{.source = Format::R32G32B32A32_FLOAT});
BENCHMARK_CAPTURE(blit, small_float, BlitOptions{.source = Format::R11G11B10_FLOAT});
BENCHMARK_CAPTURE(blit, packed, BlitOptions{.source = Format::R10G10B10A2_UNORM});
BENCHMARK_CAPTURE(blit,
                  integers,
                  BlitOptions{.source = Format::R16G16B16A16_UINT,
                              .destination = Format::R8G8B8A8_UINT});
BENCHMARK_CAPTURE(blit,
                  depth_of_both,
                  BlitOptions{.source = Format::D24_UNORM_S8_UINT,
                              .destination = Format::D24_UNORM_S8_UINT,
                              .stencil = false});
BENCHMARK_CAPTURE(blit,
                  resolve_half_float,
                  BlitOptions{.source = Format::R16G16B16A16_FLOAT,
                              .destination = Format::R16G16B16A16_FLOAT,
                              .samples = 4});
BENCHMARK_CAPTURE(blit,
                  resolve_depth,
                  BlitOptions{.source = Format::D24_UNORM_S8_UINT,
                              .destination = Format::D24_UNORM_S8_UINT,
                              .samples = 4});
BENCHMARK_CAPTURE(blit,
                  half_float_halved,
                  BlitOptions{
                      .scale = 2, .filter = Filter::Linear, .source = Format::R16G16B16A16_FLOAT});
BENCHMARK_CAPTURE(blit, halved, BlitOptions{.scale = 2, .filter = Filter::Linear});
BENCHMARK_CAPTURE(vertices, plain, false);
BENCHMARK_CAPTURE(vertices, indexed, true);

}  // namespace
}  // namespace valkyr::bench

BENCHMARK_MAIN();
