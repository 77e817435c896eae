// Shader test: draws from TGSI text to pixels.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <array>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace valkyr::raster::test {
namespace {

constexpr const char* kVertex = "VERT\n"
                                "DCL IN[0]\n"
                                "DCL IN[1]\n"
                                "DCL OUT[0], POSITION\n"
                                "DCL OUT[1], GENERIC[0]\n"
                                "  0: MOV OUT[0], IN[0]\n"
                                "  1: MOV OUT[1], IN[1]\n"
                                "  2: END\n";
constexpr const char* kFragment = "FRAG\n"
                                  "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                  "DCL OUT[0], COLOR\n"
                                  "  0: MOV OUT[0], IN[0]\n"
                                  "  1: END\n";

}  // namespace

TEST_CASE(
    "a triangle from TGSI text has its colours where it covers and the clear colour elsewhere") {
    DeviceOptions options;
    options.engine = Engine::Valhall;
    options.threads = 1;
    auto device = must(gpu::create_device(options));
    TextureDesc target;
    target.format = Format::R8G8B8A8_UNORM;
    target.width = target.height = 32;
    target.render_target = true;
    const TextureRef color = must(device->create_texture(target));
    target.format = Format::D32_FLOAT;
    const TextureRef depth = must(device->create_texture(target));

    const float vertices[3][8] = {
        {-1, -1, 0.5F, 1, 1, 0, 0, 1}, {1, -1, 0.5F, 1, 1, 0, 0, 1}, {-1, 1, 0.5F, 1, 1, 0, 0, 1}};
    PipelineDesc desc;
    desc.vertex = must(device->create_shader(kVertex, "vs"));
    desc.fragment = must(device->create_shader(kFragment, "fs"));
    desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}, {0, 16, 0, Format::R32G32B32A32_FLOAT}};
    desc.strides = {32};
    desc.depth_stencil.depth_test = true;
    desc.depth_stencil.depth_write = true;
    DrawState state;
    state.pipeline = must(device->create_pipeline(desc));
    state.framebuffer = {{{color, 0, 0}}, {depth, 0, 0}};
    state.vertex_buffers = {
        {must(device->create_buffer(sizeof(vertices), std::as_bytes(std::span(vertices)))), 0,
         UINT64_MAX}};
    state.viewport = Viewport::over(0, 0, 32, 32);

    ClearInfo clear;
    clear.set_color(0, {0, 0, 1, 1});  // blue
    clear.depth = true;
    must(device->clear(state.framebuffer, clear));
    DrawInfo draw;
    draw.count = 3;
    must(device->draw(state, draw));

    std::vector<uint32_t> pixels(32 * 32);
    must(device->read_texture(color, 0, {0, 0, 0, 32, 32, 1},
                              std::as_writable_bytes(std::span(pixels)), 32 * 4));
    std::vector<float> depths(32 * 32);
    must(device->read_texture(depth, 0, {0, 0, 0, 32, 32, 1},
                              std::as_writable_bytes(std::span(depths)), 32 * 4));
    size_t wrong = 0;
    for (uint32_t y = 0; y < 32; ++y)
        for (uint32_t x = 0; x < 32; ++x) {
            // The hypotenuse passes through pixel centres. As a right edge, it covers none of them.
            const bool inside = x + y < 31;
            wrong += pixels[y * 32 + x] != (inside ? 0xFF0000FFU : 0xFFFF0000U) ? 1 : 0;
            wrong += depths[y * 32 + x] != (inside ? 0.75F : 1.0F) ? 1 : 0;
        }
    CHECK(wrong == 0);
}

TEST_CASE("statistics count the calls of message routines by message, on every thread") {
    const auto at = [](const char* name) {
        size_t i = 0;
        while (kMessageNames[i] != name)
            ++i;
        return i;
    };
    for (const bool interpreted : {true, false}) {
        CAPTURE(interpreted);
        DeviceOptions options;
        options.engine = interpreted ? Engine::Valhall : Engine::Jit;
        options.threads = 2;
        const auto device = must(gpu::create_device(options));
        scenes::SceneKit kit(*device);
        kit.size(256, 256);
        kit.add_color();
        kit.clear(0, 0, 0, 1);
        kit.shaders(kVertex, kFragment);
        kit.vertices({-1, -1, 0, 1, 1, 0, 0, 1, 3, -1, 0, 1, 0, 1, 0, 1, -1, 3, 0, 1, 0, 0, 1, 1},
                     {4, 4});
        kit.draw(3);
        (void)kit.shots();
        const Statistics s = device->take_statistics();
        if (s.kernels_interpreted != 0)
            continue;  // this machine has no recompiler
        const uint64_t blocks = 64 * 64;
        CHECK(s.blocks_shaded == blocks);
        CHECK(s.message_calls[at("attribute")] == (interpreted ? 2 : 0));
        CHECK(s.message_calls[at("varying")] == (interpreted ? blocks : 0));
        CHECK(s.message_calls[at("blend")] == (interpreted ? blocks : 0));
        CHECK(s.message_calls[at("texture")] == 0);
        CHECK(device->take_statistics().message_calls == MessageCalls{});
    }
}

