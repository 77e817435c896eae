// Layer test: compares layers, viewport arrays and forced sample shading with hand computation.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <atomic>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

/// Instance i goes to layer i and viewport i.
constexpr const char* kByInstance = "VERT\n"
                                    "DCL IN[0]\n"
                                    "DCL SV[0], INSTANCEID\n"
                                    "DCL OUT[0], POSITION\n"
                                    "DCL OUT[1], LAYER\n"
                                    "DCL OUT[2], VIEWPORT_INDEX\n"
                                    "MOV OUT[0], IN[0]\n"
                                    "MOV OUT[1].x, SV[0].xxxx\n"
                                    "MOV OUT[2].x, SV[0].xxxx\n"
                                    "END\n";
constexpr const char* kWhite = "FRAG\n"
                               "DCL OUT[0], COLOR\n"
                               "IMM[0] FLT32 { 1.0, 1.0, 1.0, 1.0 }\n"
                               "MOV OUT[0], IMM[0]\n"
                               "END\n";

std::unique_ptr<Device> device_with(unsigned threads) {
    DeviceOptions options;
    options.threads = threads;
    return must(gpu::create_device(options));
}

TextureRef array(Device& device, uint32_t layers, uint32_t size, Format format) {
    TextureDesc desc;
    desc.kind = TextureKind::Tex2DArray;
    desc.format = format;
    desc.width = desc.height = size;
    desc.layers = layers;
    desc.render_target = true;
    return must(device.create_texture(desc));
}

std::vector<uint8_t> bytes_of(Device& device, const TextureRef& texture, uint32_t layer) {
    const TextureDesc& d = texture->desc();
    std::vector<uint8_t> bytes(size_t{d.width} * d.height);
    must(device.read_texture(texture, 0, {0, 0, layer, d.width, d.height, 1},
                             std::as_writable_bytes(std::span(bytes)), d.width));
    return bytes;
}

}  // namespace

TEST_CASE("an instanced draw fills one column of one layer an instance, and clears reach all") {
    constexpr uint32_t kLayers = 12;
    for (const unsigned threads : {1U, 2U}) {
        const auto device = device_with(threads);
        scenes::SceneKit kit(*device);
        const TextureRef target = array(*device, kLayers, 100, Format::R8_UNORM);
        kit.state.framebuffer.color = {{target, 0, 0, UINT32_MAX}};
        kit.clear(0.2F, 0, 0, 0);  // 51
        kit.shaders(kByInstance, kWhite);
        kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
        for (uint32_t i = 0; i < kLayers; ++i) {
            const auto x = static_cast<float>(8 * i);
            kit.state.viewport_array.push_back(scenes::viewport_over(x, 0, x + 8, 100));
            kit.state.scissor_array.push_back({0, 0, 100, static_cast<int32_t>(50 + i)});
        }
        kit.pipeline.rasterizer.scissor = true;
        kit.draw({.count = 3, .instance_count = kLayers});
        size_t wrong = 0;
        for (uint32_t layer = 0; layer < kLayers; ++layer) {
            const auto bytes = bytes_of(*device, target, layer);
            for (uint32_t y = 0; y < 100; ++y)
                for (uint32_t x = 0; x < 100; ++x)
                    wrong +=
                        bytes[y * 100 + x] != (x / 8 == layer && y < 50 + layer ? 255 : 51) ? 1 : 0;
        }
        CHECK(wrong == 0);
        ClearInfo info;
        info.color_targets = 1;
        info.rect = {10, 20, 11, 21};
        must(device->clear(kit.state.framebuffer, info));
        for (uint32_t layer = 0; layer < kLayers; ++layer)
            CHECK(bytes_of(*device, target, layer)[20 * 100 + 10] == 0);
    }
}

