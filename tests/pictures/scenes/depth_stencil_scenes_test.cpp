// Depth stencil scenes: draw with formats, functions, operations, clamps, offsets, early tests.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;
using raster::CompareFunc;
using raster::StencilOp;

/// A cleared 96x96 colour and depth target, depth test Less and writing.
void begin(SceneKit& kit, Format depth = Format::D24_UNORM_S8_UINT, float clear_depth = 1) {
    kit.size(96, 96);
    kit.add_color();
    kit.add_depth(depth);
    kit.clear(0.1F, 0.2F, 0.3F, 1, clear_depth, 3);
    kit.shaders(kVertexColor, kFragmentColor);
    kit.pipeline.depth_stencil.depth_test = true;
    kit.pipeline.depth_stencil.depth_write = true;
}

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

constexpr Format kDepthFormats[] = {Format::D16_UNORM, Format::D24_UNORM_S8_UINT,
                                    Format::D24_UNORM_X8_UINT, Format::D32_FLOAT,
                                    Format::D32_FLOAT_S8X24_UINT};

std::string format_name(Format format) {
    return std::string(exec::format_info(format).name);
}

TEST_CASE("intersecting triangles in every depth format") {
    for (const Format format : kDepthFormats)
        check_scene("depth-" + format_name(format), [format](SceneKit& kit) {
            begin(kit, format);
            draw_mesh(kit, random_triangles(20, 40));
        });
}

TEST_CASE("every depth function, after an image with Less") {
    for (unsigned func = 0; func < 8; func++)
        check_scene("depth-func-" + std::to_string(func), [func](SceneKit& kit) {
            begin(kit);
            const Mesh mesh = random_triangles(21, 20);
            draw_mesh(kit, mesh);
            kit.pipeline.depth_stencil.depth_func = static_cast<CompareFunc>(func);
            draw_mesh(kit, mesh);                      // equal depths
            draw_mesh(kit, random_triangles(22, 20));  // other depths
        });
}

TEST_CASE("depth test without writing, writing without test") {
    check_scene("depth-read-only", [](SceneKit& kit) {
        begin(kit);
        draw_mesh(kit, random_triangles(23, 10));
        kit.pipeline.depth_stencil.depth_write = false;
        draw_mesh(kit, random_triangles(24, 20));
    });
    check_scene("depth-no-test", [](SceneKit& kit) {
        begin(kit);
        kit.pipeline.depth_stencil.depth_test = false;
        draw_mesh(kit, random_triangles(23, 10));
    });
}

TEST_CASE("many layers of small and large triangles: what hierarchical depth must not change") {
    check_scene("depth-layers", [](SceneKit& kit) {
        begin(kit, Format::D32_FLOAT);
        draw_mesh(kit, random_triangles(25, 40));
        draw_mesh(kit, small_triangles(26, 400, 0.1F));
        kit.pipeline.depth_stencil.depth_func = CompareFunc::LessEqual;
        draw_mesh(kit, random_triangles(27, 40));
        kit.pipeline.depth_stencil.depth_func = CompareFunc::Greater;
        draw_mesh(kit, random_triangles(28, 40));
        kit.pipeline.depth_stencil.depth_func = CompareFunc::Less;
        draw_mesh(kit, small_triangles(29, 400, 0.1F));
    });
}

TEST_CASE("a coplanar second pass with Equal hits exactly the same pixels") {
    check_scene("depth-equal-pass", [](SceneKit& kit) {
        begin(kit);
        const Mesh mesh = random_triangles(30, 20);
        draw_mesh(kit, mesh);
        kit.pipeline.depth_stencil.depth_func = CompareFunc::Equal;
        kit.pipeline.blend.targets[0].enable = true;
        kit.pipeline.blend.targets[0].rgb_dst = raster::BlendFactor::One;
        draw_mesh(kit, mesh);
    });
}

