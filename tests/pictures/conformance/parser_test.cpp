// Parser test: checks parsed scenes, places of errors, and hostile scene files.
// SPDX-License-Identifier: MIT
#include "app/conform/parser.hpp"

#include <doctest/doctest.h>
#include <random>

namespace valkyr::conform {
namespace {

Result<std::string> no_files(const std::string& path) {
    return Error{Errc::System, {}, path + ": not there"};
}

ParsedCase parse(std::string_view text) {
    return parse_case(text, no_files);
}

constexpr char kTriangle[] = R"(title A triangle
size 8x4
color R8G8B8A8_UNORM   # the only target
vertex_shader {
VERT
DCL IN[0]
DCL OUT[0], POSITION
  0: MOV OUT[0], IN[0]
  1: END
}
vertices 4 f32 {
  -1 -1 0 1   # a comment
  3 -1 0 1  -1 3 0 1
}
set raster.cull back
set blend.rgb add src_alpha one
clear color 0 0.5 1 1
draw 3 instances=2
)";

// Regression: the name once stayed, with an index behind the end of the list.
TEST_CASE("a texture that was refused has no name") {
    const ParsedCase parsed = parse("title A\ncolor R8G8B8A8_UNORM none\nsize 4x4\n"
                                    "texture t 2D R8G8B8A8_UNORM 4x4 levels=77\nshow t\n"
                                    "depth R8G8_NONE\nshow depth\nbind 0 depth\n");
    REQUIRE(parsed.errors.size() >= 4);
    CHECK(parsed.errors[2].text == "there is no texture 't'");
}

TEST_CASE("a shader without a name asks for no file") {
    const ParsedCase parsed =
        parse_case("title A\nvertex_shader\n", [](const std::string& path) -> Result<std::string> {
            FAIL("asks for '" << path << "'");
            return path;
        });
    CHECK(parsed.errors.at(0).text == "shader file or block is missing");
}

TEST_CASE("a scene gives its resources and commands in order") {
    const ParsedCase parsed = parse(kTriangle);
    REQUIRE(parsed.ok());
    const Case& scene = parsed.scene;
    CHECK(scene.title == "A triangle");
    CHECK(scene.textures.size() == 1);
    CHECK(scene.textures[0].desc.width == 8);
    CHECK(scene.textures[0].desc.height == 4);
    CHECK(scene.buffers.at(0).size() == 12 * 4);
    REQUIRE(scene.commands.size() == 2);
    CHECK(std::get<std::shared_ptr<const ClearCommand>>(scene.commands[0].what)->info.color[0][1] ==
          0x3F000000);
    const auto& draw = *std::get<std::shared_ptr<const DrawCommand>>(scene.commands[1].what);
    CHECK(draw.info.count == 3);
    CHECK(draw.info.instance_count == 2);
    CHECK(draw.pipeline.rasterizer.cull == raster::CullFace::Back);
    CHECK(draw.pipeline.blend.targets[0].rgb_src == raster::BlendFactor::SrcAlpha);
    CHECK(draw.pipeline.elements.at(0).format == exec::Format::R32G32B32A32_FLOAT);
    CHECK(scene.commands[1].pos == SourcePos{18, 1});
    CHECK(scene.show.size() == 1);
}

TEST_CASE("state that is set after a draw is not that draw's") {
    const ParsedCase parsed = parse(std::string(kTriangle) + "set raster.cull none\ndraw 3\n");
    REQUIRE(parsed.ok());
    CHECK(std::get<std::shared_ptr<const DrawCommand>>(parsed.scene.commands[1].what)
              ->pipeline.rasterizer.cull == raster::CullFace::Back);
    CHECK(std::get<std::shared_ptr<const DrawCommand>>(parsed.scene.commands[2].what)
              ->pipeline.rasterizer.cull == raster::CullFace::None);
}

TEST_CASE("buffers, images, viewports and surfaces are bound by their names") {
    const ParsedCase parsed = parse(std::string(kTriangle) + R"(buffer words u32 {
  1 2 3
}
texture storage 2d_array R8G8B8A8_UNORM 8x4 target layers=4
image 2 storage kind=2d layers=1,1
image 0 buffer words R32_UINT offset=4
vertex_storage 1 words size=8
counters 0 words
bind_buffer 3 words R32_UINT
viewport_at 2 0 0 4 4
scissor_at 0 1 2 3 4
framebuffer storage:0:1+3@R8G8B8A8_SRGB
set raster.line_stipple 0x00FF 3
draw 3
)");
    REQUIRE(parsed.ok());
    const auto& draw = *std::get<std::shared_ptr<const DrawCommand>>(parsed.scene.commands[2].what);
    CHECK(draw.stage(DrawStage::Fragment).images.at(2).texture == 1);
    CHECK(draw.stage(DrawStage::Fragment).images.at(2).view.first_layer == 1);
    CHECK(draw.stage(DrawStage::Fragment).images.at(0).buffer.offset == 4);
    CHECK(draw.stage(DrawStage::Vertex).storage.at(1).size == 8);
    CHECK(draw.stage(DrawStage::Fragment).counters.at(0).buffer ==
          draw.stage(DrawStage::Fragment).images.at(0).buffer.buffer);
    CHECK(draw.stage(DrawStage::Fragment).textures.at(3).view.format == exec::Format::R32_UINT);
    CHECK(draw.state.viewport_array.size() == 3);
    CHECK(draw.state.scissor_array.at(0) == raster::Rect{1, 2, 3, 4});
    const SurfaceName& surface = draw.framebuffer.color.at(0);
    CHECK(surface.layer == 1);
    CHECK(surface.layer_count == 3);
    CHECK(surface.format == exec::Format::R8G8B8A8_SRGB);
    CHECK(draw.pipeline.rasterizer.line_stipple_factor == 3);
    for (const char* line : {"image 0 nothing", "storage 0 nothing", "storage 99 words",
                             "viewport_at 16 0 0 1 1", "polygon_stipple {\n1 2\n}",
                             "framebuffer color0@NO_FORMAT", "set raster.line_stipple 0x10000"})
        CHECK(!parse(std::string(kTriangle) + line + "\ndraw 3\n").ok());
}

