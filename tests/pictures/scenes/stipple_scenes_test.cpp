// Stipple scenes: draw stippled lines and polygons, and smooth points.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;
using raster::PolygonMode;
using raster::Primitive;

void begin(SceneKit& kit, Primitive primitive, uint32_t samples = 1) {
    kit.size(96, 96, samples);
    kit.add_color();
    kit.clear(0.1F, 0.2F, 0.3F, 1);
    kit.shaders(kVertexColor, kFragmentColor);
    kit.pipeline.primitive = primitive;
    kit.pipeline.rasterizer.multisample = samples > 1;
}

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

Mesh random_vertices(uint32_t seed, uint32_t count, float reach, float lowest_w = 1) {
    Random random(seed);
    Mesh mesh;
    for (uint32_t i = 0; i < count; i++) {
        const Float4 color = random.color();
        const float w = lowest_w == 1 ? 1 : random.between(lowest_w, 3);
        const float x = random.between(-reach, reach);
        const float y = random.between(-reach, reach);
        mesh.add({x, y, random.between(-1, 1), w}, color);
    }
    return mesh;
}

void random_pattern(SceneKit& kit, uint32_t seed) {
    Random random(seed);
    for (uint32_t& row : kit.state.polygon_stipple)
        row = random.word();
    kit.pipeline.rasterizer.polygon_stipple = true;
}

void blend_over(SceneKit& kit) {
    auto& blend = kit.pipeline.blend.targets[0];
    blend.enable = true;
    blend.rgb_src = exec::BlendFactor::SrcAlpha;
    blend.rgb_dst = exec::BlendFactor::InvSrcAlpha;
}

struct PrimitiveRow {
    const char* name;
    Primitive primitive;
};

TEST_CASE("stippled lines of every kind, width and factor") {
    constexpr PrimitiveRow kRows[] = {{"lines", Primitive::Lines},
                                      {"strip", Primitive::LineStrip},
                                      {"loop", Primitive::LineLoop},
                                      {"adjacency", Primitive::LineStripAdjacency}};
    for (const PrimitiveRow& row : kRows)
        for (const uint16_t factor : {uint16_t{1}, uint16_t{3}})
            for (const bool bottom : {false, true})
                check_scene(std::string("stipple-") + row.name + "-" + std::to_string(factor) +
                                (bottom ? "-bottom" : ""),
                            [&](SceneKit& kit) {
                                begin(kit, row.primitive);
                                auto& raster = kit.pipeline.rasterizer;
                                raster.line_stipple = true;
                                raster.line_stipple_pattern = 0x2F33;
                                raster.line_stipple_factor = factor;
                                raster.bottom_edge_rule = bottom;
                                raster.line_width = factor == 1 ? 1.0F : 4.0F;
                                raster.line_last_pixel = bottom && factor == 3;
                                draw_mesh(kit, random_vertices(31, 24, 1.3F));
                                draw_mesh(kit, random_vertices(32, 24, 3, -0.5F));
                            });
}

TEST_CASE("the stipple of a chain goes on over chunks and segments, and ends with restarts") {
    // Several chunks of 256 primitives, enough for two workers.
    check_scene("stipple-long-strip", [](SceneKit& kit) {
        begin(kit, Primitive::LineStrip);
        kit.pipeline.rasterizer.line_stipple = true;
        kit.pipeline.rasterizer.line_stipple_pattern = 0x00FF;
        kit.pipeline.rasterizer.line_stipple_factor = 2;
        draw_mesh(kit, random_vertices(33, 3000, 1));
    });
    check_scene("stipple-restart", [](SceneKit& kit) {
        begin(kit, Primitive::LineStrip);
        kit.pipeline.rasterizer.line_stipple = true;
        kit.pipeline.rasterizer.line_stipple_pattern = 0xF0F1;
        const Mesh mesh = random_vertices(34, 60, 1.1F);
        kit.vertices(mesh.data(), {4, 4});
        std::vector<uint16_t> indices;
        for (uint16_t i = 0; i < 60; i++)
            indices.push_back(i % 7 == 6 ? 0xFFFF : i);
        kit.indices(indices);
        kit.draw(
            {.count = 60, .instance_count = 2, .primitive_restart = true, .restart_index = 0xFFFF});
    });
}

