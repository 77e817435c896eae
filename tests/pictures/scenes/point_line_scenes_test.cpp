// Point and line scenes: draw points, lines and polygon modes.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <cmath>
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

/// Vertices on pixel centres and corners, in all eight directions.
Mesh star() {
    Mesh mesh;
    for (int i = 0; i < 16; i++) {
        const float angle = static_cast<float>(i) * 0.3926991F;
        const float x = std::round(30 * std::cos(angle)), y = std::round(30 * std::sin(angle));
        const Float4 color{0.2F + static_cast<float>(i) / 20, 1 - static_cast<float>(i) / 16, 0.5F,
                           1};
        mesh.add({0.5F / 48, 0.5F / 48, 0, 1}, color);
        mesh.add({(x + 0.5F) / 48, (y + 0.5F) / 48, 0.5F, 1}, color);
    }
    return mesh;
}

Mesh random_vertices(uint32_t seed, uint32_t count, float lowest_w) {
    Random random(seed);
    Mesh mesh;
    for (uint32_t i = 0; i < count; i++) {
        const float w = random.between(lowest_w, 3);
        mesh.add({random.between(-3, 3), random.between(-3, 3), random.between(-2, 2), w},
                 random.color());
    }
    return mesh;
}

TEST_CASE("lines in every direction, every width") {
    for (const float width : {1.0F, 2.0F, 3.4F, 10.0F})
        for (const bool bottom : {false, true})
            check_scene("lines-" + std::to_string(static_cast<int>(width)) +
                            (bottom ? "-bottom" : ""),
                        [width, bottom](SceneKit& kit) {
                            begin(kit, Primitive::Lines);
                            kit.pipeline.rasterizer.line_width = width;
                            kit.pipeline.rasterizer.bottom_edge_rule = bottom;
                            draw_mesh(kit, star());
                        });
}

TEST_CASE("line primitives, clipped lines, the last pixel") {
    const struct {
        const char* name;
        Primitive primitive;
    } rows[] = {{"lines", Primitive::Lines},
                {"line-strip", Primitive::LineStrip},
                {"line-loop", Primitive::LineLoop},
                {"lines-adjacency", Primitive::LinesAdjacency},
                {"line-strip-adjacency", Primitive::LineStripAdjacency}};
    for (const auto& row : rows)
        for (const bool last : {false, true})
            check_scene(row.name + std::string(last ? "-last-pixel" : "-clipped"),
                        [&row, last](SceneKit& kit) {
                            begin(kit, row.primitive);
                            kit.shaders(kVertexColor, last ? kFragmentFlat : kFragmentColor);
                            kit.pipeline.rasterizer.line_last_pixel = last;
                            draw_mesh(kit, random_vertices(120, 40, -1));
                        });
}

TEST_CASE("multisampled lines are rectangles") {
    for (const float width : {1.0F, 5.5F})
        check_scene("lines-multisampled-" + std::to_string(static_cast<int>(width)),
                    [width](SceneKit& kit) {
                        begin(kit, Primitive::Lines, 4);
                        kit.pipeline.rasterizer.line_width = width;
                        draw_mesh(kit, star());
                    });
}

TEST_CASE("points of every size, clipped, multisampled") {
    for (const float size : {1.0F, 2.5F, 7.0F, 40.0F})
        for (const uint32_t samples : {1U, 4U})
            check_scene("points-" + std::to_string(static_cast<int>(size)) + "-" +
                            std::to_string(samples),
                        [size, samples](SceneKit& kit) {
                            begin(kit, Primitive::Points, samples);
                            kit.pipeline.rasterizer.point_size = size;
                            draw_mesh(kit, random_vertices(121, 60, -0.5F));
                        });
}