TEST_CASE("window-space positions are drawn where they say, without viewport and clipping") {
    constexpr const char* kWindow = "VERT\n"
                                    "PROPERTY VS_WINDOW_SPACE_POSITION 1\n"
                                    "DCL IN[0]\n"
                                    "DCL IN[1]\n"
                                    "DCL OUT[0], POSITION\n"
                                    "DCL OUT[1], GENERIC[0]\n"
                                    "  0: MOV OUT[0], IN[0]\n"
                                    "  1: MOV OUT[1], IN[1]\n"
                                    "  2: END\n";
    for (const Engine engine : {Engine::Valhall, Engine::Jit}) {
        DeviceOptions options;
        options.engine = engine;
        const auto device = must(gpu::create_device(options));
        scenes::SceneKit kit(*device);
        kit.size(16, 16);
        kit.add_color(Format::R8_UNORM);
        const TextureRef depth = kit.add_depth(Format::D32_FLOAT);
        kit.clear(0, 0, 0, 0);
        kit.shaders(kWindow, kFragment);
        // Depth 3 is beyond any far plane and is clamped when it is stored. 1/w is 2 and 0.5.
        kit.vertices(
            {3, 2, 3, 2, 1, 1, 1, 1, 11, 2, 3, 0.5F, 1, 1, 1, 1, 3, 14, 0.25F, 2, 1, 1, 1, 1},
            {4, 4});
        kit.pipeline.depth_stencil.depth_test = kit.pipeline.depth_stencil.depth_write = true;
        kit.pipeline.depth_stencil.depth_func = CompareFunc::Always;
        kit.state.viewport = {{1, 1, 1}, {1000, 1000, 0}};  // not used
        kit.draw(3);
        const auto shots = kit.shots();
        size_t wrong = 0;
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) {
                // A centre is left of the edge from (11, 2) to (3, 14) if 12 (11 - x) > 8 (y - 2).
                const bool inside = x >= 3 && y >= 2 && 12 * (11 - (x + 0.5)) > 8 * ((y + 0.5) - 2);
                wrong += shots[0].bytes[static_cast<size_t>(y * 16 + x)] != (inside ? 255 : 0);
            }
        CHECK(wrong == 0);
        float at_corner = 0;
        must(device->read_texture(depth, 0, {3, 2, 0, 1, 1, 1},
                                  std::as_writable_bytes(std::span(&at_corner, 1)), 4));
        CHECK(at_corner == 1);
    }
}

namespace {

/// Draws a red triangle over a target of 32x32.
struct LoopScene {
    explicit LoopScene(const DeviceOptions& options, std::shared_ptr<gpu::KernelCache> kernels = {})
        : device(must(gpu::create_device(options, std::move(kernels)))) {
        TextureDesc target;
        target.format = Format::R8G8B8A8_UNORM;
        target.width = target.height = 32;
        target.render_target = true;
        color = must(device->create_texture(target));
        state.framebuffer = {{{color, 0, 0}}, {}};
        const float vertices[3][8] = {
            {-1, -1, 0, 1, 1, 0, 0, 1}, {3, -1, 0, 1, 1, 0, 0, 1}, {-1, 3, 0, 1, 1, 0, 0, 1}};
        state.vertex_buffers = {
            {must(device->create_buffer(sizeof(vertices), std::as_bytes(std::span(vertices)))), 0,
             UINT64_MAX}};
        state.viewport = Viewport::over(0, 0, 32, 32);
    }
    void draw(const char* vertex, const char* fragment) {
        PipelineDesc desc;
        desc.vertex = must(device->create_shader(vertex, "vs"));
        desc.fragment = must(device->create_shader(fragment, "fs"));
        desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT},
                         {0, 16, 0, Format::R32G32B32A32_FLOAT}};
        desc.strides = {32};
        state.pipeline = must(device->create_pipeline(desc));
        DrawInfo info;
        info.count = 3;
        must(device->draw(state, info));
    }
    uint32_t pixel() {
        uint32_t word = 0;
        must(device->read_texture(color, 0, {5, 5, 0, 1, 1, 1},
                                  std::as_writable_bytes(std::span(&word, 1)), 4));
        return word;
    }

    std::unique_ptr<Device> device;
    TextureRef color;
    DrawState state;
};

