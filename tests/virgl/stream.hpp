// Stream: builds command streams.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/bits.hpp"
#include "virgl/protocol/protocol.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace valkyr::test {

/// Command numbers of the virgl protocol.
enum class Cmd : uint32_t {
    CreateObject = 1,
    BindObject = 2,
    DestroyObject = 3,
    SetViewport = 4,
    SetFramebuffer = 5,
    SetVertexBuffers = 6,
    Clear = 7,
    DrawVbo = 8,
    InlineWrite = 9,
    SetSamplerViews = 10,
    SetIndexBuffer = 11,
    SetConstantBuffer = 12,
    Blit = 16,
    CopyRegion = 17,
    BindSamplers = 18,
    BeginQuery = 19,
    EndQuery = 20,
    GetQueryResult = 21,
    SetSampleMask = 24,
    SetStreamoutTargets = 25,
    SetRenderCondition = 26,
    SetUniformBuffer = 27,
    SetSubContext = 28,
    CreateSubContext = 29,
    BindShader = 31,
    SetMinSamples = 33,
    SetShaderBuffers = 34,
    SetShaderImages = 35,
    LaunchGrid = 37,
    Transfer3D = 43,
    ClearTexture = 47,
    StringMarker = 51,
};

class Stream {
public:
    Stream& add(Cmd command,
                std::initializer_list<uint32_t> payload,
                virgl::ObjectType type = virgl::ObjectType::None) {
        return add(command, std::vector<uint32_t>(payload), type);
    }
    Stream& add(Cmd command,
                const std::vector<uint32_t>& payload,
                virgl::ObjectType type = virgl::ObjectType::None) {
        words.push_back(static_cast<uint32_t>(command) | static_cast<uint32_t>(type) << 8 |
                        static_cast<uint32_t>(payload.size()) << 16);
        words.insert(words.end(), payload.begin(), payload.end());
        return *this;
    }
    /// Adds a shader with its whole text in one command.
    /// shared  bytes of shared memory, for compute shaders
    Stream&
    shader(uint32_t handle, virgl::ShaderStage stage, std::string_view text, uint32_t shared = 0) {
        std::vector<uint32_t> payload{handle, static_cast<uint32_t>(stage),
                                      static_cast<uint32_t>(text.size()) + 1, 0, shared};
        append_text(payload, text);
        return add(Cmd::CreateObject, payload, virgl::ObjectType::Shader);
    }
    static void append_text(std::vector<uint32_t>& payload, std::string_view text) {
        const size_t at = payload.size();
        payload.resize(at + text.size() / 4 + 1);  // zeros behind the text
        std::memcpy(payload.data() + at, text.data(), text.size());
    }

    std::vector<uint32_t> words;
};

inline constexpr std::string_view kPassVertices = "VERT\n"
                                                  "DCL IN[0]\n"
                                                  "DCL OUT[0], POSITION\n"
                                                  "  0: MOV OUT[0], IN[0]\n"
                                                  "  1: END\n";
inline constexpr std::string_view kConstantColor = "FRAG\n"
                                                   "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n"
                                                   "DCL OUT[0], COLOR\n"
                                                   "DCL CONST[0]\n"
                                                   "  0: MOV OUT[0], CONST[0]\n"
                                                   "  1: END\n";

// Handles that draw_state() uses.
inline constexpr uint32_t kTarget = 1;    ///< resource: the colour target
inline constexpr uint32_t kVertices = 2;  ///< resource: a vertex buffer of vec4
inline constexpr uint32_t kSurface = 10;
inline constexpr uint32_t kQuery = 20;

/// Creates sub-context 1 and all state for drawing position-only vertices onto a square target.
inline Stream draw_state(uint32_t size) {
    using virgl::ObjectType;
    using virgl::ShaderStage;
    const uint32_t half = as_bits(static_cast<float>(size) / 2);
    Stream s;
    s.add(Cmd::CreateSubContext, {1}).add(Cmd::SetSubContext, {1});
    s.add(Cmd::CreateObject, {kSurface, kTarget, 1, 0, 0}, ObjectType::Surface);
    s.add(Cmd::SetFramebuffer, {1, 0, kSurface});
    s.add(Cmd::SetViewport, {0, half, half, as_bits(0.5F), half, half, as_bits(0.5F)});
    std::vector<uint32_t> blend{11, 0, 0};
    blend.resize(11, 0xFU << 27);  // all components of all targets
    s.add(Cmd::CreateObject, blend, ObjectType::Blend);
    s.add(Cmd::BindObject, {11}, ObjectType::Blend);
    // Depth clip, half-pixel centres.
    s.add(Cmd::CreateObject, {12, 1U << 1 | 1U << 29, as_bits(1), 0, 0, as_bits(1), 0, 0, 0},
          ObjectType::Rasterizer);
    s.add(Cmd::BindObject, {12}, ObjectType::Rasterizer);
    s.add(Cmd::CreateObject, {13, 0, 0, 0, 0}, ObjectType::DepthStencil);
    s.add(Cmd::BindObject, {13}, ObjectType::DepthStencil);
    s.add(Cmd::CreateObject, {14, 0, 0, 0, 31}, ObjectType::VertexElements);
    s.add(Cmd::BindObject, {14}, ObjectType::VertexElements);
    s.shader(15, ShaderStage::Vertex, kPassVertices);
    s.shader(16, ShaderStage::Fragment, kConstantColor);
    s.add(Cmd::BindShader, {15, 0}).add(Cmd::BindShader, {16, 1});
    s.add(Cmd::SetVertexBuffers, {16, 0, kVertices});
    return s;
}

inline Stream& color(Stream& s, float r, float g, float b, float a) {
    return s.add(Cmd::SetConstantBuffer, {1, 0, as_bits(r), as_bits(g), as_bits(b), as_bits(a)});
}
inline Stream& draw(Stream& s, uint32_t first, uint32_t count) {
    return s.add(Cmd::DrawVbo, {first, count, 4, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0});
}

}  // namespace valkyr::test
