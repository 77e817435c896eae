// Interpolation scenes: draw with shading modes, perspective, clipping, facing and positions.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;

void begin(SceneKit& kit) {
    kit.size(96, 96);
    kit.add_color();
    kit.clear(0.1F, 0.2F, 0.3F, 1);
    kit.shaders(kVertexColor, kFragmentColor);
}

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

/// Triangles with a different w at each corner, some of them behind the eye.
Mesh perspective_triangles(uint32_t seed, uint32_t count, float lowest_w) {
    Random random(seed);
    Mesh mesh;
    for (uint32_t i = 0; i < 3 * count; i++) {
        const float w = random.between(lowest_w, 5);
        mesh.add({random.between(-4, 4), random.between(-4, 4), random.between(-3, 3), w},
                 random.color());
    }
    return mesh;
}

TEST_CASE("flat, linear and perspective interpolation") {
    const struct {
        const char* name;
        const char* shader;
    } rows[] = {
        {"flat", kFragmentFlat}, {"linear", kFragmentLinear}, {"perspective", kFragmentColor}};
    for (const auto& row : rows)
        for (const bool first : {false, true})
            check_scene(row.name + std::string(first ? "-first" : "-last"),
                        [&row, first](SceneKit& kit) {
                            begin(kit);
                            kit.shaders(kVertexColor, row.shader);
                            kit.pipeline.rasterizer.flat_shade_first = first;
                            draw_mesh(kit, perspective_triangles(70, 30, 1));
                        });
}

TEST_CASE("float targets show every bit of interpolation") {
    check_scene("perspective-bits", [](SceneKit& kit) {
        kit.size(96, 96);
        kit.add_color(Format::R32G32B32A32_FLOAT);
        kit.add_depth(Format::D32_FLOAT);
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexColor, kFragmentColor);
        kit.pipeline.depth_stencil.depth_test = true;
        kit.pipeline.depth_stencil.depth_write = true;
        draw_mesh(kit, perspective_triangles(71, 40, 0.2F));
    });
}

TEST_CASE("smooth and flat shade model of COLOR inputs") {
    for (const bool flat : {false, true})
        check_scene(flat ? "shade-flat" : "shade-smooth", [flat](SceneKit& kit) {
            begin(kit);
            kit.shaders(kVertexShadeColor, kFragmentShadeColor);
            kit.pipeline.rasterizer.flat_shade = flat;
            draw_mesh(kit, perspective_triangles(72, 20, -1));
        });
}

TEST_CASE("triangles that cross the near plane and the eye") {
    check_scene("near-clip", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, perspective_triangles(73, 60, -2));
    });
    check_scene("near-clip-halfz", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.rasterizer.clip_halfz = true;
        kit.state.viewport = viewport_over(0, 0, 96, 96, 0, 1, true);
        draw_mesh(kit, perspective_triangles(74, 60, -2));
    });
    check_scene("near-clip-flat", [](SceneKit& kit) {
        begin(kit);
        kit.shaders(kVertexColor, kFragmentFlat);
        draw_mesh(kit, perspective_triangles(75, 60, -2));
    });
}

TEST_CASE("a floor from behind the eye to the horizon") {
    check_scene("floor", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, floor_plane());
    });
    check_scene("floor-no-depth-clip", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.rasterizer.depth_clip = false;
        draw_mesh(kit, floor_plane());
    });
}

constexpr char kVertexClipDistance[] = R"(VERT
PROPERTY NUM_CLIPDIST_ENABLED 2
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], CLIPDIST
DCL OUT[2], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: ADD OUT[1].x, IN[1].xxxx, -IN[1].yyyy
  2: ADD OUT[1].y, IN[0].yyyy, IN[0].wwww
  3: MOV OUT[2], IN[1]
  4: END
)";

constexpr char kVertexCullDistance[] = R"(VERT
PROPERTY NUM_CLIPDIST_ENABLED 1
PROPERTY NUM_CULLDIST_ENABLED 1
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1].xy, CLIPDIST
DCL OUT[2], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: ADD OUT[1].x, IN[1].xxxx, -IN[1].yyyy
  2: ADD OUT[1].y, IN[1].yyyy, -IN[1].zzzz
  3: MOV OUT[2], IN[1]
  4: END
)";

TEST_CASE("clip and cull distances, user planes") {
    check_scene("clip-distances", [](SceneKit& kit) {
        begin(kit);
        kit.shaders(kVertexClipDistance, kFragmentColor);
        kit.pipeline.rasterizer.clip_plane_enable = 0b11;
        draw_mesh(kit, perspective_triangles(76, 20, 0.5F));
    });
    check_scene("clip-distance-one-enabled", [](SceneKit& kit) {
        begin(kit);
        kit.shaders(kVertexClipDistance, kFragmentColor);
        kit.pipeline.rasterizer.clip_plane_enable = 0b10;
        draw_mesh(kit, perspective_triangles(76, 20, 0.5F));
    });
    check_scene("cull-distance", [](SceneKit& kit) {
        begin(kit);
        kit.shaders(kVertexCullDistance, kFragmentColor);
        kit.pipeline.rasterizer.clip_plane_enable = 0b1;
        draw_mesh(kit, perspective_triangles(77, 20, 0.5F));
    });
    check_scene("user-planes", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.rasterizer.clip_plane_enable = 0b1001;
        kit.state.clip_planes[0] = {0.6F, 0.8F, 0, 0.5F};
        kit.state.clip_planes[3] = {-1, 0.3F, 0.2F, 0.7F};
        draw_mesh(kit, perspective_triangles(78, 20, 0.5F));
    });
}