TEST_CASE("stippled lines that are rectangles: multisampled and smooth") {
    for (const uint32_t samples : {1U, 4U})
        for (const float width : {1.0F, 5.0F})
            check_scene("stipple-rectangles-" + std::to_string(samples) +
                            (width > 1 ? "-wide" : ""),
                        [&](SceneKit& kit) {
                            begin(kit, Primitive::LineStrip, samples);
                            blend_over(kit);
                            auto& raster = kit.pipeline.rasterizer;
                            raster.line_smooth = true;
                            raster.line_stipple = true;
                            raster.line_stipple_pattern = 0x7C1F;
                            raster.line_width = width;
                            draw_mesh(kit, random_vertices(35, 20, 1.2F));
                        });
}

TEST_CASE("polygons have the pixels of the pattern; depth, samples and other shapes with it") {
    for (const uint32_t samples : {1U, 4U})
        for (const PolygonMode back : {PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point})
            check_scene("stipple-polygon-" + std::to_string(samples) +
                            std::to_string(static_cast<int>(back)),
                        [&](SceneKit& kit) {
                            begin(kit, Primitive::Triangles, samples);
                            kit.add_depth(Format::D24_UNORM_S8_UINT);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.pipeline.depth_stencil.depth_test = true;
                            kit.pipeline.depth_stencil.depth_write = true;
                            kit.pipeline.rasterizer.fill_back = back;
                            kit.pipeline.rasterizer.point_size = 5;
                            random_pattern(kit, 36);
                            draw_mesh(kit, random_triangles(37, 20));
                            kit.pipeline.rasterizer.polygon_stipple = false;
                            draw_mesh(kit, random_triangles(38, 10));
                        });
    // Stipple makes gaps in triangles that cover whole tiles.
    check_scene("stipple-whole-target", [](SceneKit& kit) {
        begin(kit, Primitive::Triangles);
        draw_mesh(kit, random_triangles(39, 10));
        random_pattern(kit, 40);
        draw_mesh(kit, Mesh().rectangle(-1, -1, 1, 1, 0, {1, 0.5F, 0.2F, 1}));
    });
}

TEST_CASE("the outlines of polygons are chains of their own") {
    for (const Primitive primitive : {Primitive::Quads, Primitive::Polygon, Primitive::Triangles})
        check_scene("stipple-outline-" + std::to_string(static_cast<int>(primitive)),
                    [&](SceneKit& kit) {
                        begin(kit, primitive);
                        auto& raster = kit.pipeline.rasterizer;
                        raster.fill_front = raster.fill_back = PolygonMode::Line;
                        raster.line_stipple = true;
                        raster.line_stipple_pattern = 0x0FF3;
                        draw_mesh(kit, random_vertices(41, 24, 1));
                    });
}

TEST_CASE("smooth points of every size, in colours and beside other shapes") {
    for (const float size : {0.3F, 1.0F, 2.5F, 9.0F})
        for (const Format format : {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UINT})
            check_scene("smooth-points-" + std::to_string(static_cast<int>(10 * size)) + "-" +
                            std::string(exec::format_info(format).name),
                        [&](SceneKit& kit) {
                            kit.size(96, 96);
                            kit.add_color(format);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.shaders(kVertexColor, kFragmentColor);
                            kit.pipeline.primitive = Primitive::Points;
                            kit.pipeline.rasterizer.point_smooth = true;
                            kit.pipeline.rasterizer.point_size = size;
                            blend_over(kit);
                            draw_mesh(kit, random_vertices(42, 60, 1.1F));
                        });
    for (const bool lines : {false, true})
        check_scene(std::string("smooth-points-of-triangles") + (lines ? "-and-lines" : ""),
                    [&](SceneKit& kit) {
                        begin(kit, Primitive::Triangles);
                        auto& raster = kit.pipeline.rasterizer;
                        raster.point_smooth = raster.line_smooth = true;
                        raster.fill_front = PolygonMode::Point;
                        raster.fill_back = lines ? PolygonMode::Line : PolygonMode::Fill;
                        raster.point_size = 6;
                        draw_mesh(kit, random_triangles(43, 15));
                    });
    check_scene("smooth-points-multisampled", [](SceneKit& kit) {
        begin(kit, Primitive::Points, 4);
        kit.pipeline.rasterizer.point_smooth = true;
        kit.pipeline.rasterizer.point_size = 7;
        draw_mesh(kit, random_vertices(44, 30, 1));
    });
    check_scene("smooth-points-sprites", [](SceneKit& kit) {
        begin(kit, Primitive::Points);
        kit.pipeline.rasterizer.point_smooth = kit.pipeline.rasterizer.point_sprite = true;
        kit.pipeline.rasterizer.sprite_texcoords = 1;
        kit.pipeline.rasterizer.point_size = 7;
        draw_mesh(kit, random_vertices(45, 30, 1));
    });
}

