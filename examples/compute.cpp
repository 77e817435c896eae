// Compute: blurs a picture by a compute shader and writes it as a PNG file.
// SPDX-License-Identifier: MIT
#include "png_file.hpp"

#include <cstdio>
#include <valkyr/valkyr.hpp>

using namespace valkyr;
using namespace valkyr::raster;

constexpr uint32_t kSize = 256;  // pixels a side

// Work-groups of 16 x 16 invocations, one for each pixel: the mean of the 9 x 9 pixels around it.
// TEMP[0] is the pixel, TEMP[1] the sum, and TEMP[2] counts from -4 to 4 in y and x. What is
// outside of an image reads as 0.
constexpr char kBlur[] = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 16
PROPERTY CS_FIXED_BLOCK_HEIGHT 16
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UINT
DCL IMAGE[1], 2D, PIPE_FORMAT_R8G8B8A8_UINT, WR
DCL TEMP[0..3]
IMM[0] INT32 {16, -4, 1, 81}
IMM[1] INT32 {0, 5, 255, 0}
  0: UMAD TEMP[0].xy, SV[1], IMM[0].xxxx, SV[0]
  1: MOV TEMP[1], IMM[1].xxxx
  2: MOV TEMP[2].y, IMM[0].yyyy
  3: BGNLOOP
  4:   MOV TEMP[2].x, IMM[0].yyyy
  5:   BGNLOOP
  6:     UADD TEMP[3].xy, TEMP[0], TEMP[2]
  7:     LOAD TEMP[3], IMAGE[0], TEMP[3], 2D, PIPE_FORMAT_R8G8B8A8_UINT
  8:     UADD TEMP[1], TEMP[1], TEMP[3]
  9:     UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz
 10:     USEQ TEMP[2].z, TEMP[2].xxxx, IMM[1].yyyy
 11:     UIF TEMP[2].zzzz
 12:       BRK
 13:     ENDIF
 14:   ENDLOOP
 15:   UADD TEMP[2].y, TEMP[2].yyyy, IMM[0].zzzz
 16:   USEQ TEMP[2].z, TEMP[2].yyyy, IMM[1].yyyy
 17:   UIF TEMP[2].zzzz
 18:     BRK
 19:   ENDIF
 20: ENDLOOP
 21: UDIV TEMP[1], TEMP[1], IMM[0].wwww
 22: MOV TEMP[1].w, IMM[1].zzzz
 23: STORE IMAGE[1], TEMP[0], TEMP[1], 2D, PIPE_FORMAT_R8G8B8A8_UINT
 24: END
)";

/// Rows from the top, four bytes (r, g, b, a) per pixel: squares of 32 pixels a side.
static std::vector<uint8_t> checkered() {
    std::vector<uint8_t> pixels;
    for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
            const bool light = ((x ^ y) & 32) != 0;
            pixels.insert(pixels.end(), {uint8_t(light ? 255 : 0), uint8_t(light ? 200 : 64),
                                         uint8_t(light ? 0 : 128), 255});
        }
    return pixels;
}

static Result<std::vector<uint8_t>> blur(std::vector<uint8_t> pixels) {
    constexpr Box kAll{.width = kSize, .height = kSize};
    VALKYR_TRY(device, gpu::create_device());
    const TextureDesc desc{.format = Format::R8G8B8A8_UINT, .width = kSize, .height = kSize};
    VALKYR_TRY(from, device->create_texture(desc));
    VALKYR_TRY(to, device->create_texture(desc));
    VALKYR_TRY_VOID(
        device->write_texture(from, 0, kAll, std::as_bytes(std::span(pixels)), size_t{kSize} * 4));
    VALKYR_TRY(shader, device->create_shader(kBlur));
    VALKYR_TRY(pipeline, device->create_compute_pipeline({shader}));
    DispatchState state;  // all inputs of a dispatch
    state.pipeline = pipeline;
    state.resources.images = {{.texture = from}, {.texture = to}};
    VALKYR_TRY_VOID(device->dispatch(state, {kSize / 16, kSize / 16, 1}));
    VALKYR_TRY_VOID(device->read_texture(to, 0, kAll, std::as_writable_bytes(std::span(pixels)),
                                         size_t{kSize} * 4));
    return pixels;
}

int main(int argc, char** argv) {
    const auto pixels = blur(checkered());
    const std::string wrong =
        pixels ? examples::write_png_file(argc > 1 ? argv[1] : "compute.png", kSize, kSize, *pixels)
               : pixels.error().text;
    if (!wrong.empty())
        std::fprintf(stderr, "compute: error: %s\n", wrong.c_str());
    return wrong.empty() ? 0 : 1;
}