TEST_CASE("draws of patches keep both shaders, their bindings, levels and the size of a patch") {
    const ParsedCase parsed = parse_case(
        std::string(kTriangle) +
            "tess_control_shader a.tgsi\ntess_evaluation_shader b.tgsi\n"
            "tess_control_constants f32 {\n2 0 0 0\n}\ntexture t 2d R8_UNORM 4x4\n"
            "tess_evaluation_bind 1 t\nset primitive patches\nset outer_levels 1 2 nan 4\n"
            "set inner_levels 5 6\ndraw 8 patch=4\n",
        [](const std::string& path) -> Result<std::string> { return path; });
    REQUIRE(parsed.ok());
    const auto& draw = *std::get<std::shared_ptr<const DrawCommand>>(parsed.scene.commands[2].what);
    CHECK(parsed.scene.shaders.at(draw.stage(DrawStage::TessControl).shader).file == "a.tgsi");
    CHECK(parsed.scene.shaders.at(draw.stage(DrawStage::TessEvaluation).shader).file == "b.tgsi");
    CHECK(draw.stage(DrawStage::TessControl).constants.at(0).at(0) == 0x40000000);
    CHECK(draw.stage(DrawStage::TessEvaluation).textures.at(1).texture == 1);
    CHECK(draw.state.outer_levels[3] == 4);
    CHECK(draw.state.inner_levels[1] == 6);
    CHECK(draw.info.patch_vertices == 4);
    for (const char* line :
         {"draw 3 patch=0", "draw 3 patch=33", "shader a.tgsi", "fragment_bind 0 color0"})
        CHECK(!parse(std::string(kTriangle) + line + "\n").ok());
}

