// Coverage scenes: draw triangles of all sizes, primitive types, indices and scissor rectangles.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <cmath>
#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using raster::BlendFactor;
using raster::CullFace;
using raster::Primitive;

/// A cleared 96x96 target and shaders with vertex colours.
void begin(SceneKit& kit) {
    kit.size(96, 96);
    kit.add_color();
    kit.clear(0.1F, 0.2F, 0.3F, 1);
    kit.shaders(kVertexColor, kFragmentColor);
}

/// Every hit adds 8/255 to a pixel, so that double hits and gaps show.
void count_hits(SceneKit& kit) {
    kit.clear(0, 0, 0, 0);
    raster::BlendTarget& target = kit.pipeline.blend.targets[0];
    target.enable = true;
    target.rgb_dst = target.alpha_dst = BlendFactor::One;
}

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

TEST_CASE("one triangle with a colour at each corner") {
    check_scene("triangle", [](SceneKit& kit) {
        begin(kit);
        Mesh mesh;
        mesh.add({-0.8F, -0.7F, 0, 1}, {1, 0, 0, 1});
        mesh.add({0.9F, -0.3F, 0, 1}, {0, 1, 0, 1});
        mesh.add({-0.1F, 0.85F, 0, 1}, {0, 0, 1, 1});
        draw_mesh(kit, mesh);
    });
}

TEST_CASE("triangles of every size are drawn in order") {
    check_scene("random-triangles", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, random_triangles(1, 60));
    });
    check_scene("small-triangles", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, small_triangles(2, 600, 0.08F));
    });
    check_scene("tiny-triangles", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, small_triangles(3, 2000, 0.012F));
    });
    check_scene("huge-triangles", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, random_triangles(4, 12, 150));
    });
    check_scene("guard-band-triangles", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, random_triangles(5, 12, 3000));
    });
}

TEST_CASE("slivers") {
    check_scene("slivers", [](SceneKit& kit) {
        begin(kit);
        Random random(6);
        Mesh mesh;
        for (int i = 0; i < 150; i++) {
            const float x = random.between(-1, 1), y = random.between(-1, 1);
            const float dx = random.between(-1, 1), dy = random.between(-1, 1);
            const Float4 color = random.color();
            mesh.add({x, y, 0, 1}, color);
            mesh.add({x + dx, y + dy, 0, 1}, color);
            mesh.add({x + dx + random.between(-0.01F, 0.01F), y + dy, 0, 1}, color);
        }
        draw_mesh(kit, mesh);
    });
}

TEST_CASE("a mesh leaves no gap and hits no pixel twice") {
    for (const bool bottom : {false, true})
        check_scene(bottom ? "mesh-bottom-rule" : "mesh-top-rule", [bottom](SceneKit& kit) {
            begin(kit);
            count_hits(kit);
            kit.pipeline.rasterizer.bottom_edge_rule = bottom;
            // A 12x12 grid with jittered inner vertices; half of them lie on pixel centres.
            Random random(7);
            constexpr uint32_t kCells = 12;
            std::vector<Float4> grid;
            for (uint32_t i = 0; i < (kCells + 1) * (kCells + 1); i++) {
                const uint32_t col = i % (kCells + 1), row = i / (kCells + 1);
                const bool inner = col % kCells != 0 && row % kCells != 0;
                const float shake = inner ? 1.0F : 0.0F;
                float x = static_cast<float>(col) * 8 + shake * random.between(-3, 3);
                float y = static_cast<float>(row) * 8 + shake * random.between(-3, 3);
                if (inner && random.below(2) == 0) {
                    x = std::floor(x) + 0.5F;
                    y = std::floor(y) + 0.5F;
                }
                grid.push_back({x / 48 - 1, y / 48 - 1, 0, 1});
            }
            Mesh mesh;
            const Float4 step{8.0F / 255, 8.0F / 255, 8.0F / 255, 8.0F / 255};
            for (uint32_t row = 0; row < kCells; row++)
                for (uint32_t col = 0; col < kCells; col++) {
                    const uint32_t at = row * (kCells + 1) + col;
                    const uint32_t q[4] = {at, at + 1, at + kCells + 2, at + kCells + 1};
                    for (const unsigned i : {0U, 1U, 2U, 0U, 2U, 3U})
                        mesh.add(grid[q[i]], step);
                }
            draw_mesh(kit, mesh);
        });
}

