// Rasterizer test: checks points and lines pixel by pixel.
// SPDX-License-Identifier: MIT
#include "tests/oracle/reference_device.hpp"
#include "tests/support/scene_kit.hpp"

#include <doctest/doctest.h>
#include <string>

namespace valkyr::scenes {
namespace {

constexpr char kVertex[] =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
constexpr char kFragment[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n"
                             "  0: MOV OUT[0], IMM[0]\n  1: END\n";

/// Draws window positions (pixels) and shows an 8x4 target: '#' drawn, '.' not.
std::string picture(raster::Primitive primitive,
                    std::initializer_list<float> window_positions,
                    const raster::RasterizerState& state = {}) {
    const auto device = reference::create_reference_device();
    SceneKit kit(*device);
    kit.size(8, 4);
    kit.add_color();
    kit.clear(0, 0, 0, 0);
    kit.shaders(kVertex, kFragment);
    kit.pipeline.primitive = primitive;
    kit.pipeline.rasterizer = state;
    std::vector<float> clip;
    for (const float* p = window_positions.begin(); p != window_positions.end(); p += 2)
        clip.insert(clip.end(), {p[0] / 4 - 1, p[1] / 2 - 1, 0, 1});
    kit.vertices(clip, {4});
    kit.draw(static_cast<uint32_t>(clip.size() / 4));
    const Shot shot = kit.shots()[0];
    std::string text;
    for (size_t i = 0; i < 32; i++) {
        text += shot.bytes[4 * i] != 0 ? '#' : '.';
        text += i % 8 == 7 ? "\n" : "";
    }
    return text;
}

using raster::Primitive;

TEST_CASE("a line has its first pixel and not its last, in both directions") {
    CHECK(picture(Primitive::Lines, {1.5F, 1.5F, 5.5F, 1.5F}) ==
          "........\n.####...\n........\n........\n");
    CHECK(picture(Primitive::Lines, {5.5F, 1.5F, 1.5F, 1.5F}) ==
          "........\n..####..\n........\n........\n");
    CHECK(picture(Primitive::Lines, {2.5F, 0.5F, 2.5F, 3.5F}) ==
          "..#.....\n..#.....\n..#.....\n........\n");
    CHECK(picture(Primitive::Lines, {2.5F, 3.5F, 2.5F, 0.5F}) ==
          "........\n..#.....\n..#.....\n..#.....\n");
}

TEST_CASE("the last pixel on request, and wide lines") {
    raster::RasterizerState state;
    state.line_last_pixel = true;
    CHECK(picture(Primitive::Lines, {1.5F, 1.5F, 5.5F, 1.5F}, state) ==
          "........\n.#####..\n........\n........\n");
    state.line_last_pixel = false;
    state.line_width = 3;
    CHECK(picture(Primitive::Lines, {1.5F, 1.5F, 5.5F, 1.5F}, state) ==
          ".####...\n.####...\n.####...\n........\n");
}

TEST_CASE("a diagonal from centre to centre steps once a column") {
    CHECK(picture(Primitive::Lines, {0.5F, 0.5F, 3.5F, 3.5F}) ==
          "#.......\n.#......\n..#.....\n........\n");
}

TEST_CASE("points are squares around their vertex") {
    CHECK(picture(Primitive::Points, {2.5F, 1.5F}) == "........\n..#.....\n........\n........\n");
    raster::RasterizerState state;
    state.point_size = 3;
    CHECK(picture(Primitive::Points, {2.5F, 1.5F}, state) ==
          ".###....\n.###....\n.###....\n........\n");
    state.point_size = 2;
    CHECK(picture(Primitive::Points, {6, 2}, state) == "........\n.....##.\n.....##.\n........\n");
    CHECK(picture(Primitive::Points, {-2, 2}, state) == "........\n........\n........\n........\n");
}

TEST_CASE("polygon mode draws the outline of a quad without its diagonal") {
    raster::RasterizerState state;
    state.fill_front = state.fill_back = raster::PolygonMode::Line;
    CHECK(picture(Primitive::Quads, {1.5F, 0.5F, 6.5F, 0.5F, 6.5F, 3.5F, 1.5F, 3.5F}, state) ==
          ".######.\n.#....#.\n.#....#.\n.######.\n");
}

}  // namespace
}  // namespace valkyr::scenes