/// Points on pixel centres, corners and elsewhere; more than fit into a packet or a chunk.
Mesh crowd(uint32_t seed, uint32_t count) {
    Random random(seed);
    Mesh mesh;
    for (uint32_t i = 0; i < count; i++) {
        const float step = i % 3 == 0 ? 1.0F / 75 : i % 3 == 1 ? 0.5F / 75 : 0.013F;
        const auto place = [&] { return std::round(random.between(-1.1F, 1.1F) / step) * step; };
        const float x = place();
        const float y = place();
        mesh.add({x, y, random.between(-1, 1), 1}, random.color());
    }
    return mesh;
}

TEST_CASE("many points cover the pixels of their squares, hidden or cut or not") {
    for (const float size : {1.0F, 2.0F, 5.0F, 9.3F, 16.0F, 33.0F, 150.0F})
        for (const bool bottom : {false, true})
            check_scene("crowd-" + std::to_string(static_cast<int>(size)) +
                            (bottom ? "-bottom" : ""),
                        [size, bottom](SceneKit& kit) {
                            kit.size(150, 150, 1);
                            kit.add_color();
                            kit.shaders(kVertexColor, kFragmentColor);
                            kit.pipeline.primitive = Primitive::Points;
                            kit.add_depth(exec::Format::D24_UNORM_S8_UINT);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.pipeline.depth_stencil.depth_test = true;
                            kit.pipeline.depth_stencil.depth_write = !bottom;
                            kit.pipeline.rasterizer.point_size = size;
                            kit.pipeline.rasterizer.bottom_edge_rule = bottom;
                            kit.pipeline.rasterizer.scissor = true;
                            kit.state.scissor = {5, 3, 141, 147};
                            draw_mesh(kit, crowd(131, size < 10 ? 700 : 80));
                        });
}

constexpr char kVertexPointSize[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], PSIZE
DCL OUT[2], GENERIC[0]
DCL OUT[3], GENERIC[1]
IMM[0] FLT32 {    20.0000,     0.0000,     0.0000,     0.0000}
  0: MOV OUT[0], IN[0]
  1: MUL OUT[1].x, IN[1].xxxx, IMM[0].xxxx
  2: MOV OUT[2], IN[1]
  3: MOV OUT[3], IN[1]
  4: END
)";

constexpr char kFragmentSprite[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
  0: ADD TEMP[0], IN[0], -IN[1]
  1: MOV OUT[0].xy, IN[1]
  2: MOV OUT[0].z, |TEMP[0].zzzz|
  3: MOV OUT[0].w, IN[0].wwww
  4: END
)";

/// The vertex shader does not write GENERIC[8] and [9]: gl_PointCoord of OpenGL 2 arrives in such
/// an input.
constexpr char kFragmentSpriteAlone[] = R"(FRAG
DCL IN[0], GENERIC[8], PERSPECTIVE
DCL IN[1], GENERIC[9], PERSPECTIVE
DCL OUT[0], COLOR
  0: ADD OUT[0], IN[0], IN[1]
  1: END
)";

constexpr char kFragmentPointCoordinate[] = R"(FRAG
DCL IN[0], PCOORD, LINEAR
DCL IN[1], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0].xy, IN[0]
  1: MOV OUT[0].zw, IN[1]
  2: END
)";

TEST_CASE("point sizes from the shader, sprites, point coordinates") {
    for (const bool lower_left : {false, true}) {
        const std::string suffix = lower_left ? "-lower-left" : "-upper-left";
        check_scene("sprites" + suffix, [lower_left](SceneKit& kit) {
            begin(kit, Primitive::Points);
            kit.shaders(kVertexPointSize, kFragmentSprite);
            kit.pipeline.rasterizer.point_size_per_vertex = true;
            kit.pipeline.rasterizer.point_sprite = true;
            kit.pipeline.rasterizer.sprite_texcoords = 0b10;
            kit.pipeline.rasterizer.sprite_origin_lower_left = lower_left;
            draw_mesh(kit, random_vertices(122, 30, 0.8F));
        });
        check_scene("sprites-not-written" + suffix, [lower_left](SceneKit& kit) {
            begin(kit, Primitive::Points);
            kit.shaders(kVertexPointSize, kFragmentSpriteAlone);
            kit.pipeline.rasterizer.point_size_per_vertex = true;
            kit.pipeline.rasterizer.point_sprite = true;
            kit.pipeline.rasterizer.sprite_texcoords = 1U << 8;
            kit.pipeline.rasterizer.sprite_origin_lower_left = lower_left;
            draw_mesh(kit, random_vertices(124, 30, 0.8F));
        });
        check_scene("point-coordinate" + suffix, [lower_left](SceneKit& kit) {
            begin(kit, Primitive::Points);
            kit.shaders(kVertexPointSize, kFragmentPointCoordinate);
            kit.pipeline.rasterizer.point_size = 13;
            kit.pipeline.rasterizer.sprite_origin_lower_left = lower_left;
            draw_mesh(kit, random_vertices(123, 30, 0.8F));
        });
    }
}

