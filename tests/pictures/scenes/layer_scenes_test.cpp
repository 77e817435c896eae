// Layer scenes: draw to layers and viewports that the vertex shader selects.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;

/// Writes layer IN[2].x and viewport IN[2].y, given as floats.
constexpr const char* kChoosing = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], LAYER
DCL OUT[3], VIEWPORT_INDEX
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: F2U OUT[2].x, IN[2].xxxx
  3: F2U OUT[3].x, IN[2].yyyy
  4: END
)";

/// Writes the layer and the viewport, as the fragment shader reads them, to the colour.
constexpr const char* kShowChoice = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], LAYER, CONSTANT
DCL IN[2], VIEWPORT_INDEX, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 { 0.0625, 0, 0, 1 }
  0: MOV OUT[0], IN[0]
  1: U2F TEMP[0].x, IN[1].xxxx
  2: U2F TEMP[0].y, IN[2].xxxx
  3: MUL OUT[0].xy, TEMP[0].xyxy, IMM[0].xxxx
  4: END
)";

raster::TextureRef
layered(SceneKit& kit, exec::TextureKind kind, Format format, uint32_t slices, uint32_t size) {
    raster::TextureDesc desc;
    desc.kind = kind;
    desc.format = format;
    desc.width = desc.height = size;
    (kind == exec::TextureKind::Tex3D ? desc.depth : desc.layers) = slices;
    desc.render_target = true;
    return kit.texture(desc);
}

/// Gives each vertex its own layer and viewport, so that the provoking vertex matters.
void choosing_vertices(SceneKit& kit, const Mesh& mesh, uint32_t layers, uint32_t viewports) {
    Random random(7);
    std::vector<float> data;
    for (uint32_t i = 0; i < mesh.count(); i++) {
        const auto first = mesh.data().begin() + 8 * i;
        data.insert(data.end(), first, first + 8);
        data.push_back(static_cast<float>(random.below(layers)));
        data.push_back(static_cast<float>(random.below(viewports)));
    }
    kit.vertices(data, {4, 4, 2});
}

void viewports(SceneKit& kit, uint32_t count, float size) {
    Random random(11);
    for (uint32_t i = 0; i < count; i++) {
        const float x = random.between(0, size / 2);
        const float y = random.between(0, size / 2);
        kit.state.viewport_array.push_back(
            viewport_over(x, y, x + random.between(8, size), y + random.between(8, size),
                          random.between(0, 0.4F), random.between(0.5F, 1)));
        const auto left = static_cast<int32_t>(random.below(20));
        kit.state.scissor_array.push_back({left, 3, left + 50, 60});
    }
}

TEST_CASE("the provoking vertex chooses the viewport, with its scissor and depth range") {
    for (const bool first : {false, true})
        for (const bool clamp : {false, true})
            check_scene("viewport-array-" + std::to_string(first) + std::to_string(clamp),
                        [&](SceneKit& kit) {
                            kit.size(70, 70);
                            kit.add_color();
                            kit.add_depth(Format::D32_FLOAT);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.shaders(kChoosing, kShowChoice);
                            viewports(kit, 5, 70);
                            // Viewports 5 to 7 do not exist: viewport 0 is used.
                            choosing_vertices(kit, random_triangles(300, 60, 1.4F), 1, 8);
                            kit.pipeline.rasterizer.scissor = true;
                            kit.pipeline.rasterizer.flat_shade_first = first;
                            kit.pipeline.rasterizer.depth_clip = !clamp;
                            kit.pipeline.depth_stencil.depth_test = true;
                            kit.pipeline.depth_stencil.depth_write = true;
                            kit.draw(180);
                        });
}

