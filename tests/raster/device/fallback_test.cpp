// Fallback test: without executable memory, the interpreter draws an equal picture.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/denied_memory.hpp"
#include "tests/support/plain_shaders.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

constexpr uint32_t kSize = 32;

std::vector<uint32_t> picture(Device& device) {
    TextureDesc target;
    target.format = Format::R8G8B8A8_UNORM;
    target.width = target.height = kSize;
    target.render_target = true;
    const TextureRef color = must(device.create_texture(target));
    const float vertices[3][4] = {{-1, -1, 0.5F, 1}, {1, -0.5F, 0.5F, 1}, {-0.25F, 1, 0.5F, 1}};
    PipelineDesc desc;
    desc.vertex = must(device.create_shader(valkyr::test::kPlainVertex, "vs"));
    desc.fragment = must(device.create_shader(valkyr::test::kPlainFragment, "fs"));
    desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}};
    desc.strides = {16};
    DrawState state;
    state.pipeline = must(device.create_pipeline(desc));
    state.framebuffer = {{{color, 0, 0}}, {}};
    state.vertex_buffers = {
        {must(device.create_buffer(sizeof(vertices), std::as_bytes(std::span(vertices)))), 0,
         UINT64_MAX}};
    state.viewport = Viewport::over(0, 0, 32, 32);
    ClearInfo clear;
    clear.color_targets = 1;
    must(device.clear(state.framebuffer, clear));
    DrawInfo draw;
    draw.count = 3;
    must(device.draw(state, draw));
    std::vector<uint32_t> pixels(kSize * kSize);
    must(device.read_texture(color, 0, {0, 0, 0, kSize, kSize, 1},
                             std::as_writable_bytes(std::span(pixels)), kSize * 4));
    return pixels;
}

DeviceOptions one_thread(Engine engine) {
    DeviceOptions options;
    options.engine = engine;
    options.threads = 1;
    return options;
}

}  // namespace

TEST_CASE("a device without executable memory draws with the interpreter") {
    auto interpreting = must(gpu::create_device(one_thread(Engine::Valhall)));
    const std::vector<uint32_t> expected = picture(*interpreting);
    REQUIRE(std::ranges::count(expected, expected[0]) < kSize * kSize);
    const valkyr::test::DeniedMemory denied;
    auto device = must(gpu::create_device(one_thread(Engine::Jit)));
    CHECK(picture(*device) == expected);
    // The statistics report it once.
    const Statistics said = device->take_statistics();
    CHECK(said.kernels_interpreted == said.kernels_compiled);
    CHECK(said.interpreter_reason.find("memory") != std::string::npos);
    CHECK(device->take_statistics().interpreter_reason.empty());
    // A device that was created with the interpreter reports no fallback.
    CHECK(interpreting->take_statistics().kernels_interpreted == 0);
}

#if defined(__x86_64__)  // other architectures may have no recompiler
TEST_CASE("who asks for a host level that cannot be had is told so") {
    DeviceOptions options = one_thread(Engine::Jit);
    options.host = Host::Avx2;
    const valkyr::test::DeniedMemory denied;
    const auto device = gpu::create_device(options);
    REQUIRE(!device.has_value());
    // The machine lacks the level, or there is no memory for its code.
    const Errc code = device.error().code;
    CHECK((code == Errc::System || code == Errc::Unsupported));
}
#endif

}  // namespace valkyr::raster::test