TEST_CASE("polygon mode: lines and points of triangles, quads and polygons") {
    for (const PolygonMode mode : {PolygonMode::Line, PolygonMode::Point})
        for (const Primitive primitive :
             {Primitive::Triangles, Primitive::TriangleStrip, Primitive::Quads,
              Primitive::QuadStrip, Primitive::Polygon})
            check_scene("polygon-mode-" + std::to_string(static_cast<unsigned>(mode)) + "-" +
                            std::to_string(static_cast<unsigned>(primitive)),
                        [mode, primitive](SceneKit& kit) {
                            begin(kit, primitive);
                            kit.pipeline.rasterizer.fill_front = mode;
                            kit.pipeline.rasterizer.fill_back = mode;
                            kit.pipeline.rasterizer.point_size = 5;
                            draw_mesh(kit, random_triangles(124, 4));
                        });
    check_scene("polygon-mode-mixed", [](SceneKit& kit) {
        begin(kit, Primitive::Triangles);
        kit.pipeline.rasterizer.fill_back = PolygonMode::Line;
        kit.pipeline.rasterizer.line_width = 2;
        draw_mesh(kit, random_triangles(125, 12));
    });
    check_scene("polygon-mode-offset", [](SceneKit& kit) {
        begin(kit, Primitive::Triangles);
        kit.add_depth(exec::Format::D24_UNORM_S8_UINT);
        kit.clear(0.1F, 0.2F, 0.3F, 1);
        kit.pipeline.depth_stencil.depth_test = kit.pipeline.depth_stencil.depth_write = true;
        const Mesh mesh = random_triangles(126, 8);
        draw_mesh(kit, mesh);
        kit.pipeline.rasterizer.fill_front = kit.pipeline.rasterizer.fill_back = PolygonMode::Line;
        kit.pipeline.rasterizer.offset_line = true;
        kit.pipeline.rasterizer.offset_units = -2;
        kit.pipeline.rasterizer.offset_scale = -1;
        kit.shaders(kVertexColor, kFragmentFlat);
        draw_mesh(kit, mesh);
    });
    check_scene("polygon-mode-near-clip", [](SceneKit& kit) {
        begin(kit, Primitive::Triangles);
        kit.pipeline.rasterizer.fill_front = kit.pipeline.rasterizer.fill_back = PolygonMode::Line;
        draw_mesh(kit, random_vertices(127, 30, -1));
    });
}

/// Lines of a few pixels in all directions, some as long as the target, some clamped by the guard
/// band; more than fit into a packet or a chunk.
Mesh line_crowd(uint32_t seed, uint32_t count, bool perspective) {
    Random random(seed);
    Mesh mesh;
    for (uint32_t i = 0; i < count; i++) {
        const float step = i % 3 == 0 ? 1.0F / 75 : i % 3 == 1 ? 0.5F / 75 : 0.0007F;
        const float reach = i % 7 == 6 ? 1.5F : 0.08F;
        const auto round = [&](float place) { return std::round(place / step) * step; };
        float x = round(random.between(-1.1F, 1.1F));
        float y = round(random.between(-1.1F, 1.1F));
        for (int end = 0; end < 2; end++) {
            const float w = perspective ? random.between(0.3F, 3) : 1;
            mesh.add({x * w, y * w, random.between(-1, 1) * w, w}, random.color());
            x = i % 50 == 49 ? 16384.0F / 75 : round(x + random.between(-reach, reach));
            y = i % 40 == 39 ? -16370.0F / 75 : round(y + random.between(-reach, reach));
        }
    }
    return mesh;
}

