// Blend scenes: draw blending, logic operations, write masks, formats, several targets.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;
using raster::BlendFactor;
using raster::BlendFunc;
using raster::BlendTarget;

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

/// Draws random triangles over random triangles, the second layer with this blend state.
void two_layers(SceneKit& kit, Format format, const BlendTarget& target) {
    kit.add_color(format);
    kit.clear(0.25F, 0.5F, 0.75F, 0.4F);
    kit.shaders(kVertexColor, kFragmentColor);
    draw_mesh(kit, random_triangles(50, 12));
    kit.pipeline.blend.targets[0] = target;
    kit.state.blend_color = {0.3F, 0.9F, -0.5F, 0.6F};
    draw_mesh(kit, random_triangles(51, 12));
}

BlendTarget blend(BlendFunc func, BlendFactor src, BlendFactor dst) {
    BlendTarget target;
    target.enable = true;
    target.rgb_func = target.alpha_func = func;
    target.rgb_src = target.alpha_src = src;
    target.rgb_dst = target.alpha_dst = dst;
    return target;
}

std::string format_name(Format format) {
    return std::string(exec::format_info(format).name);
}

/// Formats with different arithmetic: bytes, other unorm, half, float, sRGB.
constexpr Format kBlendFormats[] = {Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UNORM,
                                    Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT,
                                    Format::R8G8B8A8_SRGB};

TEST_CASE("every blend factor as source and as destination") {
    for (const Format format : kBlendFormats)
        for (unsigned f = 0; f <= static_cast<unsigned>(BlendFactor::SrcAlphaSaturate); f++) {
            const auto factor = static_cast<BlendFactor>(f);
            // The factor is source factor of rgb and destination factor of alpha, so that one scene
            // tests both.
            BlendTarget target = blend(BlendFunc::Add, factor, BlendFactor::InvSrcAlpha);
            target.alpha_src = BlendFactor::DstAlpha;
            target.alpha_dst = factor == BlendFactor::SrcAlphaSaturate ? BlendFactor::One : factor;
            check_scene("blend-src-" + std::to_string(f) + "-" + format_name(format),
                        [&](SceneKit& kit) { two_layers(kit, format, target); });
        }
}

TEST_CASE("destination factors of colour") {
    for (unsigned f = 0; f < static_cast<unsigned>(BlendFactor::SrcAlphaSaturate); f++)
        check_scene("blend-dst-" + std::to_string(f), [f](SceneKit& kit) {
            two_layers(kit, Format::R8G8B8A8_UNORM,
                       blend(BlendFunc::Add, BlendFactor::SrcAlpha, static_cast<BlendFactor>(f)));
        });
}

TEST_CASE("every blend equation in every kind of format") {
    for (const Format format : kBlendFormats)
        for (unsigned f = 0; f < 5; f++) {
            BlendTarget target =
                blend(static_cast<BlendFunc>(f), BlendFactor::SrcAlpha, BlendFactor::InvSrcColor);
            target.alpha_func = static_cast<BlendFunc>((f + 1) % 5);
            check_scene("blend-func-" + std::to_string(f) + "-" + format_name(format),
                        [&](SceneKit& kit) { two_layers(kit, format, target); });
        }
}

TEST_CASE("source-over into every renderable format") {
    const Format formats[] = {
        Format::R8_UNORM,       Format::R8G8_UNORM,         Format::R8G8B8X8_UNORM,
        Format::B8G8R8A8_UNORM, Format::B8G8R8X8_UNORM,     Format::B8G8R8A8_SRGB,
        Format::A8R8G8B8_UNORM, Format::R8G8B8A8_SNORM,     Format::R16_UNORM,
        Format::R16G16_UNORM,   Format::R16G16B16A16_UNORM, Format::R16G16B16A16_SNORM,
        Format::R16_FLOAT,      Format::R16G16_FLOAT,       Format::R32_FLOAT,
        Format::R32G32_FLOAT,   Format::B5G6R5_UNORM,       Format::B5G5R5A1_UNORM,
        Format::B4G4R4A4_UNORM, Format::R11G11B10_FLOAT,    Format::B10G10R10A2_UNORM,
        Format::L8_UNORM,       Format::A8_UNORM,           Format::L8A8_UNORM};
    for (const Format format : formats)
        check_scene("over-" + format_name(format), [format](SceneKit& kit) {
            two_layers(kit, format,
                       blend(BlendFunc::Add, BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha));
        });
}

TEST_CASE("every write mask, blended and not") {
    for (uint8_t mask = 0; mask < 16; mask++)
        for (const bool blended : {false, true})
            check_scene("mask-" + std::to_string(mask) + (blended ? "-blended" : ""),
                        [mask, blended](SceneKit& kit) {
                            BlendTarget target = blend(BlendFunc::Add, BlendFactor::SrcAlpha,
                                                       BlendFactor::InvSrcAlpha);
                            target.enable = blended;
                            target.write_mask = mask;
                            two_layers(kit, Format::B8G8R8A8_UNORM, target);
                        });
}

TEST_CASE("every logic operation") {
    for (unsigned op = 0; op < 16; op++)
        check_scene("logic-" + std::to_string(op), [op](SceneKit& kit) {
            kit.add_color();
            kit.clear(0.25F, 0.5F, 0.75F, 0.4F);
            kit.shaders(kVertexColor, kFragmentColor);
            draw_mesh(kit, random_triangles(52, 12));
            kit.pipeline.blend.logic_op_enable = true;
            kit.pipeline.blend.logic_op = static_cast<raster::LogicOp>(op);
            kit.pipeline.blend.targets[0].write_mask = op % 3 == 0 ? 0b1011 : 0b1111;
            draw_mesh(kit, random_triangles(53, 12));
        });
}