TEST_CASE("clip z from -w to w and from 0 to w; depth clamp instead of clipping") {
    for (const bool halfz : {false, true})
        for (const bool clamp : {false, true})
            check_scene(std::string(halfz ? "halfz" : "fullz") + (clamp ? "-clamp" : "-clip"),
                        [halfz, clamp](SceneKit& kit) {
                            begin(kit);
                            kit.pipeline.rasterizer.clip_halfz = halfz;
                            kit.pipeline.rasterizer.depth_clip = !clamp;
                            kit.state.viewport = viewport_over(0, 0, 96, 96, 0.25F, 0.75F, halfz);
                            Random random(31);
                            Mesh mesh;
                            for (int i = 0; i < 60; i++)
                                mesh.add({random.between(-1, 1), random.between(-1, 1),
                                          random.between(-2.5F, 2.5F), random.between(0.5F, 2)},
                                         random.color());
                            draw_mesh(kit, mesh);
                        });
}

TEST_CASE("an inverted depth range") {
    check_scene("depth-reversed", [](SceneKit& kit) {
        begin(kit, Format::D32_FLOAT, 0);
        kit.state.viewport = viewport_over(0, 0, 96, 96, 1, 0);
        kit.pipeline.depth_stencil.depth_func = CompareFunc::Greater;
        draw_mesh(kit, random_triangles(32, 30));
    });
}

TEST_CASE("polygon offset by slope, by units, and clamped") {
    const struct {
        const char* name;
        float units, scale, clamp;
    } rows[] = {{"offset-units", 4000, 0, 0},
                {"offset-slope", 0, 1.5F, 0},
                {"offset-negative", -700, -1, 0},
                {"offset-clamped", 1e6F, 2, 0.01F},
                {"offset-clamped-below", -1e6F, -2, -0.02F}};
    for (const auto& row : rows)
        for (const Format format : {Format::D16_UNORM, Format::D32_FLOAT})
            check_scene(row.name + ("-" + format_name(format)), [&row, format](SceneKit& kit) {
                begin(kit, format);
                const Mesh mesh = random_triangles(33, 12);
                draw_mesh(kit, mesh);
                kit.pipeline.rasterizer.offset_fill = true;
                kit.pipeline.rasterizer.offset_units = row.units;
                kit.pipeline.rasterizer.offset_scale = row.scale;
                kit.pipeline.rasterizer.offset_clamp = row.clamp;
                draw_mesh(kit, random_triangles(34, 12));
            });
}

/// Fills the stencil buffer with a pattern of small values.
void stencil_pattern(SceneKit& kit) {
    raster::DepthStencilState& state = kit.pipeline.depth_stencil;
    state.depth_test = false;
    state.stencil[0] = {
        true, CompareFunc::Always, StencilOp::Keep, StencilOp::Keep, StencilOp::IncrementWrap, 0xFF,
        0xFF};
    draw_mesh(kit, random_triangles(35, 12));
    state.depth_test = true;
}

TEST_CASE("every stencil function") {
    for (unsigned func = 0; func < 8; func++)
        check_scene("stencil-func-" + std::to_string(func), [func](SceneKit& kit) {
            begin(kit);
            stencil_pattern(kit);
            kit.state.stencil_reference = {5, 0};
            kit.pipeline.depth_stencil.stencil[0] = {true,
                                                     static_cast<CompareFunc>(func),
                                                     StencilOp::Zero,
                                                     StencilOp::Keep,
                                                     StencilOp::Replace,
                                                     0x0F,
                                                     0xFF};
            draw_mesh(kit, random_triangles(36, 10));
        });
}

TEST_CASE("every stencil operation in each of its three places, with a write mask") {
    for (unsigned op = 0; op < 8; op++)
        for (unsigned place = 0; place < 3; place++)
            check_scene("stencil-op-" + std::to_string(op) + "-" + std::to_string(place),
                        [op, place](SceneKit& kit) {
                            begin(kit, Format::D32_FLOAT_S8X24_UINT);
                            stencil_pattern(kit);
                            kit.state.stencil_reference = {4, 4};
                            raster::StencilFace face;
                            face.enable = true;
                            face.func = place == 0 ? CompareFunc::Equal : CompareFunc::LessEqual;
                            face.fail = face.depth_fail = face.pass = StencilOp::Keep;
                            (place == 0   ? face.fail
                             : place == 1 ? face.depth_fail
                                          : face.pass) = static_cast<StencilOp>(op);
                            face.write_mask = op % 2 == 0 ? 0xFF : 0x36;
                            kit.pipeline.depth_stencil.stencil[0] = face;
                            draw_mesh(kit, random_triangles(37, 6));
                            draw_mesh(kit, random_triangles(38, 6));
                        });
}