/// State for drawing many lines.
struct LineCrowd {
    const char* name;
    float width = 1;
    Primitive primitive = Primitive::Lines;
    bool perspective = true;
    bool flat = false;
    bool bottom = false;
    bool depth = true;
    bool last_pixel = false;
    uint16_t stipple = 0;
    uint32_t samples = 1;
    bool multisample = false;
};

void draw_crowd(SceneKit& kit, const LineCrowd& row) {
    kit.size(150, 150, row.samples);
    kit.add_color();
    kit.add_depth(Format::D24_UNORM_S8_UINT);
    kit.clear(0.1F, 0.2F, 0.3F, 1);
    kit.shaders(kVertexColor, row.flat ? kFragmentFlat : kFragmentColor);
    kit.pipeline.primitive = row.primitive;
    kit.pipeline.depth_stencil.depth_test = row.depth;
    kit.pipeline.depth_stencil.depth_write = !row.bottom;
    auto& raster = kit.pipeline.rasterizer;
    raster.line_width = row.width;
    raster.bottom_edge_rule = row.bottom;
    raster.line_last_pixel = row.last_pixel;
    raster.multisample = row.multisample;
    raster.line_stipple = row.stipple != 0;
    raster.line_stipple_pattern = row.stipple;
    raster.scissor = true;
    kit.state.scissor = {5, 3, 141, 147};
    const bool few = row.width > 20 || row.primitive != Primitive::Lines;
    draw_mesh(kit, line_crowd(132, few ? 150 : 700, row.perspective));
}

TEST_CASE("many lines cover the pixels between their edges, hidden or cut or not") {
    const LineCrowd rows[] = {
        {.name = "thin"},
        {.name = "thin-linear-bottom", .perspective = false, .bottom = true},
        {.name = "thin-flat", .flat = true, .depth = false},
        {.name = "strip", .primitive = Primitive::LineStrip},
        {.name = "strip-last-pixel", .primitive = Primitive::LineStrip, .last_pixel = true},
        {.name = "loop-bottom", .primitive = Primitive::LineLoop, .bottom = true},
        {.name = "two", .width = 2, .bottom = true, .last_pixel = true},
        {.name = "five", .width = 5},
        {.name = "forty", .width = 40, .perspective = false},
        {.name = "all", .width = 255, .flat = true, .bottom = true},
        {.name = "stippled", .flat = true, .stipple = 0x2F33},
        {.name = "stippled-wide", .width = 6, .bottom = true, .stipple = 0x5353},
        {.name = "alike-samples", .samples = 4},
        {.name = "alike-samples-wide", .width = 7, .bottom = true, .samples = 4},
        {.name = "rectangles", .width = 2, .samples = 4, .multisample = true},
    };
    for (const LineCrowd& row : rows)
        check_scene(std::string("line-crowd-") + row.name,
                    [&](SceneKit& kit) { draw_crowd(kit, row); });
}

/// Sets the edge flag at vertices with more red.
constexpr char kVertexEdgeFlag[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], EDGEFLAG
DCL OUT[2], GENERIC[0]
IMM[0] FLT32 {     0.5000,     0.0000,     0.0000,     0.0000}
  0: MOV OUT[0], IN[0]
  1: SGE OUT[1].x, IN[1].xxxx, IMM[0].xxxx
  2: MOV OUT[2], IN[1]
  3: END
)";

