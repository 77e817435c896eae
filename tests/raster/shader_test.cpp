// The whole way from TGSI text to pixels, in the interpreter.
// SPDX-License-Identifier: MIT
#include "raster/native_scene.hpp"

#include <doctest/doctest.h>

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
    auto device = must(Device::create(options));
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
    state.viewport = {{16, 16, 0.5F}, {16, 16, 0.5F}};

    ClearInfo clear;
    clear.color_targets = 1;
    clear.color[0] = {0, 0, 0x3F800000, 0x3F800000};  // blue
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
            // The hypotenuse goes through pixel centres; it is a right edge and owns none.
            const bool inside = x + y < 31;
            wrong += pixels[y * 32 + x] != (inside ? 0xFF0000FFU : 0xFFFF0000U) ? 1 : 0;
            wrong += depths[y * 32 + x] != (inside ? 0.75F : 1.0F) ? 1 : 0;
        }
    CHECK(wrong == 0);
}

}  // namespace valkyr::raster::test
