// Rounding test: a device's results do not depend on the application's rounding mode.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <doctest/doctest.h>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;
using namespace valkyr::raster::test;

namespace {

constexpr uint32_t kSide = 16;
constexpr Box kWhole{.width = kSide, .height = kSide};

constexpr const char* kVertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n  2: END\n";
/// The prologue computes the product of uniforms once per draw, the compiler that of constants, and
/// every pixel that with the varying.
constexpr const char* kFragment =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..1]\n"
    "DCL TEMP[0..1]\nIMM[0] FLT32 { 0.1, 0.7, 0.3, 1.3}\n"
    "  0: MUL TEMP[0], CONST[0], CONST[1]\n  1: MUL TEMP[1], IMM[0].xyzw, IMM[0].yzwx\n"
    "  2: ADD TEMP[0], TEMP[0], TEMP[1]\n  3: MAD OUT[0], TEMP[0], IN[0].xyxy, TEMP[1]\n"
    "  4: END\n";

TextureRef target(Device& device, Format format, uint32_t samples = 1) {
    TextureDesc desc;
    desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
    desc.format = format;
    desc.width = desc.height = kSide;
    desc.samples = samples;
    desc.render_target = true;
    return must(device.create_texture(desc));
}

std::vector<std::byte> texels(Device& device, const TextureRef& texture, size_t bytes) {
    std::vector<std::byte> data(kSide * kSide * bytes);
    must(device.read_texture(texture, 0, kWhole, data, kSide * bytes));
    return data;
}

void append(std::vector<std::byte>& all, const std::vector<std::byte>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Draws a triangle that covers everything, from compilation to reading back.
std::vector<std::byte> drawn(Device& device, uint32_t samples) {
    constexpr std::array<std::array<float, 4>, 3> kCorners{
        {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}}};
    PipelineDesc desc;
    desc.vertex = must(device.create_shader(kVertex, "vs"));
    desc.fragment = must(device.create_shader(kFragment, "fs"));
    desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}};
    desc.strides = {16};
    DrawState state;
    state.pipeline = must(device.create_pipeline(desc));
    const TextureRef color = target(device, Format::R16G16B16A16_FLOAT, samples);
    state.framebuffer.color = {{color}};
    state.viewport = Viewport::over(0, 0, 16, 16);
    state.scissor = {0, 0, kSide, kSide};
    BufferRange corners;
    corners.buffer =
        must(device.create_buffer(sizeof kCorners, std::as_bytes(std::span(kCorners))));
    state.vertex_buffers = {corners};
    state.fragment().constants = {{0x3DCCCCCD, 0x3F333333, 0x3EAAAAAB, 0x3F7FBE77, 0x3EAAAAAB,
                                   0x3F19999A, 0x3DCCCCCD, 0x3F2AAAAB}};
    must(device.draw(state, {.count = 3}));
    std::vector<std::byte> all = texels(device, color, 8);
    CHECK(std::ranges::any_of(all, [](std::byte b) { return b != std::byte(); }));
    return all;
}

/// The results of all kinds of conversion and computation, under a rounding mode.
std::vector<std::byte> all_bytes(Engine engine, int rounding) {
    std::fesetround(rounding);
    DeviceOptions options;
    options.threads = 1;
    options.engine = engine;
    const auto device = must(gpu::create_device(options));
    std::vector<std::byte> all = drawn(*device, 1);
    append(all, drawn(*device, 4));
    constexpr std::array<uint32_t, 4> kThirds{0x3EAAAAAB, 0x3DCCCCCD, 0x3F2AAAAB, 0x3F7FBE77};
    const std::array<std::pair<Format, size_t>, 4> formats{{{Format::R16G16B16A16_FLOAT, 8},
                                                            {Format::R11G11B10_FLOAT, 4},
                                                            {Format::R8G8B8A8_SRGB, 4},
                                                            {Format::R16G16B16A16_UNORM, 8}}};
    for (const auto& [format, bytes] : formats) {
        const TextureRef texture = target(*device, format);
        must(device->clear_texture(texture, 0, kWhole, kThirds));
        append(all, texels(*device, texture, bytes));
        ClearInfo info;
        info.color_targets = 1;
        info.color[0] = kThirds;
        Framebuffer framebuffer;
        framebuffer.color = {{texture}};
        must(device->clear(framebuffer, info));
        append(all, texels(*device, texture, bytes));
    }
    CHECK(std::fegetround() == rounding);
    std::fesetround(FE_TONEAREST);
    return all;
}

}  // namespace

TEST_CASE("draws, clears and resolves round to nearest even, however the application rounds") {
    for (const Engine engine : {Engine::Jit, Engine::Valhall}) {
        const std::vector<std::byte> expected = all_bytes(engine, FE_TONEAREST);
        for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
            CHECK(all_bytes(engine, rounding) == expected);
    }
}