TEST_CASE("draws capture into streams, and read vertices of buffers that have names") {
    const ParsedCase parsed = parse(std::string(kTriangle) + R"(buffer words zeros 64
stream 2 words 12 offset=8 size=40
capture 2 0 first=1 components=2 offset=4 stream=3
capture 2 1
draw 3
stream none
vertex_buffer 0 16 buffer=words offset=4
draw 4
)");
    REQUIRE(parsed.ok());
    const auto draw_at = [&](size_t command) -> const DrawCommand& {
        return *std::get<std::shared_ptr<const DrawCommand>>(parsed.scene.commands[command].what);
    };
    const DrawCommand& captures = draw_at(2);
    REQUIRE(captures.stream_targets == std::vector<Index>{kNone, kNone, 0});
    CHECK(parsed.scene.streams.at(0).buffer == 1);
    CHECK(parsed.scene.streams.at(0).offset == 8);
    CHECK(parsed.scene.streams.at(0).size == 40);
    CHECK(captures.pipeline.stream_output.stride_words[2] == 3);
    CHECK(captures.pipeline.stream_output.elements ==
          std::vector<raster::StreamOutputElement>{{0, 1, 2, 2, 1, 3}, {1, 0, 4, 2, 0, 0}});
    const DrawCommand& reads = draw_at(3);
    CHECK(reads.stream_targets.empty());
    CHECK(reads.pipeline.stream_output.elements.empty());
    CHECK(reads.vertex_buffers.at(0).buffer == 1);
    CHECK(reads.vertex_buffers.at(0).offset == 4);
    for (const char* line :
         {"stream 4 words 4", "stream 0 nothing 4", "stream 0 words 6", "capture 0 0 offset=2",
          "capture 0 0 first=2 components=3", "capture 0 0 stream=4", "capture 0 99",
          "vertex_buffer 0 16 buffer=nothing", "vertex_buffer 0 16 buffer=words size=3"})
        CHECK(
            !parse(std::string(kTriangle) + "buffer words zeros 64\n" + line + "\ndraw 3\n").ok());
}

TEST_CASE("dispatches and indirect draws keep their shader, bindings and buffers") {
    const auto load = [](const std::string&) { return Result<std::string>(std::string("COMP")); };
    const ParsedCase parsed = parse_case("title T\ncolor R8G8B8A8_UNORM\nbuffer words zeros 64\n"
                                         "compute_shader a.tgsi\ncompute_storage 2 words offset=4\n"
                                         "dispatch 3 2 1 shared=128\ncompute_shader b.tgsi\n"
                                         "dispatch_indirect words 12\nvertex_shader c.tgsi\n"
                                         "draw_indirect words 8 draws=3 stride=20 count=words\n",
                                         load);
    REQUIRE(parsed.ok());
    const auto& commands = parsed.scene.commands;
    REQUIRE(commands.size() == 3);
    const auto direct = std::get<std::shared_ptr<const DispatchCommand>>(commands[0].what);
    CHECK(direct->groups == std::array<uint32_t, 3>{3, 2, 1});
    CHECK(direct->shared_bytes == 128);
    CHECK(direct->compute.shader == 0);
    CHECK(direct->compute.storage.at(2).offset == 4);
    CHECK(direct->indirect.buffer == kNone);
    const auto indirect = std::get<std::shared_ptr<const DispatchCommand>>(commands[1].what);
    CHECK(indirect->compute.shader == 1);
    CHECK(indirect->indirect.buffer == 0);
    CHECK(indirect->indirect.offset == 12);
    const auto draw = std::get<std::shared_ptr<const DrawCommand>>(commands[2].what);
    CHECK(draw->indirect.offset == 8);
    CHECK(draw->draw_count == 3);
    CHECK(draw->stride == 20);
    CHECK(draw->indirect_count.buffer == 0);
    CHECK(!parse_case("title T\ncolor R8G8B8A8_UNORM\ndispatch 1 1 1\n", load).ok());
}