TEST_CASE("edge flags: polygons that share no vertices have only the edges and points that begin") {
    for (const PolygonMode mode : {PolygonMode::Line, PolygonMode::Point, PolygonMode::Fill})
        for (const Primitive primitive :
             {Primitive::Triangles, Primitive::TriangleStrip, Primitive::Quads, Primitive::Polygon})
            check_scene("edge-flags-" + std::to_string(static_cast<unsigned>(mode)) + "-" +
                            std::to_string(static_cast<unsigned>(primitive)),
                        [&](SceneKit& kit) {
                            begin(kit, primitive);
                            kit.shaders(kVertexEdgeFlag, kFragmentColor);
                            kit.pipeline.rasterizer.fill_front = mode;
                            kit.pipeline.rasterizer.fill_back = mode;
                            kit.pipeline.rasterizer.point_size = 5;
                            draw_mesh(kit, random_triangles(128, 4));
                        });
}

TEST_CASE("polygons drawn as points are point sprites") {
    check_scene("polygon-mode-sprites", [](SceneKit& kit) {
        begin(kit, Primitive::Quads);
        kit.shaders(kVertexPointSize, kFragmentSpriteAlone);
        kit.pipeline.rasterizer.fill_front = PolygonMode::Point;
        kit.pipeline.rasterizer.fill_back = PolygonMode::Point;
        kit.pipeline.rasterizer.point_size = 9;
        kit.pipeline.rasterizer.point_sprite = true;
        kit.pipeline.rasterizer.sprite_texcoords = 1U << 9;
        draw_mesh(kit, random_triangles(129, 4));
    });
}

TEST_CASE("smooth lines have the coverage of each pixel in their alpha") {
    for (const float width : {0.5F, 1.0F, 2.5F, 7.0F})
        for (const Format format :
             {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_UINT})
            check_scene("smooth-lines-" + std::to_string(static_cast<int>(2 * width)) + "-" +
                            std::string(exec::format_info(format).name),
                        [&](SceneKit& kit) {
                            kit.size(96, 96);
                            kit.add_color(format);
                            kit.add_depth(Format::D32_FLOAT);
                            kit.clear(0.1F, 0.2F, 0.3F, 1);
                            kit.shaders(kVertexColor, kFragmentColor);
                            kit.pipeline.primitive = Primitive::Lines;
                            kit.pipeline.rasterizer.line_smooth = true;
                            kit.pipeline.rasterizer.line_width = width;
                            kit.pipeline.depth_stencil.depth_test = true;
                            auto& blend = kit.pipeline.blend.targets[0];
                            blend.enable = true;
                            blend.rgb_src = exec::BlendFactor::SrcAlpha;
                            blend.rgb_dst = exec::BlendFactor::InvSrcAlpha;
                            draw_mesh(kit, star());
                            draw_mesh(kit, random_vertices(77, 40, 0.2F));
                        });
}

TEST_CASE("smooth state changes neither triangles nor points nor multisampled lines") {
    for (const uint32_t samples : {1U, 4U})
        for (const PolygonMode mode : {PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point})
            check_scene("smooth-polygons-" + std::to_string(samples) +
                            std::to_string(static_cast<int>(mode)),
                        [&](SceneKit& kit) {
                            begin(kit, Primitive::Triangles, samples);
                            kit.pipeline.rasterizer.line_smooth = true;
                            kit.pipeline.rasterizer.line_width = 3;
                            kit.pipeline.rasterizer.point_size = 5;
                            kit.pipeline.rasterizer.fill_front = PolygonMode::Line;
                            kit.pipeline.rasterizer.fill_back = mode;
                            draw_mesh(kit, random_triangles(78, 20));
                        });
}

TEST_CASE("alpha tests see the coverage of smooth lines") {
    check_scene("smooth-alpha-test", [](SceneKit& kit) {
        begin(kit, Primitive::LineStrip);
        kit.pipeline.rasterizer.line_smooth = true;
        kit.pipeline.rasterizer.line_width = 4;
        kit.pipeline.depth_stencil.alpha_test = true;
        kit.pipeline.depth_stencil.alpha_func = exec::CompareFunc::Greater;
        kit.state.alpha_reference = 0.4F;
        draw_mesh(kit, random_vertices(79, 30, 1));
    });
}

}  // namespace
}  // namespace valkyr::scenes
