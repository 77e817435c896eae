// Hello: draws a triangle and writes it as a PNG file. Start reading here.
// SPDX-License-Identifier: MIT
#include "png_file.hpp"

#include <cstdio>
#include <valkyr/valkyr.hpp>

using namespace valkyr;
using namespace valkyr::raster;

// x and y (-1 to 1, y upwards), then red, green and blue of each corner
constexpr float kTriangle[3][5] = {
    {-0.75F, -0.75F, 1, 0, 0}, {0.75F, -0.75F, 0, 1, 0}, {0, 0.75F, 0, 0, 1}};
constexpr uint32_t kSize = 256;  // pixels a side

// Shaders are TGSI text, the form into which Mesa compiles GLSL.
constexpr char kVertexShader[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)";
constexpr char kFragmentShader[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

/// The picture: rows from the top, four bytes (r, g, b, a) per pixel. VALKYR_TRY declares a
/// variable with the value of a Result, or returns its error.
static Result<std::vector<uint8_t>> draw_triangle() {
    VALKYR_TRY(device, gpu::create_device());
    VALKYR_TRY(target, device->create_texture({.format = Format::R8G8B8A8_UNORM,
                                               .width = kSize,
                                               .height = kSize,
                                               .render_target = true}));
    VALKYR_TRY(vertices,
               device->create_buffer(sizeof kTriangle, std::as_bytes(std::span(kTriangle))));
    PipelineDesc desc;  // shaders and fixed state, compiled once
    VALKYR_TRY(vertex, device->create_shader(kVertexShader));
    VALKYR_TRY(fragment, device->create_shader(kFragmentShader));
    desc.vertex = vertex;
    desc.fragment = fragment;
    desc.elements = {{0, 0, 0, Format::R32G32_FLOAT}, {0, 8, 0, Format::R32G32B32_FLOAT}};
    desc.strides = {sizeof kTriangle[0]};
    DrawState state;  // all inputs of a draw
    VALKYR_TRY(pipeline, device->create_pipeline(desc));
    state.pipeline = pipeline;
    state.framebuffer.color = {{target}};
    state.vertex_buffers = {{vertices}};
    state.viewport = Viewport::of(kSize, kSize);
    const auto to_black = ClearInfo().set_color(0, {0, 0, 0, 1});
    VALKYR_TRY_VOID(device->clear(state.framebuffer, to_black));
    VALKYR_TRY_VOID(device->draw(state, {.count = 3}));
    std::vector<uint8_t> pixels(size_t{kSize} * kSize * 4);
    VALKYR_TRY_VOID(device->read_texture(target, 0, {.width = kSize, .height = kSize},
                                         std::as_writable_bytes(std::span(pixels)),
                                         size_t{kSize} * 4));
    return pixels;
}

int main(int argc, char** argv) {
    const auto pixels = draw_triangle();
    const std::string wrong =
        pixels ? examples::write_png_file(argc > 1 ? argv[1] : "hello.png", kSize, kSize, *pixels)
               : pixels.error().text;
    if (!wrong.empty())
        std::fprintf(stderr, "hello: error: %s\n", wrong.c_str());
    return wrong.empty() ? 0 : 1;
}