TEST_CASE("two-sided stencil, and a stencil buffer alone") {
    const auto two_sided = [](SceneKit& kit) {
        raster::DepthStencilState& state = kit.pipeline.depth_stencil;
        state.stencil[0] = {true,
                            CompareFunc::Always,
                            StencilOp::Keep,
                            StencilOp::DecrementWrap,
                            StencilOp::IncrementWrap,
                            0xFF,
                            0xFF};
        state.stencil[1] = {true,
                            CompareFunc::NotEqual,
                            StencilOp::Invert,
                            StencilOp::IncrementWrap,
                            StencilOp::Replace,
                            0x3F,
                            0x7F};
        kit.state.stencil_reference = {1, 200};
        draw_mesh(kit, random_triangles(39, 30));
    };
    check_scene("stencil-two-sided", [&](SceneKit& kit) {
        begin(kit);
        two_sided(kit);
    });
    check_scene("stencil-s8", [&](SceneKit& kit) {
        begin(kit, Format::S8_UINT);
        two_sided(kit);
    });
    check_scene("stencil-s8-d24", [&](SceneKit& kit) {
        begin(kit, Format::S8_UINT_D24_UNORM);
        two_sided(kit);
    });
}

constexpr char kFragmentDepth[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], POSITION
  0: MOV OUT[0], IN[0]
  1: ADD OUT[1].z, IN[0].xxxx, -IN[0].yyyy
  2: END
)";

constexpr char kFragmentDiscard[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {    0.5000,     0.0000,     0.0000,     0.0000}
  0: ADD TEMP[0], IN[0], -IMM[0].xxxx
  1: KILL_IF TEMP[0].xxxx
  2: MOV OUT[0], IN[0]
  3: END
)";

constexpr char kFragmentEarly[] = R"(FRAG
PROPERTY FS_EARLY_DEPTH_STENCIL 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {    0.5000,     0.0000,     0.0000,     0.0000}
  0: ADD TEMP[0], IN[0], -IMM[0].xxxx
  1: KILL_IF TEMP[0].xxxx
  2: MOV OUT[0], IN[0]
  3: END
)";

TEST_CASE("shaders that write depth, discard, or ask for early tests") {
    const struct {
        const char* name;
        const char* shader;
    } rows[] = {{"shader-depth", kFragmentDepth},
                {"shader-discard", kFragmentDiscard},
                {"shader-early", kFragmentEarly}};
    for (const auto& row : rows)
        check_scene(row.name, [&row](SceneKit& kit) {
            begin(kit);
            raster::StencilFace& face = kit.pipeline.depth_stencil.stencil[0];
            face.enable = true;
            face.depth_fail = StencilOp::Invert;
            face.pass = StencilOp::IncrementWrap;
            kit.shaders(kVertexColor, row.shader);
            draw_mesh(kit, random_triangles(40, 30));
        });
}

TEST_CASE("alpha test: every function, with depth and stencil behind it") {
    for (unsigned func = 0; func < 8; func++)
        check_scene("alpha-func-" + std::to_string(func), [func](SceneKit& kit) {
            begin(kit);
            kit.pipeline.depth_stencil.stencil[0].enable = true;
            kit.pipeline.depth_stencil.stencil[0].pass = StencilOp::IncrementClamp;
            kit.pipeline.depth_stencil.alpha_test = true;
            kit.pipeline.depth_stencil.alpha_func = static_cast<CompareFunc>(func);
            kit.state.alpha_reference = 0.5F;
            Mesh mesh = random_triangles(41, 10);
            mesh.rectangle(-0.5F, -0.5F, 0.5F, 0.5F, -0.2F, {1, 1, 1, 0.5F});  // equal
            draw_mesh(kit, mesh);
        });
}

TEST_CASE("depth alone: no fragment shader and no colour target") {
    check_scene("depth-only", [](SceneKit& kit) {
        kit.size(96, 96);
        kit.add_depth(Format::D32_FLOAT);
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexColor, "");
        kit.pipeline.depth_stencil.depth_test = true;
        kit.pipeline.depth_stencil.depth_write = true;
        draw_mesh(kit, random_triangles(42, 30));
    });
}

}  // namespace
}  // namespace valkyr::scenes