TEST_CASE("face culling by winding") {
    const struct {
        const char* name;
        CullFace cull;
        bool front_ccw;
    } rows[] = {{"cull-none", CullFace::None, true},
                {"cull-back", CullFace::Back, true},
                {"cull-front", CullFace::Front, true},
                {"cull-back-cw", CullFace::Back, false},
                {"cull-both", CullFace::FrontAndBack, true}};
    for (const auto& row : rows)
        check_scene(row.name, [&row](SceneKit& kit) {
            begin(kit);
            kit.pipeline.rasterizer.cull = row.cull;
            kit.pipeline.rasterizer.front_ccw = row.front_ccw;
            draw_mesh(kit, random_triangles(8, 12));
        });
}

TEST_CASE("primitives made of triangles") {
    const struct {
        const char* name;
        Primitive primitive;
    } rows[] = {{"strip", Primitive::TriangleStrip},
                {"fan", Primitive::TriangleFan},
                {"quads", Primitive::Quads},
                {"quad-strip", Primitive::QuadStrip},
                {"polygon", Primitive::Polygon},
                {"triangles-adjacency", Primitive::TrianglesAdjacency},
                {"strip-adjacency", Primitive::TriangleStripAdjacency}};
    for (const auto& row : rows)
        for (const bool first : {false, true})
            check_scene(row.name + std::string(first ? "-first" : "-last"),
                        [&row, first](SceneKit& kit) {
                            begin(kit);
                            kit.shaders(kVertexShadeColor, kFragmentShadeColor);
                            kit.pipeline.primitive = row.primitive;
                            kit.pipeline.rasterizer.flat_shade = true;
                            kit.pipeline.rasterizer.flat_shade_first = first;
                            draw_mesh(kit, random_triangles(9, 4));
                        });
}

template <typename Index>
void draw_indexed(SceneKit& kit, raster::DrawInfo info) {
    begin(kit);
    const Mesh mesh = random_triangles(10, 20);
    kit.vertices(mesh.data(), {4, 4});
    Random random(11);
    std::vector<Index> indices;
    for (int i = 0; i < 40; i++)
        indices.push_back(static_cast<Index>(random.below(40)));
    indices[13] = indices[27] = static_cast<Index>(~0U);
    kit.indices(indices);
    kit.draw(info);
}

TEST_CASE("index types, base vertex, first index and restart") {
    raster::DrawInfo info;
    info.first = 2;
    info.count = 38;
    info.base_vertex = 15;
    info.primitive_restart = true;
    const auto with_restart = [&](uint32_t index) {
        raster::DrawInfo i = info;
        i.restart_index = index;
        return i;
    };
    check_scene("index-u8", [&](SceneKit& kit) { draw_indexed<uint8_t>(kit, with_restart(0xFF)); });
    check_scene("index-u16",
                [&](SceneKit& kit) { draw_indexed<uint16_t>(kit, with_restart(0xFFFF)); });
    check_scene("index-u32",
                [&](SceneKit& kit) { draw_indexed<uint32_t>(kit, with_restart(0xFFFFFFFF)); });
    check_scene("index-strip-restart", [&](SceneKit& kit) {
        kit.pipeline.primitive = Primitive::TriangleStrip;
        draw_indexed<uint16_t>(kit, with_restart(0xFFFF));
    });
    check_scene("index-fan-restart", [&](SceneKit& kit) {
        kit.pipeline.primitive = Primitive::TriangleFan;
        draw_indexed<uint8_t>(kit, with_restart(0xFF));
    });
}

constexpr char kVertexInstanced[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL SV[0], INSTANCEID
DCL SV[1], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL TEMP[0..1]
IMM[0] FLT32 {    0.1000,     0.0625,     0.0000,     1.0000}
  0: U2F TEMP[0].x, SV[0].xxxx
  1: U2F TEMP[0].y, SV[1].xxxx
  2: MUL TEMP[0].xy, TEMP[0], IMM[0]
  3: MOV TEMP[1], IN[0]
  4: ADD TEMP[1].xy, IN[0], IN[2]
  5: MOV OUT[0], TEMP[1]
  6: MOV OUT[1].xy, TEMP[0]
  7: MOV OUT[1].zw, IN[1]
  8: END
)";