TEST_CASE("the errors of a file are collected, each at its place") {
    const ParsedCase parsed = parse("title x\n"
                                    "set raster.cull sideways\n"
                                    "frobnicate 3\n"
                                    "color R8G8B8A8_UNORM extra\n"
                                    "  clear color 1 2 3 q\n");
    REQUIRE(parsed.errors.size() == 5);
    CHECK(parsed.errors[0].pos == SourcePos{2, 17});
    CHECK(parsed.errors[0].text.find("none, front, back") != std::string::npos);
    CHECK(parsed.errors[1].pos == SourcePos{3, 1});
    CHECK(parsed.errors[2].pos == SourcePos{4, 22});
    CHECK(parsed.errors[3].pos == SourcePos{5, 21});
    CHECK(parsed.errors[4].text == "the scene has no commands");
}

TEST_CASE("errors are limited in number") {
    std::string text;
    for (int i = 0; i < 1000; i++)
        text += "nonsense\n";
    CHECK(parse(text).errors.size() == 20);
}

TEST_CASE("an unfinished block is an error at its statement") {
    const ParsedCase parsed = parse("title x\nvertex_shader {\nVERT\n");
    REQUIRE(!parsed.ok());
    CHECK(parsed.errors[0].pos.line == 2);
    CHECK(parsed.errors[0].text.find("no end") != std::string::npos);
}

TEST_CASE("shader files outside the suite are refused without looking") {
    for (const char* path : {"/etc/passwd", "../x.tgsi", "a/../../x"}) {
        const ParsedCase parsed = parse_case("title x\nvertex_shader " + std::string(path) + "\n",
                                             [](const std::string&) -> Result<std::string> {
                                                 FAIL("a file was read");
                                                 return std::string();
                                             });
        REQUIRE(!parsed.ok());
        CHECK(parsed.errors[0].text.find("inside") != std::string::npos);
    }
}

TEST_CASE("textures and draws that would be too large are refused") {
    CHECK(!parse("title x\ntexture t 2d R32G32B32A32_FLOAT 16384x16384\n").ok());
    CHECK(!parse("title x\ntexture t 3d R8_UNORM 16384x16384x16384\n").ok());
    CHECK(!parse(std::string(kTriangle) + "draw 262144 instances=262144\n").ok());
}

TEST_CASE("a tolerance needs a reason and 8-bit targets") {
    CHECK(!parse(std::string(kTriangle) + "tolerance 1\n").ok());
    CHECK(parse(std::string(kTriangle) + "tolerance 1 RSQ is bounded\n").scene.tolerance == 1);
    std::string wide = kTriangle;
    wide.replace(wide.find("R8G8B8A8_UNORM"), 14, "R16G16_FLOAT");
    CHECK(parse(wide).ok());
    CHECK(!parse(wide + "tolerance 1 RSQ is bounded\n").ok());
}

TEST_CASE("literal content must fill its level") {
    const std::string start = std::string(kTriangle) + "texture t 2d R8G8_UNORM 2x1\n";
    CHECK(parse(start + "fill t 0 data hex {\n00ff 80 40\n}\n").ok());
    CHECK(!parse(start + "fill t 0 data hex {\n00ff 80\n}\n").ok());
    CHECK(!parse(start + "fill t 1 data hex {\n00\n}\n").ok());
}

TEST_CASE("cut and scrambled texts give errors or scenes, nothing else") {
    const std::string text = kTriangle;
    for (size_t length = 0; length < text.size(); length++)
        static_cast<void>(parse(text.substr(0, length)));
    std::mt19937 random(7);
    for (int round = 0; round < 2000; round++) {
        std::string broken = text;
        for (int i = 0; i < 6; i++)
            broken[random() % broken.size()] = static_cast<char>(random() % 128);
        static_cast<void>(parse(broken));
    }
}

}  // namespace
}  // namespace valkyr::conform