constexpr char kVertexTwoSided[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
DCL OUT[2], BCOLOR
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MOV OUT[2], IN[1].zxyw
  3: END
)";

TEST_CASE("two-sided colour, smooth and flat") {
    for (const bool two_sided : {false, true})
        for (const bool flat : {false, true})
            check_scene(std::string("two-sided-") + (two_sided ? "on" : "off") +
                            (flat ? "-flat" : ""),
                        [two_sided, flat](SceneKit& kit) {
                            begin(kit);
                            kit.shaders(kVertexTwoSided, kFragmentShadeColor);
                            kit.pipeline.rasterizer.two_sided_color = two_sided;
                            kit.pipeline.rasterizer.flat_shade = flat;
                            draw_mesh(kit, perspective_triangles(79, 20, 0.5F));
                        });
}

constexpr char kFragmentPosition[] = R"(FRAG
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

constexpr char kFragmentPositionLowerLeft[] = R"(FRAG
PROPERTY FS_COORD_ORIGIN LOWER_LEFT
PROPERTY FS_COORD_PIXEL_CENTER INTEGER
DCL IN[0], POSITION, LINEAR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

constexpr char kFragmentFace[] = R"(FRAG
DCL IN[0], FACE, CONSTANT
DCL IN[1], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {     0.0000,     0.5000,     1.0000,     0.0000}
  0: MAD TEMP[0].x, IN[0].xxxx, IMM[0].yyyy, IMM[0].yyyy
  1: LRP OUT[0], TEMP[0].xxxx, IN[1], IN[1].yzxw
  2: END
)";

constexpr char kFragmentPrimitive[] = R"(FRAG
DCL IN[0], PRIM_ID, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {     0.0300,     0.0100,     0.0200,     0.0040}
  0: U2F TEMP[0], IN[0].xxxx
  1: MUL OUT[0], TEMP[0], IMM[0]
  2: END
)";

TEST_CASE("fragment position, facing and primitive ID") {
    const struct {
        const char* name;
        const char* shader;
        Format format;
    } rows[] = {
        {"fragment-position", kFragmentPosition, Format::R32G32B32A32_FLOAT},
        {"fragment-position-lower-left", kFragmentPositionLowerLeft, Format::R32G32B32A32_FLOAT},
        {"fragment-face", kFragmentFace, Format::R8G8B8A8_UNORM},
        {"fragment-primitive", kFragmentPrimitive, Format::R8G8B8A8_UNORM}};
    for (const auto& row : rows)
        check_scene(row.name, [&row](SceneKit& kit) {
            kit.size(96, 80);
            kit.add_color(row.format);
            kit.clear(0, 0, 0, 0);
            kit.shaders(kVertexColor, row.shader);
            draw_mesh(kit, perspective_triangles(80, 20, 0.5F));
        });
}

constexpr char kVertexMany[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[9]
DCL OUT[2], GENERIC[3]
DCL OUT[3], COLOR
DCL OUT[4], TEXCOORD[2]
DCL OUT[5], FOG
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MUL OUT[2], IN[1].yzwx, IN[1]
  3: MOV OUT[3], IN[1].wwyy
  4: ADD OUT[4], IN[1], IN[0]
  5: MOV OUT[5], IN[0]
  6: END
)";

constexpr char kFragmentMany[] = R"(FRAG
DCL IN[0], TEXCOORD[2], LINEAR
DCL IN[1], GENERIC[9], CONSTANT
DCL IN[2], GENERIC[3], PERSPECTIVE
DCL IN[3], COLOR, COLOR
DCL IN[4], FOG, PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {     0.2500,     0.0000,     0.0000,     0.0000}
  0: ADD TEMP[0], IN[0], IN[1]
  1: MAD TEMP[0], IN[2], IN[3], TEMP[0]
  2: MAD TEMP[0], IN[4].xxxx, IMM[0].xxxx, TEMP[0]
  3: MOV OUT[0], TEMP[0]
  4: END
)";

TEST_CASE("varyings are linked by name, in any order and mixture of kinds") {
    check_scene("many-varyings", [](SceneKit& kit) {
        kit.size(96, 96);
        kit.add_color(Format::R32G32B32A32_FLOAT);
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexMany, kFragmentMany);
        draw_mesh(kit, perspective_triangles(81, 20, -1));
    });
}

}  // namespace
}  // namespace valkyr::scenes