TEST_CASE("smooth shapes take colours that are written by a computed index") {
    for (const Primitive primitive : {Primitive::Lines, Primitive::Points})
        check_scene("smooth-computed-" + std::to_string(static_cast<int>(primitive)),
                    [&](SceneKit& kit) {
                        kit.size(64, 64);
                        kit.add_color();
                        kit.add_color();
                        kit.add_depth(Format::D32_FLOAT);
                        kit.clear(0.1F, 0.2F, 0.3F, 1);
                        kit.shaders(kVertexColor, R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0..1], COLOR
DCL OUT[2], POSITION
DCL TEMP[0]
DCL ADDR[0]
IMM[0] FLT32 { 0.5, 0.25, 1, 0 }
IMM[1] UINT32 { 1, 0, 0, 0 }
  0: SLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx
  1: F2U TEMP[0].y, TEMP[0].xxxx
  2: UARL ADDR[0].x, TEMP[0].yyyy
  3: MOV OUT[ADDR[0].x], IN[0]
  4: XOR TEMP[0].y, TEMP[0].yyyy, IMM[1].xxxx
  5: UARL ADDR[0].x, TEMP[0].yyyy
  6: MOV OUT[ADDR[0].x], IMM[0].yxyz
  7: MOV OUT[2].z, IN[0].yyyy
  8: END
)");
                        kit.pipeline.primitive = primitive;
                        auto& raster = kit.pipeline.rasterizer;
                        raster.line_smooth = raster.point_smooth = true;
                        raster.line_width = 3;
                        raster.point_size = 8;
                        kit.pipeline.depth_stencil.depth_test = true;
                        kit.pipeline.depth_stencil.depth_write = true;
                        draw_mesh(kit, random_vertices(46, 30, 1));
                    });
}

TEST_CASE("attachments are drawn to in other formats of their size") {
    const struct {
        Format own, drawn;
    } rows[] = {{Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB},
                {Format::R8G8B8A8_SRGB, Format::R8G8B8A8_UNORM},
                {Format::B8G8R8A8_UNORM, Format::B8G8R8A8_SRGB},
                {Format::R32_UINT, Format::R8G8B8A8_UNORM},
                {Format::R16G16_FLOAT, Format::R10G10B10A2_UNORM}};
    for (const auto& row : rows)
        for (const bool blended : {false, true})
            check_scene("surface-" + std::string(exec::format_info(row.own).name) + "-as-" +
                            std::string(exec::format_info(row.drawn).name) +
                            (blended ? "-blended" : ""),
                        [&](SceneKit& kit) {
                            kit.size(64, 64);
                            kit.add_color(row.own);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.shaders(kVertexColor, kFragmentColor);
                            draw_mesh(kit, random_triangles(47, 6));
                            kit.state.framebuffer.color[0].format = row.drawn;
                            if (blended)
                                blend_over(kit);
                            draw_mesh(kit, random_triangles(48, 6));
                            kit.state.framebuffer.color[0].format = Format::None;
                            draw_mesh(kit, random_triangles(49, 3));
                        });
    check_scene("surface-cleared-as-srgb", [](SceneKit& kit) {
        kit.size(64, 64);
        kit.add_color(Format::R8G8B8A8_UNORM);
        kit.state.framebuffer.color[0].format = Format::R8G8B8A8_SRGB;
        kit.clear(0.1F, 0.2F, 0.3F, 0.5F);
        kit.state.framebuffer.color[0].format = Format::None;
        kit.shaders(kVertexColor, kFragmentColor);
        draw_mesh(kit, random_triangles(50, 4));
    });
}

}  // namespace
}  // namespace valkyr::scenes
