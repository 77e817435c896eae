// Memory scenes: draw with image loads and stores.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;

raster::TextureRef image(SceneKit& kit, Format format, uint32_t layers = 1) {
    raster::TextureDesc desc;
    desc.kind = layers > 1 ? exec::TextureKind::Tex2DArray : exec::TextureKind::Tex2D;
    desc.format = format;
    desc.width = desc.height = 64;
    desc.layers = layers;
    return kit.texture(desc);
}

/// Colours well outside [0, 1], all different.
Mesh wide_rectangle() {
    return Mesh().shaded_rectangle(
        -1, -1, 1, 1, 0,
        {Float4{-1.5F, 0.1F, 2, 0}, {0.9F, -0.3F, 70000, 1}, {0, 1.2F, -3, 0.5F}, {1, 0.7F, 0, 2}});
}

void begin(SceneKit& kit) {
    kit.size(64, 64);
    kit.add_color(Format::R32G32B32A32_FLOAT);
    kit.clear(0.1F, 0.2F, 0.3F, 1);
    kit.vertices(wide_rectangle().data(), {4, 4});
}

/// Stores the colour to IMAGE[0] at the pixel, and outputs twice the texel of IMAGE[1].
std::string storing(Format format) {
    const std::string name = std::string(exec::format_info(format).name);
    return "FRAG\n"
           "DCL IN[0], GENERIC[0], LINEAR\n"
           "DCL IN[1], POSITION, LINEAR\n"
           "DCL OUT[0], COLOR\n"
           "DCL IMAGE[0..1], 2D, PIPE_FORMAT_" +
           name +
           ", WR\n"
           "DCL TEMP[0..1]\n"
           "F2U TEMP[0], IN[1]\n"
           "STORE IMAGE[0], TEMP[0], IN[0], 2D, PIPE_FORMAT_" +
           name +
           "\n"
           "LOAD TEMP[1], IMAGE[1], TEMP[0], 2D, PIPE_FORMAT_" +
           name +
           "\n"
           "ADD OUT[0], TEMP[1], TEMP[1]\n"
           "END\n";
}

TEST_CASE("images of every sort of format convert as targets and textures do") {
    for (const Format format :
         {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SNORM, Format::R16G16B16A16_FLOAT,
          Format::R16G16_UNORM, Format::R11G11B10_FLOAT, Format::R10G10B10A2_UNORM,
          Format::R32G32B32A32_FLOAT, Format::R8_UNORM, Format::R16_SNORM})
        check_scene("image-" + std::string(exec::format_info(format).name),
                    [format](SceneKit& kit) {
                        begin(kit);
                        const auto first = image(kit, format);
                        const auto second = image(kit, format);
                        kit.shaders(kVertexColor, storing(format));
                        kit.state.fragment().images = {{.texture = first}, {.texture = second}};
                        kit.draw(6);
                        // Each draw loads the texels that the draw before stored; the last picture
                        // shows them.
                        kit.state.fragment().images = {{.texture = second}, {.texture = first}};
                        kit.draw(6);
                    });
}

TEST_CASE("layers, integers and vertices") {
    constexpr const char* kVertexStores = R"(VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL IMAGE[0], 2D_ARRAY, PIPE_FORMAT_R16G16B16A16_SINT, WR
DCL TEMP[0..1]
IMM[0] FLT32 { 40000, 3, 5, 0 }
IMM[1] UINT32 { 0, 1, 2, 3 }
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MOV TEMP[0], IMM[1].xyzz
  3: UADD TEMP[0].x, SV[0].xxxx, SV[0].xxxx
  4: MUL TEMP[1], IN[1], IMM[0].xxxx
  5: F2I TEMP[1], TEMP[1]
  6: STORE IMAGE[0], TEMP[0], TEMP[1], 2D_ARRAY, PIPE_FORMAT_R16G16B16A16_SINT
  7: END
)";
    constexpr const char* kFragmentLoads = R"(FRAG
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
DCL IMAGE[0], 2D_ARRAY, PIPE_FORMAT_R16G16B16A16_SINT, WR
DCL TEMP[0..1]
IMM[0] UINT32 { 0, 1, 2, 3 }
  0: F2U TEMP[0], IN[0]
  1: MOV TEMP[0].z, IMM[0].zzzz
  2: LOAD TEMP[1], IMAGE[0], TEMP[0], 2D_ARRAY, PIPE_FORMAT_R16G16B16A16_SINT
  3: I2F OUT[0], TEMP[1]
  4: END
)";
    check_scene("image-vertex-layers", [&](SceneKit& kit) {
        begin(kit);
        const auto layers = image(kit, Format::R16G16B16A16_SINT, 5);
        raster::ImageView view;
        view.texture = layers;
        view.first_layer = 1;
        view.layer_count = 3;
        kit.shaders(kVertexStores, kFragmentLoads);
        kit.state.vertex().images = {view};
        kit.state.fragment().images = {view};
        kit.draw(6);
    });
}

}  // namespace
}  // namespace valkyr::scenes
