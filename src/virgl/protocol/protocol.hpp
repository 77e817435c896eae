// Protocol: names the numbers of the vtest protocol and of the virgl command stream.
// SPDX-License-Identifier: MIT
//
// All words are little-endian and have 32 bits. The code that reads a payload has its layout.
#pragma once

#include <cstddef>
#include <cstdint>

namespace valkyr::virgl {

/// The path that Mesa 22.3 has compiled in.
inline constexpr const char* kDefaultSocketPath = "/tmp/.virgl_test";
/// The highest protocol version of this server; the smaller of its and the client's is used.
inline constexpr uint32_t kProtocolVersion = 2;

/// Messages on the socket: length (mostly in words), id, payload.
enum class Message : uint32_t {
    GetCaps = 1,
    ResourceCreate = 2,
    ResourceUnref = 3,
    TransferGet = 4,
    TransferPut = 5,
    SubmitCommands = 6,
    ResourceBusyWait = 7,
    CreateRenderer = 8,
    GetCaps2 = 9,
    PingProtocolVersion = 10,
    ProtocolVersion = 11,
    ResourceCreate2 = 12,
    TransferGet2 = 13,
    TransferPut2 = 14,
};

enum class ObjectType : uint8_t {
    None,
    Blend,
    Rasterizer,
    DepthStencil,
    Shader,
    VertexElements,
    SamplerView,
    SamplerState,
    Surface,
    Query,
    StreamTarget,
    MsaaSurface,
};

enum class ShaderStage : uint8_t {
    Vertex,
    Fragment,
    Geometry,
    TessControl,
    TessEvaluation,
    Compute
};
inline constexpr uint32_t kShaderStages = 6;

/// Texture targets of resources and views.
enum class Target : uint8_t {
    Buffer,
    Tex1D,
    Tex2D,
    Tex3D,
    Cube,
    Rect,
    Tex1DArray,
    Tex2DArray,
    CubeArray,
};
inline constexpr uint32_t kTargets = 9;

// The bind bits that this server reads; it ignores the others.
inline constexpr uint32_t kBindDisplayTarget = 1U << 7;
inline constexpr uint32_t kBindCustom = 1U << 17;
/// Buffers up to this size with kBindCustom are fences: a wait for one waits for all work.
inline constexpr uint32_t kFenceBytes = 8;

// Limits of a client. A command beyond one is malformed or refused.
inline constexpr uint32_t kMaxSubmitWords = 1U << 20;           ///< Mesa's buffers have 66 560
inline constexpr uint32_t kMaxNameBytes = 4096;                 ///< CREATE_RENDERER
inline constexpr uint32_t kMaxInlineBytes = 1U << 28;           ///< data in a TRANSFER_PUT message
inline constexpr uint32_t kMaxShaderTextBytes = 1U << 22;       ///< text of one shader
inline constexpr size_t kMaxResources = size_t{1} << 18;        ///< by connection
inline constexpr size_t kMaxSubContexts = 256;                  ///< by connection
inline constexpr size_t kMaxObjects = size_t{1} << 20;          ///< by connection
inline constexpr uint64_t kMaxClientBytes = uint64_t{6} << 30;  ///< host storage and shaders
inline constexpr uint64_t kMaxGuestBytes = uint64_t{24} << 30;  ///< guest storage
inline constexpr uint32_t kMaxSlots = 32;           ///< sampler views, samplers, vertex buffers
inline constexpr uint32_t kMaxUniformBuffers = 16;  ///< by stage, the default block included
inline constexpr uint32_t kMaxViewports = 16;
inline constexpr uint32_t kMaxShaderBuffers = 32;  ///< by stage
inline constexpr uint32_t kMaxImages = 16;         ///< by stage

}  // namespace valkyr::virgl