TEST_CASE("points and lines choose viewports too") {
    for (const raster::Primitive primitive :
         {raster::Primitive::Points, raster::Primitive::LineStrip, raster::Primitive::Lines})
        check_scene("viewport-shapes-" + std::to_string(static_cast<int>(primitive)),
                    [&](SceneKit& kit) {
                        kit.size(70, 70);
                        kit.add_color();
                        kit.clear(0.1F, 0.2F, 0.3F, 1);
                        kit.shaders(kChoosing, kShowChoice);
                        viewports(kit, 3, 70);
                        choosing_vertices(kit, random_triangles(301, 20, 1.4F), 1, 3);
                        kit.pipeline.primitive = primitive;
                        kit.pipeline.rasterizer.point_size = 5;
                        kit.pipeline.rasterizer.line_width = 2;
                        kit.draw(60);
                    });
}

TEST_CASE("the provoking vertex chooses the layer of array, cube and 3D targets") {
    struct Case {
        exec::TextureKind kind;
        uint32_t slices, first, count;
    };
    for (const Case& c :
         {Case{exec::TextureKind::Tex2DArray, 7, 2, 4}, Case{exec::TextureKind::Tex3D, 5, 0, 5},
          Case{exec::TextureKind::Cube, 6, 0, 6}})
        check_scene("layers-" + std::to_string(static_cast<int>(c.kind)), [&](SceneKit& kit) {
            kit.size(70, 70);
            const auto color = layered(kit, c.kind, Format::R8G8B8A8_UNORM, c.slices, 70);
            const auto depth = layered(kit, exec::TextureKind::Tex2DArray,
                                       Format::D24_UNORM_S8_UINT, c.slices, 70);
            kit.state.framebuffer.color = {{color, 0, c.first, c.count}};
            kit.state.framebuffer.depth_stencil = {depth, 0, c.first, c.count};
            kit.clear(0.1F, 0.2F, 0.3F, 1);
            kit.shaders(kChoosing, kShowChoice);
            viewports(kit, 2, 70);
            // Layers beyond the last one are clamped to it.
            choosing_vertices(kit, random_triangles(302, 80, 1.4F), c.count + 2, 2);
            kit.pipeline.depth_stencil.depth_test = true;
            kit.pipeline.depth_stencil.depth_write = true;
            kit.draw(240);
            // A draw that writes no layer goes to the first one.
            kit.shaders(kVertexColor, kFragmentColor);
            kit.vertices(random_triangles(303, 5).data(), {4, 4});
            kit.draw(15);
        });
}

TEST_CASE("blended layers keep the order of primitives") {
    check_scene("layers-blended", [](SceneKit& kit) {
        kit.size(130, 130);
        const auto color =
            layered(kit, exec::TextureKind::Tex2DArray, Format::R8G8B8A8_UNORM, 3, 130);
        kit.state.framebuffer.color = {{color, 0, 0, 3}};
        kit.clear(0.1F, 0.2F, 0.3F, 1);
        kit.shaders(kChoosing, kFragmentColor);
        choosing_vertices(kit, random_triangles(304, 300, 1), 3, 1);
        kit.pipeline.blend.targets[0].enable = true;
        kit.pipeline.blend.targets[0].rgb_src = exec::BlendFactor::SrcAlpha;
        kit.pipeline.blend.targets[0].rgb_dst = exec::BlendFactor::InvSrcAlpha;
        kit.draw(900);
    });
}

TEST_CASE("forced sample shading runs the shader once a sample") {
    for (const uint32_t samples : {1U, 4U, 16U})
        for (const bool multisample : {false, true})
            check_scene("sample-shading-" + std::to_string(samples) + std::to_string(multisample),
                        [&](SceneKit& kit) {
                            kit.size(64, 64, samples);
                            kit.add_color();
                            kit.add_depth(Format::D32_FLOAT);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.shaders(kVertexColor, kFragmentColor);
                            kit.pipeline.rasterizer.multisample = multisample;
                            kit.pipeline.rasterizer.sample_shading = true;
                            kit.pipeline.depth_stencil.depth_test = true;
                            kit.pipeline.depth_stencil.depth_write = true;
                            kit.vertices(random_triangles(305, 20).data(), {4, 4});
                            kit.draw(60);
                        });
}

}  // namespace
}  // namespace valkyr::scenes