TEST_CASE("alpha saturate over translucent layers") {
    check_scene("saturate", [](SceneKit& kit) {
        kit.add_color();
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexColor, kFragmentColor);
        kit.pipeline.blend.targets[0] =
            blend(BlendFunc::Add, BlendFactor::SrcAlphaSaturate, BlendFactor::One);
        draw_mesh(kit, random_triangles(54, 20));
    });
}

constexpr char kFragmentDual[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0].wzyx
  2: END
)";

TEST_CASE("dual-source blending") {
    const BlendFactor factors[] = {BlendFactor::Src1Color, BlendFactor::Src1Alpha,
                                   BlendFactor::InvSrc1Color, BlendFactor::InvSrc1Alpha};
    for (const BlendFactor src : factors)
        for (const Format format : {Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT})
            check_scene("dual-" + std::to_string(static_cast<unsigned>(src)) + "-" +
                            format_name(format),
                        [src, format](SceneKit& kit) {
                            kit.add_color(format);
                            kit.clear(0.2F, 0.4F, 0.6F, 0.8F);
                            kit.shaders(kVertexColor, kFragmentDual);
                            kit.pipeline.blend.targets[0] =
                                blend(BlendFunc::Add, src, BlendFactor::InvSrc1Color);
                            draw_mesh(kit, random_triangles(55, 12));
                        });
}

constexpr char kFragmentThree[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL OUT[2], COLOR[2]
IMM[0] FLT32 {    0.5000,     2.0000,    -1.0000,     0.2500}
  0: MOV OUT[0], IN[0]
  1: MUL OUT[1], IN[0].yzwx, IMM[0].yyxx
  2: MUL OUT[2], IN[0].zwxy, IMM[0].zzww
  3: END
)";

TEST_CASE("several targets: formats, gaps, independent blending") {
    const auto three = [](SceneKit& kit, bool independent) {
        kit.add_color(Format::R8G8B8A8_UNORM);
        kit.add_color(Format::R16G16B16A16_FLOAT);
        kit.add_color(Format::B5G6R5_UNORM);
        kit.clear(0.2F, 0.4F, 0.6F, 0.8F);
        kit.shaders(kVertexColor, kFragmentThree);
        kit.pipeline.blend.independent = independent;
        auto& targets = kit.pipeline.blend.targets;
        targets[0] = blend(BlendFunc::Add, BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha);
        targets[1].write_mask = 0b0101;
        targets[2] = blend(BlendFunc::ReverseSubtract, BlendFactor::One, BlendFactor::One);
        draw_mesh(kit, random_triangles(56, 16));
    };
    check_scene("three-targets", [&](SceneKit& kit) { three(kit, false); });
    check_scene("three-targets-independent", [&](SceneKit& kit) { three(kit, true); });
    check_scene("targets-with-a-gap", [](SceneKit& kit) {
        kit.add_color();
        kit.state.framebuffer.color.push_back({});
        kit.add_color();
        kit.clear(0, 0, 0, 1);
        kit.shaders(kVertexColor, kFragmentThree);
        draw_mesh(kit, random_triangles(57, 16));
    });
}

constexpr char kFragmentAll[] = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

TEST_CASE("colour 0 goes to all targets if the shader says so, else to the first") {
    for (const char* shader : {kFragmentAll, kFragmentColor})
        check_scene(shader == kFragmentAll ? "color0-to-all" : "color0-to-first",
                    [shader](SceneKit& kit) {
                        kit.add_color(Format::R8G8B8A8_UNORM);
                        kit.add_color(Format::R8G8_UNORM);
                        kit.clear(0.5F, 0.5F, 0.5F, 0.5F);
                        kit.shaders(kVertexColor, shader);
                        draw_mesh(kit, random_triangles(58, 10));
                    });
}

constexpr char kFragmentInteger[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {   300.0000,  1000.0000,   -40.0000, 70000.0000}
  0: MUL TEMP[0], IN[0], IMM[0]
  1: F2I OUT[0], TEMP[0]
  2: END
)";

TEST_CASE("integer targets take the words, clamped to their channels") {
    for (const Format format : {Format::R8G8B8A8_SINT, Format::R16G16B16A16_SINT,
                                Format::R32G32B32A32_SINT, Format::R32_SINT})
        check_scene("integer-" + format_name(format), [format](SceneKit& kit) {
            kit.add_color(format);
            kit.clear_words({5, 6, 7, 8});
            kit.shaders(kVertexColor, kFragmentInteger);
            draw_mesh(kit, random_triangles(59, 10));
        });
}

constexpr char kFragmentSpecial[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {     0.5000,     0.0000,     1.0000,    -1.0000}
  0: ADD TEMP[0], IN[0], -IMM[0].xxxx
  1: MUL TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy
  2: RCP TEMP[0].x, TEMP[0].yyyy
  3: MUL TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy
  4: MOV OUT[0].xyz, TEMP[0]
  5: MOV OUT[0].w, IN[0].xxxx
  6: END
)";

TEST_CASE("infinities and NaN through every kind of format") {
    for (const Format format : kBlendFormats)
        check_scene("special-" + format_name(format), [format](SceneKit& kit) {
            kit.add_color(format);
            kit.clear(0.2F, 0.4F, 0.6F, 0.8F);
            kit.shaders(kVertexColor, kFragmentSpecial);
            draw_mesh(kit, random_triangles(60, 8));
            kit.pipeline.blend.targets[0] =
                blend(BlendFunc::Add, BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha);
            draw_mesh(kit, random_triangles(61, 8));
        });
}

}  // namespace
}  // namespace valkyr::scenes