// Red has no green, so the loops do not end.
constexpr const char* kEndlessFragment = "FRAG\n"
                                         "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                         "DCL OUT[0], COLOR\n"
                                         "DCL TEMP[0]\n"
                                         "  0: BGNLOOP\n"
                                         "  1:   ADD TEMP[0], TEMP[0], IN[0]\n"
                                         "  2:   IF IN[0].yyyy\n"
                                         "  3:     BRK\n"
                                         "  4:   ENDIF\n"
                                         "  5: ENDLOOP\n"
                                         "  6: MOV OUT[0], TEMP[0]\n"
                                         "  7: END\n";
constexpr const char* kEndlessVertex = "VERT\n"
                                       "DCL IN[0]\n"
                                       "DCL IN[1]\n"
                                       "DCL OUT[0], POSITION\n"
                                       "DCL OUT[1], GENERIC[0]\n"
                                       "DCL TEMP[0]\n"
                                       "  0: BGNLOOP\n"
                                       "  1:   ADD TEMP[0], TEMP[0], IN[0]\n"
                                       "  2:   IF IN[1].yyyy\n"
                                       "  3:     BRK\n"
                                       "  4:   ENDIF\n"
                                       "  5: ENDLOOP\n"
                                       "  6: MOV OUT[0], TEMP[0]\n"
                                       "  7: MOV OUT[1], TEMP[0]\n"
                                       "  8: END\n";

}  // namespace

TEST_CASE("a shader that loops for ever is ended and reported once, and the device goes on") {
    for (const Engine engine : {Engine::Jit, Engine::Valhall}) {
        DeviceOptions options;
        options.engine = engine;
        options.threads = 2;
        options.loop_limit = 70000;
        LoopScene scene(options);
        for (const bool in_vertex : {false, true}) {
            scene.draw(in_vertex ? kEndlessVertex : kVertex,
                       in_vertex ? kFragment : kEndlessFragment);
            const auto finished = scene.device->finish();
            REQUIRE_FALSE(finished.has_value());
            CHECK(finished.error().code == Errc::InvalidState);
            CHECK(finished.error().text.find("70000 times") != std::string::npos);
            CHECK(scene.device->finish().has_value());
        }
        scene.draw(kVertex, kFragment);
        CHECK(scene.pixel() == 0xFF0000FF);
        CHECK(scene.device->finish().has_value());
    }
}

TEST_CASE("a cancelled device waits for no loop, and still answers") {
    DeviceOptions options;
    options.threads = 1;
    LoopScene scene(options);
    scene.draw(kVertex, kEndlessFragment);
    scene.device->cancel();
    CHECK(scene.device->finish().has_value());
    (void)scene.pixel();
    CHECK(scene.device->finish().has_value());
}

TEST_CASE("devices with one kernel cache compile equal shaders once") {
    DeviceOptions options;
    options.threads = 1;
    const auto kernels = must(gpu::make_kernel_cache(options));
    LoopScene first(options, kernels);
    LoopScene second(options, kernels);
    first.draw(kVertex, kFragment);
    CHECK(first.pixel() == 0xFF0000FF);
    const Statistics made = first.device->take_statistics();
    CHECK(made.kernels_compiled == 3);  // a vertex kernel, two variants of a fragment kernel
    second.draw(kVertex, kFragment);
    CHECK(second.pixel() == 0xFF0000FF);
    const Statistics found = second.device->take_statistics();
    CHECK(found.kernels_compiled == 0);
    CHECK(found.kernel_cache_hits == 3);
    // Another engine makes its own kernels.
    options.engine = Engine::Valhall;
    LoopScene third(options, kernels);
    third.draw(kVertex, kFragment);
    CHECK(third.pixel() == 0xFF0000FF);
    CHECK(third.device->take_statistics().kernels_compiled == 3);
}

TEST_CASE("devices on several threads share a kernel cache and draw the same") {
    DeviceOptions options;
    options.threads = 1;
    const auto kernels = must(gpu::make_kernel_cache(options));
    std::array<uint32_t, 4> pixels{};
    std::vector<std::thread> threads;
    for (uint32_t& pixel : pixels)
        threads.emplace_back([&options, &kernels, &pixel] {
            for (int i = 0; i < 5; ++i) {
                LoopScene scene(options, kernels);
                scene.draw(kVertex, kFragment);
                pixel = scene.pixel();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const uint32_t pixel : pixels)
        CHECK(pixel == 0xFF0000FF);
}

}  // namespace valkyr::raster::test
