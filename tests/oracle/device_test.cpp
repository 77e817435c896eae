// Device test: checks whole draws of the reference renderer by hand.
// SPDX-License-Identifier: MIT
#include "tests/oracle/reference_device.hpp"
#include "tests/support/scene_kit.hpp"

#include <array>
#include <doctest/doctest.h>
#include <span>
#include <vector>

namespace valkyr::scenes {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr char kVertex[] = "VERT\n"
                           "DCL IN[0]\n"
                           "DCL IN[1]\n"
                           "DCL OUT[0], POSITION\n"
                           "DCL OUT[1], GENERIC[0]\n"
                           "  0: MOV OUT[0], IN[0]\n"
                           "  1: MOV OUT[1], IN[1]\n"
                           "  2: END\n";
constexpr char kFragment[] = "FRAG\n"
                             "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                             "DCL OUT[0], COLOR\n"
                             "  0: MOV OUT[0], IN[0]\n"
                             "  1: END\n";

/// Red channel of the first target, as rows of numbers.
Bytes reds(SceneKit& kit) {
    const Shot shot = kit.shots()[0];
    Bytes red;
    for (size_t i = 0; i < shot.bytes.size(); i += 4)
        red.push_back(shot.bytes[i]);
    return red;
}

TEST_CASE("a triangle over half of a 4x4 target leaves the clear colour elsewhere") {
    const auto device = reference::create_reference_device();
    SceneKit kit(*device);
    kit.size(4, 4);
    kit.add_color();
    kit.clear(0.2F, 0, 0, 0);
    kit.shaders(kVertex, kFragment);
    // Window corners (0,0), (4,0), (0,4): centres with x + y < 3 in whole pixels are inside.
    kit.vertices({-1, -1, 0, 1, 1, 0, 0, 1, 1, -1, 0, 1, 1, 0, 0, 1, -1, 1, 0, 1, 1, 0, 0, 1},
                 {4, 4});
    kit.draw(3);
    CHECK(reds(kit) == Bytes{255, 255, 255, 51, 255, 255, 51, 51, 255, 51, 51, 51, 51, 51, 51, 51});
}

TEST_CASE("a linear ramp over four pixels") {
    const auto device = reference::create_reference_device();
    SceneKit kit(*device);
    kit.size(4, 1);
    kit.add_color();
    kit.clear(0, 0, 0, 0);
    kit.shaders(kVertex, kFragment);
    // The value is x / 4: 1/8, 3/8, 5/8, 7/8 at the centres = 31.875, 95.625, 159.375, 223.125.
    kit.vertices({-1, -1, 0, 1, 0, 0, 0, 1, 1, -1, 0, 1, 1, 0, 0, 1, -1, 3, 0, 1, 0, 0, 0, 1,
                  1,  -1, 0, 1, 1, 0, 0, 1, 1, 3,  0, 1, 1, 0, 0, 1, -1, 3, 0, 1, 0, 0, 0, 1},
                 {4, 4});
    kit.draw(6);
    CHECK(reds(kit) == Bytes{32, 96, 159, 223});
}

TEST_CASE("a multisampled edge resolves to the share of its samples") {
    const auto device = reference::create_reference_device();
    SceneKit kit(*device);
    kit.size(1, 1, 4);
    kit.add_color();
    kit.clear(0, 0, 0, 0);
    kit.shaders(kVertex, kFragment);
    kit.pipeline.rasterizer.multisample = true;
    // x < 7/16 of the pixel: samples 0 (6/16) and 2 (2/16) of four.
    kit.vertices({-1,      -1, 0, 1, 1, 0, 0, 1, -0.125F, -1, 0, 1, 1, 0, 0, 1,
                  -0.125F, 1,  0, 1, 1, 0, 0, 1, -1,      -1, 0, 1, 1, 0, 0, 1,
                  -0.125F, 1,  0, 1, 1, 0, 0, 1, -1,      1,  0, 1, 1, 0, 0, 1},
                 {4, 4});
    kit.draw(6);
    CHECK(reds(kit) == Bytes{128});  // (2 * 255 + 2) >> 2
}

TEST_CASE("the nearer triangle wins, whatever the order") {
    for (const bool near_first : {false, true}) {
        const auto device = reference::create_reference_device();
        SceneKit kit(*device);
        kit.size(1, 1);
        kit.add_color();
        kit.add_depth(exec::Format::D16_UNORM);
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertex, kFragment);
        kit.pipeline.depth_stencil.depth_test = kit.pipeline.depth_stencil.depth_write = true;
        for (const bool is_near : {near_first, !near_first}) {
            const float z = is_near ? -0.5F : 0.5F;
            const float red = is_near ? 0.4F : 1;
            kit.vertices(
                {-1, -1, z, 1, red, 0, 0, 1, 3, -1, z, 1, red, 0, 0, 1, -1, 3, z, 1, red, 0, 0, 1},
                {4, 4});
            kit.draw(3);
        }
        CHECK(reds(kit) == Bytes{102});
        const Shot depth = kit.shots()[1];
        CHECK(depth.bytes == Bytes{0x00, 0x40});  // 0.25 * 65535 = 16383.75
    }
}

