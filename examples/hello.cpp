// Hello: draws a triangle and writes it as a PNG file. Start reading here.
// SPDX-License-Identifier: MIT
#include "examples/image_io.hpp"
#include "gpu/create_device.hpp"

#include <cstdio>

using namespace valkyr;
using namespace valkyr::raster;

// x and y (-1 to 1, y upwards), then red, green and blue of each corner
constexpr float kTriangle[3][5] = {
    {-0.75F, -0.75F, 1, 0, 0}, {0.75F, -0.75F, 0, 1, 0}, {0, 0.75F, 0, 0, 1}};
constexpr uint32_t kSize = 256;  // pixels a side

// Shaders are TGSI text, as OpenGL programs' shaders are when Mesa has compiled them.
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

/// Draws the picture. VALKYR_TRY names the value of a Result or returns its error.
static Result<examples::Image> draw_triangle() {
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
    DrawState state;  // all that a draw reads
    VALKYR_TRY(pipeline, device->create_pipeline(desc));
    state.pipeline = pipeline;
    state.framebuffer.color = {{target}};
    state.vertex_buffers = {{vertices}};
    state.viewport = {{128, -128, 0.5F}, {128, 128, 0.5F}};  // scale (row 0 on top) and centre
    ClearInfo to_black;
    to_black.color_targets = 1;
    to_black.color[0][3] = 0x3F800000;  // alpha 1
    VALKYR_TRY_VOID(device->clear(state.framebuffer, to_black));
    VALKYR_TRY_VOID(device->draw(state, {.count = 3}));
    examples::Image image{kSize, kSize, std::vector<uint8_t>(size_t{kSize} * kSize * 4)};
    VALKYR_TRY_VOID(device->read_texture(target, 0, {.width = kSize, .height = kSize},
                                         std::as_writable_bytes(std::span(image.rgba)),
                                         size_t{kSize} * 4));
    return image;
}

int main(int argc, char** argv) {
    const auto image = draw_triangle();
    const auto written = image ? examples::write_png(argc > 1 ? argv[1] : "hello.png", *image)
                               : Result<void>(image.error());
    if (!written)
        std::fprintf(stderr, "%s\n", written.error().format("hello").c_str());
    return written ? 0 : 1;
}