TEST_CASE("attachments with fewer layers limit the others; unbound layers stay as they are") {
    const auto device = device_with(1);
    scenes::SceneKit kit(*device);
    const TextureRef color = array(*device, 5, 10, Format::R8_UNORM);
    kit.state.framebuffer.color = {{color, 0, 1, 3}};
    kit.state.framebuffer.depth_stencil = {array(*device, 2, 10, Format::D16_UNORM), 0, 0, 2};
    kit.state.viewport = scenes::viewport_over(0, 0, 10, 10);
    kit.shaders(kByInstance, kWhite);
    kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
    kit.draw({.count = 3, .instance_count = 5});
    for (uint32_t layer = 0; layer < 5; ++layer)
        CHECK(bytes_of(*device, color, layer)[0] == (layer == 1 || layer == 2 ? 255 : 0));
}

TEST_CASE("too many viewports, scissors without viewports and too many layers are refused") {
    const auto device = device_with(1);
    scenes::SceneKit kit(*device);
    kit.size(8, 8);
    kit.add_color();
    kit.shaders(kByInstance, kWhite);
    kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
    kit.state.pipeline = must(device->create_pipeline(kit.pipeline));
    const auto code = [&] {
        const auto drawn = device->draw(kit.state, {.count = 3});
        REQUIRE(!drawn.has_value());
        return drawn.error().code;
    };
    kit.state.viewport_array.resize(2);
    kit.state.scissor_array.resize(1);
    CHECK(code() == Errc::OutOfRange);
    kit.state.viewport_array.resize(17);
    kit.state.scissor_array.resize(17);
    CHECK(code() == Errc::OutOfRange);
    kit.state.viewport_array.clear();
    kit.state.scissor_array.clear();
    kit.state.framebuffer = {};
    kit.state.framebuffer.width = kit.state.framebuffer.height = 16384;
    kit.state.framebuffer.layers = 100;
    CHECK(code() == Errc::OutOfRange);
    kit.state.framebuffer.layers = 0;
    CHECK(code() == Errc::OutOfRange);
}

TEST_CASE("forced sample shading counts a run for every covered sample") {
    constexpr const char* kCount = "FRAG\n"
                                   "DCL OUT[0], COLOR\n"
                                   "DCL BUFFER[0]\n"
                                   "DCL TEMP[0]\n"
                                   "IMM[0] UINT32 { 0, 1, 0, 0 }\n"
                                   "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
                                   "MOV OUT[0], IMM[0].xxxx\n"
                                   "END\n";
    constexpr const char* kPlain = "VERT\n"
                                   "DCL IN[0]\n"
                                   "DCL OUT[0], POSITION\n"
                                   "MOV OUT[0], IN[0]\n"
                                   "END\n";
    for (const Engine engine : {Engine::Valhall, Engine::Jit})
        for (const bool forced : {false, true}) {
            DeviceOptions options;
            options.engine = engine;
            const auto device = must(gpu::create_device(options));
            scenes::SceneKit kit(*device);
            kit.size(16, 16, 4);
            kit.add_color();
            kit.shaders(kPlain, kCount);
            // Covers columns 0 to 7 and column 8 up to x = 8.5, where two of the four standard
            // samples lie.
            const float edge = 2 * 8.5F / 16 - 1;
            kit.vertices({-1, -1, 0, 1, edge, -1, 0, 1, -1, 1, 0, 1, edge, 1, 0, 1}, {4});
            kit.pipeline.primitive = Primitive::TriangleStrip;
            kit.pipeline.rasterizer.multisample = true;
            kit.pipeline.rasterizer.sample_shading = forced;
            const BufferRef counter = kit.buffer(std::vector<uint32_t>{0});
            kit.state.fragment().storage = {{counter}};
            const QueryRef query = must(device->create_query(QueryKind::PipelineStatistics));
            must(device->begin_query(query));
            kit.draw(4);
            must(device->end_query(query));
            uint32_t runs = 0;
            must(device->read_buffer(counter, 0, std::as_writable_bytes(std::span(&runs, 1))));
            const auto counted = must(device->query_result(query, true));
            CHECK(counted->statistics.fragment_invocations == runs);
            if (forced)
                CHECK(runs == 16 * (8 * 4 + 2));
            else
                CHECK(runs >= 16 * 9);  // pixels on the diagonal are shaded twice
        }
}

}  // namespace valkyr::raster::test