TEST_CASE("texels are read back where they were written") {
    const auto device = reference::create_reference_device();
    SceneKit kit(*device);
    raster::TextureDesc desc;
    desc.kind = exec::TextureKind::Tex3D;
    desc.format = exec::Format::R8_UNORM;
    desc.width = 2;
    desc.height = 2;
    desc.depth = 2;
    const raster::TextureRef texture = kit.texture(desc);
    kit.write_level(texture, 0, Bytes{1, 2, 3, 4, 5, 6, 7, 8});
    std::array<std::byte, 2> column{};
    const raster::Box box{1, 0, 1, 1, 2, 1};
    CHECK(device->read_texture(texture, 0, box, column, 1).has_value());
    CHECK(std::to_integer<int>(column[0]) == 6);
    CHECK(std::to_integer<int>(column[1]) == 8);
    CHECK_FALSE(device->read_texture(texture, 0, {2, 0, 0, 1, 1, 1}, column, 1).has_value());
}

TEST_CASE("a strip is captured as triangles, until a target is full") {
    const auto device = reference::create_reference_device();
    SceneKit kit(*device);
    kit.size(4, 4);
    kit.add_color();
    kit.shaders(kVertex, kFragment);
    std::vector<float> data;
    for (const float value : {0.0F, 1.0F, 2.0F, 3.0F, 4.0F})
        data.insert(data.end(), {0, 0, 0, 1, value, 0, 0, 0});
    kit.vertices(data, {4, 4});
    kit.pipeline.primitive = raster::Primitive::TriangleStrip;
    kit.pipeline.stream_output.elements = {{1, 0, 1, 0, 0}};
    kit.pipeline.stream_output.stride_words = {1};
    const raster::BufferRef buffer = kit.buffer(std::vector<float>(9));
    const auto target = device->create_stream_target({buffer, 4, 28});
    REQUIRE(target.has_value());
    kit.state.stream_targets = {*target};
    kit.draw(5);
    CHECK((*target)->position() == 24);
    std::array<float, 9> words{};
    REQUIRE(device->read_buffer(buffer, 0, std::as_writable_bytes(std::span(words))).has_value());
    CHECK(words == std::array<float, 9>{0, 0, 1, 2, 2, 1, 3, 0, 0});
    CHECK(device->set_stream_position(*target, 28).has_value());
    CHECK_FALSE(device->set_stream_position(*target, 32).has_value());
    CHECK_FALSE(device->create_stream_target({buffer, 2, 28}).has_value());
}

TEST_CASE("work-groups run with their IDs, and each with cleared shared memory") {
    const auto device = reference::create_reference_device();
    const auto shader = device->create_shader(R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 2
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL TEMP[0..2]
IMM[0] UINT32 {2, 4, 0, 10}
UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx
ATOMUADD TEMP[1].x, MEMORY[0], IMM[0].zzzz, IMM[0].wwww
BARRIER
LOAD TEMP[1].x, MEMORY[0], IMM[0].zzzz
UADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].xxxx
UMUL TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy
STORE BUFFER[0].x, TEMP[2].xxxx, TEMP[1].xxxx
END
)",
                                              "shader");
    REQUIRE(shader.has_value());
    const auto buffer = device->create_buffer(16, {});
    raster::DispatchState state;
    state.pipeline = *device->create_compute_pipeline({*shader, 4});
    state.resources.storage = {{*buffer}};
    REQUIRE(device->dispatch(state, {2, 1, 1}).has_value());
    std::array<uint32_t, 4> words{};
    REQUIRE(device->read_buffer(*buffer, 0, std::as_writable_bytes(std::span(words))).has_value());
    CHECK(words == std::array<uint32_t, 4>{20, 21, 22, 23});
}

}  // namespace
}  // namespace valkyr::scenes