TEST_CASE("instances with divisors 1 and 2 and a first instance") {
    for (const uint32_t divisor : {1U, 2U})
        check_scene("instances-" + std::to_string(divisor), [divisor](SceneKit& kit) {
            begin(kit);
            kit.shaders(kVertexInstanced, kFragmentColor);
            Mesh mesh;
            mesh.rectangle(-0.1F, -0.1F, 0.1F, 0.1F, 0, {0, 0, 0.5F, 1});
            kit.vertices(mesh.data(), {4, 4});
            Random random(12);
            std::vector<float> places;
            for (int i = 0; i < 24; i++)
                places.push_back(random.between(-0.9F, 0.9F));
            kit.pipeline.elements.push_back({1, 0, divisor, exec::Format::R32G32_FLOAT});
            kit.pipeline.strides.push_back(8);
            kit.state.vertex_buffers.push_back({kit.buffer(places)});
            raster::DrawInfo info;
            info.count = 6;
            info.first_instance = 2;
            info.instance_count = 8;
            kit.draw(info);
        });
}

TEST_CASE("scissor and viewport rectangles") {
    check_scene("scissor", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.rasterizer.scissor = true;
        kit.state.scissor = {13, 7, 61, 90};
        draw_mesh(kit, random_triangles(13, 20));
    });
    check_scene("scissor-beyond-the-target", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.rasterizer.scissor = true;
        kit.state.scissor = {-50, 40, 500, 1000};
        draw_mesh(kit, random_triangles(13, 20));
    });
    check_scene("viewport-offset", [](SceneKit& kit) {
        begin(kit);
        kit.state.viewport = viewport_over(20.25F, 10.75F, 70.5F, 80.125F);
        draw_mesh(kit, random_triangles(14, 20, 2));
    });
    check_scene("viewport-flipped", [](SceneKit& kit) {
        begin(kit);
        kit.state.viewport = viewport_over(10, 90, 80, 5);
        kit.pipeline.rasterizer.cull = CullFace::Back;
        draw_mesh(kit, random_triangles(14, 20, 2));
    });
    check_scene("viewport-beyond-the-target", [](SceneKit& kit) {
        begin(kit);
        kit.state.viewport = viewport_over(-60, -30, 140, 200);
        draw_mesh(kit, random_triangles(15, 20));
    });
    check_scene("integer-pixel-centers", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.rasterizer.half_pixel_center = false;
        draw_mesh(kit, random_triangles(16, 20));
    });
}

TEST_CASE("targets whose size is no multiple of a tile or block") {
    check_scene("odd-size", [](SceneKit& kit) {
        kit.size(83, 71);
        kit.add_color();
        kit.clear(0.5F, 0.5F, 0.5F, 1);
        kit.shaders(kVertexColor, kFragmentColor);
        draw_mesh(kit, random_triangles(17, 30));
    });
    check_scene("one-pixel", [](SceneKit& kit) {
        kit.size(1, 1);
        kit.add_color();
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexColor, kFragmentColor);
        draw_mesh(kit, random_triangles(18, 10));
    });
}

TEST_CASE("degenerate input: no area, not a number, infinite") {
    check_scene("degenerate", [](SceneKit& kit) {
        begin(kit);
        const float nan = std::nanf(""), infinite = INFINITY;
        Mesh mesh = random_triangles(19, 6);
        const Float4 red{1, 0, 0, 1};
        for (const float bad : {nan, infinite, -infinite})
            for (size_t component = 0; component < 4; component++) {
                Float4 p{0.2F, -0.5F, 0, 1};
                p[component] = bad;
                mesh.add(p, red).add({0.5F, 0.5F, 0, 1}, red).add({-0.5F, 0.5F, 0, 1}, red);
            }
        mesh.add({0, 0, 0, 1}, red).add({0.5F, 0.5F, 0, 1}, red).add({1, 1, 0, 1}, red);
        mesh.add({0, 0, 0, 0}, red).add({0, 0, 0, 0}, red).add({0, 0, 0, 0}, red);
        mesh.add({0, 0, 0, 0}, red).add({1, 0, 0, 1}, red).add({0, 1, 0, 1}, red);
        draw_mesh(kit, mesh);
    });
}

}  // namespace
}  // namespace valkyr::scenes
