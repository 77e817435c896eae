// Hidden test: a device that skips hidden work draws the pictures of one that draws everything.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "raster/device.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/random.hpp"

#include <bit>
#include <doctest/doctest.h>
#include <vector>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

constexpr uint32_t kSize = 256;

float between(Random& random, float low, float high) {
    return low + (high - low) * static_cast<float>(random.below(1U << 20)) * 0x1p-20F;
}

struct Corner {
    float x, y, z;
};
using Triangles = std::vector<Corner>;

/// One draw of triangles in one colour.
struct Layer {
    Triangles triangles;
    bool depth_test = false;
    bool depth_write = true;
    CompareFunc func = CompareFunc::Less;
    bool blend = false;
    std::array<float, 4> color{};
};

Triangles screen(float z) {
    return {{-3, -3, z}, {3, -3, z}, {0, 5, z}};
}

Triangles scattered(Random& random, unsigned count, float size) {
    Triangles list;
    for (unsigned i = 0; i < count; ++i) {
        const float x = between(random, -1, 1);
        const float y = between(random, -1, 1);
        for (int k = 0; k < 3; ++k)
            list.push_back({x + between(random, -size, size), y + between(random, -size, size),
                            between(random, -1, 1)});
    }
    return list;
}

struct Outcome {
    std::vector<uint32_t> color;
    std::vector<uint32_t> depth;
    uint64_t blocks = 0;
};

Outcome render(const std::vector<Layer>& layers, Format depth_format, DeviceOptions options) {
    const auto device = must(gpu::create_device(options));
    TextureDesc desc;
    desc.width = desc.height = kSize;
    desc.render_target = true;
    desc.format = Format::R8G8B8A8_UNORM;
    const TextureRef color = must(device->create_texture(desc));
    desc.format = depth_format;
    const TextureRef depth = must(device->create_texture(desc));
    const ShaderRef vertex = must(device->create_shader("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                                                        "  0: MOV OUT[0], IN[0]\n  1: END\n"));
    const ShaderRef fragment = must(device->create_shader(
        "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n  0: MOV OUT[0], CONST[0]\n  1: END\n"));
    DrawState state;
    state.framebuffer = {{{color}}, {depth}};
    state.viewport = Viewport::over(0, 0, kSize, kSize);
    ClearInfo clear;
    clear.color_targets = 1;
    clear.depth = true;
    clear.depth_value = 0.75F;
    must(device->clear(state.framebuffer, clear));
    for (const Layer& layer : layers) {
        PipelineDesc pipeline;
        pipeline.vertex = vertex;
        pipeline.fragment = fragment;
        pipeline.elements = {{0, 0, 0, Format::R32G32B32_FLOAT}};
        pipeline.strides = {sizeof(Corner)};
        pipeline.depth_stencil.depth_test = layer.depth_test;
        pipeline.depth_stencil.depth_write = layer.depth_write;
        pipeline.depth_stencil.depth_func = layer.func;
        pipeline.blend.targets[0].enable = layer.blend;
        pipeline.blend.targets[0].rgb_dst = BlendFactor::One;
        state.pipeline = must(device->create_pipeline(pipeline));
        const auto bytes = std::as_bytes(std::span(layer.triangles));
        state.vertex_buffers = {{must(device->create_buffer(bytes.size(), bytes))}};
        state.fragment().constants = {{}};
        for (const float value : layer.color)
            state.fragment().constants[0].push_back(std::bit_cast<uint32_t>(value));
        DrawInfo info;
        info.count = static_cast<uint32_t>(layer.triangles.size());
        must(device->draw(state, info));
    }
    Outcome outcome;
    const auto read = [&](const TextureRef& texture) {
        std::vector<uint32_t> words(size_t{kSize} * kSize);
        must(device->read_texture(texture, 0, {0, 0, 0, kSize, kSize, 1},
                                  std::as_writable_bytes(std::span(words)), size_t{4} * kSize));
        return words;
    };
    outcome.color = read(color);
    outcome.depth = read(depth);
    outcome.blocks = device->take_statistics().blocks_shaded;
    return outcome;
}

/// Draws with and without skipping hidden work, with one and two threads; returns the fraction of
/// the blocks that was drawn.
double check(const std::vector<Layer>& layers, Format depth_format) {
    DeviceOptions options;
    options.threads = 1;
    options.hierarchical_z = false;
    options.fast_clear = false;
    const Outcome all = render(layers, depth_format, options);
    double share = 1;
    for (const unsigned threads : {1U, 2U}) {
        options.threads = threads;
        options.hierarchical_z = options.fast_clear = true;
        const Outcome some = render(layers, depth_format, options);
        CHECK(some.color == all.color);
        CHECK(some.depth == all.depth);
        CHECK(some.blocks <= all.blocks);
        share = static_cast<double>(some.blocks) / static_cast<double>(all.blocks);
    }
    return share;
}

Layer layer(Triangles triangles, Random& random) {
    Layer result{.triangles = std::move(triangles)};
    for (float& c : result.color)
        c = between(random, 0, 1);
    return result;
}

TEST_CASE("what an opaque screen hides is not drawn") {
    Random random(1);
    std::vector<Layer> layers;
    for (int i = 0; i < 8; ++i)
        layers.push_back(layer(screen(0), random));
    CHECK(check(layers, Format::D24_UNORM_S8_UINT) == doctest::Approx(1.0 / 8));
}

TEST_CASE("depth that hidden primitives write stays") {
    Random random(2);
    std::vector<Layer> layers;
    layers.push_back(layer(scattered(random, 20, 0.8F), random));
    layers.back().depth_test = true;
    layers.push_back(layer(screen(0), random));
    layers.push_back(layer(scattered(random, 20, 0.8F), random));
    layers.back().depth_test = true;
    layers.push_back(layer(scattered(random, 5, 2), random));
    layers.back().blend = true;
    check(layers, Format::D24_UNORM_S8_UINT);
}

TEST_CASE("what is behind a near screen is not drawn") {
    Random random(3);
    std::vector<Layer> layers;
    layers.push_back(layer(screen(-0.9F), random));
    layers.back().depth_test = true;
    layers.push_back(layer(scattered(random, 200, 0.4F), random));
    for (Corner& corner : layers.back().triangles)
        corner.z = corner.z * 0.5F + 0.4F;
    layers.back().depth_test = true;
    const uint64_t screen_blocks = uint64_t{kSize} * kSize / 16;
    CHECK(check(layers, Format::D32_FLOAT) < 1);
    DeviceOptions options;
    options.threads = 1;
    CHECK(render(layers, Format::D32_FLOAT, options).blocks == screen_blocks);
}

TEST_CASE("random layers with every depth function") {
    for (uint32_t seed = 10; seed < 22; ++seed) {
        Random random(seed);
        std::vector<Layer> layers;
        for (int i = 0; i < 10; ++i) {
            const float size = i % 3 == 0 ? 1.5F : i % 3 == 1 ? 0.3F : 0.05F;
            layers.push_back(layer(
                i == 5 ? screen(between(random, -1, 1)) : scattered(random, 60, size), random));
            layers.back().depth_test = between(random, 0, 1) < 0.8F;
            layers.back().depth_write = between(random, 0, 1) < 0.8F;
            layers.back().func =
                static_cast<CompareFunc>(static_cast<int>(between(random, 0, 7.99F)));
            layers.back().blend = between(random, 0, 1) < 0.3F;
        }
        CAPTURE(seed);
        check(layers, seed % 2 == 0 ? Format::D24_UNORM_S8_UINT : Format::D32_FLOAT);
    }
}

}  // namespace
}  // namespace valkyr::raster::test
