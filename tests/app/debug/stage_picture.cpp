// Stage picture: draws one triangle with a shader for each stage, whose bodies tests choose.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/stage_picture.hpp"

#include <bit>
#include <cstdint>
#include <span>

namespace valkyr::debug {

using namespace raster;

namespace {

constexpr const char* kCommon = "DCL CONST[0..1]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
                                "DCL TEMP[0..7]\nIMM[0] FLT32 {0.0, 1.0, -1.0, 2.0}\n"
                                "IMM[1] INT32 {0, 1, -1, 2}\n";

}  // namespace

std::string vertex_text(const Picture& picture) {
    return std::string(
               "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n") +
           kCommon + picture.vertex + "END\n";
}
std::string fragment_text(const Picture& picture) {
    return std::string("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n") + kCommon +
           picture.fragment + "END\n";
}
std::string geometry_text(const Picture& picture) {
    return std::string("GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
                       "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                       "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\n"
                       "DCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n") +
           kCommon + picture.geometry +
           "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[1].xxxx\n"
           "MOV OUT[0], IN[1][0]\nMOV OUT[1], IN[1][1]\nEMIT IMM[1].xxxx\n"
           "MOV OUT[0], IN[2][0]\nMOV OUT[1], IN[2][1]\nEMIT IMM[1].xxxx\nEND\n";
}
std::string control_text(const Picture& picture) {
    return std::string("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], INVOCATIONID\n"
                       "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[][0], POSITION\n"
                       "DCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\n"
                       "DCL ADDR[0]\n") +
           kCommon +
           "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
           "MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\nMOV OUT[2], IMM[0].yyyy\n"
           "MOV OUT[3], IMM[0].yyyy\n" +
           picture.control + "END\n";
}
std::string evaluation_text(const Picture& picture) {
    return std::string("TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\n"
                       "DCL SV[0], TESSCOORD\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
                       "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n") +
           kCommon +
           "MUL TEMP[7], IN[0][0], SV[0].xxxx\nMAD TEMP[7], IN[1][0], SV[0].yyyy, TEMP[7]\n"
           "MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[7]\nMOV OUT[1], IN[0][1]\n" +
           picture.evaluation + "END\n";
}

std::vector<float> draw(Device& device, const Picture& picture) {
    std::vector<float> corners;
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(3, -1), std::pair(-1, 3)}) {
        corners.insert(corners.end(), {static_cast<float>(x), static_cast<float>(y), 0, 1});
        corners.insert(corners.end(), picture.attribute.begin(), picture.attribute.end());
    }
    PipelineDesc desc;
    desc.vertex = must(device.create_shader(vertex_text(picture), "vs"));
    desc.fragment = must(device.create_shader(fragment_text(picture), "fs"));
    if (!picture.geometry.empty())
        desc.geometry = must(device.create_shader(geometry_text(picture), "gs"));
    if (!picture.control.empty()) {
        desc.tess_control = must(device.create_shader(control_text(picture), "tc"));
        desc.tess_evaluation = must(device.create_shader(evaluation_text(picture), "te"));
        desc.primitive = Primitive::Patches;
    }
    desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}, {0, 16, 0, Format::R32G32B32A32_FLOAT}};
    desc.strides = {32};
    DrawState state;
    state.pipeline = must(device.create_pipeline(desc));
    TextureDesc target{.format = picture.target, .width = kSide, .height = kSide};
    target.render_target = true;
    const TextureRef color = must(device.create_texture(target));
    const TextureRef texture = must(device.create_texture({.format = Format::R32G32B32A32_FLOAT}));
    must(device.write_texture(texture, 0, {.width = 1, .height = 1},
                              std::as_bytes(std::span(picture.texel)), 16, 16));
    state.framebuffer.color = {{color}};
    state.viewport = Viewport::over(0, 0, kSide, kSide);
    state.scissor = {0, 0, kSide, kSide};
    state.vertex_buffers = {
        {must(device.create_buffer(corners.size() * 4, std::as_bytes(std::span(corners))))}};
    std::vector<uint32_t> words;
    for (const float constant : picture.constants)
        words.push_back(std::bit_cast<uint32_t>(constant));
    for (StageResources& stage : state.stages) {
        stage.constants = {words};
        TextureView view;
        view.texture = texture;
        stage.textures = {view};
        stage.samplers = {SamplerState{}};
    }
    must(device.clear(state.framebuffer, ClearInfo().set_color(0, {kClear, 0, 0, 0})));
    must(device.draw(state, {.count = 3}));
    std::vector<float> texels(size_t{kSide} * kSide * 4);
    must(device.read_texture(color, 0, {.width = kSide, .height = kSide},
                             std::as_writable_bytes(std::span(texels)), size_t{kSide} * 16));
    return texels;
}

}  // namespace valkyr::debug
