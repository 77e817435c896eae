// Program facts: tell callers the stage, the varyings and the effects of a program, and the limits.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <cstdint>

namespace valkyr::exec {

inline constexpr unsigned kLanes = 16;
inline constexpr unsigned kRegisters = 64;
inline constexpr unsigned kTileSize = 64;  ///< pixels a side; kTileSize / 4 blocks a row
inline constexpr unsigned kBlocksPerRow = kTileSize / 4;
inline constexpr unsigned kMaxRenderTargets = 8;
inline constexpr unsigned kMaxVaryingSlots = 32;
inline constexpr unsigned kMaxAttributes = 32;
inline constexpr unsigned kMaxTextureUnits = 32;
inline constexpr unsigned kMaxImages = 16;
inline constexpr unsigned kMaxConstantBuffers = 16;
inline constexpr unsigned kMaxSamples = 16;
inline constexpr unsigned kMaxClipDistances = 8;
inline constexpr unsigned kMaxInputVertices = 6;  ///< of a primitive that a geometry program takes
inline constexpr unsigned kMaxEmittedVertices = 256;  ///< by one invocation of a geometry program
inline constexpr unsigned kMaxInvocations = 32;       ///< of a geometry program, for a primitive
inline constexpr unsigned kMaxStreams = 4;            ///< of emitted vertices
inline constexpr unsigned kMaxPatchVertices = 32;
inline constexpr unsigned kMaxPatchWarps = kMaxPatchVertices / kLanes;
inline constexpr unsigned kMaxPatchSlots = 32;          ///< of a patch record
inline constexpr unsigned kMaxGroupInvocations = 1024;  ///< of a work-group
inline constexpr unsigned kMaxGroupWarps = kMaxGroupInvocations / kLanes;
inline constexpr unsigned kMaxSharedBytes = 32768;  ///< that the invocations of a work-group share

/// Pixel offset of a lane inside its 4x4 block.
constexpr unsigned lane_x(unsigned lane) {
    return (lane & 1) | (lane >> 1 & 2);
}
constexpr unsigned lane_y(unsigned lane) {
    return (lane >> 1 & 1) | (lane >> 2 & 2);
}
/// The lane at a pixel offset (x, y in 0..3).
constexpr unsigned lane_at(unsigned x, unsigned y) {
    return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

/// One 32-bit value for each lane of a warp.
struct alignas(64) Lanes {
    uint32_t v[kLanes];
};
static_assert(sizeof(Lanes) == 64);

enum class Stage : uint8_t { Vertex, Fragment, Compute, Blend, Geometry };

/// Names by which the stages of a pipeline find each other's varyings (tgsi.rst semantics).
enum class VaryingName : uint8_t {
    Generic,
    Color,
    BackColor,
    TexCoord,
    Fog,
    PointCoord,
    ClipDistance,
    ClipVertex,
    PrimitiveId,
    Layer,
    ViewportIndex,
    EdgeFlag,
};

enum class Interpolation : uint8_t {
    Flat,    ///< bits of the provoking vertex
    Linear,  ///< in window space (noperspective)
    Perspective,
    Color,  ///< Perspective, or Flat when the rasterizer's flat-shade state is on
};

/// One 16-byte slot of the varying part of the vertex record.
struct VaryingSlot {
    VaryingName name = VaryingName::Generic;
    uint8_t index = 0;  ///< semantic index
    Interpolation interpolation = Interpolation::Perspective;
    uint8_t components = 0xF;  ///< mask of x, y, z, w that the fragment stage reads
    bool written = true;       ///< false: no vertex output; reads as 0
    bool half = false;  ///< interpolated from eight binary16 numbers instead of four binary32
    friend bool operator==(const VaryingSlot&, const VaryingSlot&) = default;
};

/// Driver values that the FAU recipe may ask for.
enum class DriverValue : uint8_t {
    BaseVertex,
    BaseInstance,
    DrawId,
    /// Sizes of a texture view's level 0; unit in FauWord::buffer.
    TextureWidth,
    TextureHeight,
    TextureDepth,  ///< slices, or layers of arrays
    TextureLevels,
    TextureSamples,
    BufferAddressLow,
    BufferAddressHigh,
    BufferSize,
    ImageWidth,
    ImageHeight,
    ImageDepth,
    TargetHeight,  ///< height of the framebuffer, as f32
    SampleCount,
    GridSizeX,
    GridSizeY,
    GridSizeZ,
    ImageSamples,
    CounterAddressLow,  ///< atomic counter buffers; unit in FauWord::buffer
    CounterAddressHigh,
    CounterSize,
    SamplerLodBias,  ///< of samplers, in FauWord::buffer; as f32
    SamplerMinLod,
    SamplerMaxLod,
    SamplerMipFilter,  ///< MipFilter as a number
    PatchVertices,     ///< vertices of the patches that a draw assembles
    RasterSamples,     ///< samples of a pixel that rasterization tells apart
};

/// Primitives that a geometry program takes (GL 4.6 section 11.3.1).
enum class InputPrimitive : uint8_t {
    Points,
    Lines,
    LinesAdjacency,
    Triangles,
    TrianglesAdjacency,
};
/// Vertices of such a primitive.
constexpr unsigned vertices_of(InputPrimitive primitive) {
    constexpr unsigned counts[] = {1, 2, 4, 3, 6};
    return counts[static_cast<unsigned>(primitive)];
}
/// Primitives that a geometry program makes (GL 4.6 section 11.3.2).
enum class OutputPrimitive : uint8_t { Points, LineStrip, TriangleStrip };

/// Facts about a geometry program.
struct GeometryInfo {
    InputPrimitive input = InputPrimitive::Points;
    OutputPrimitive output = OutputPrimitive::Points;
    uint8_t invocations = 1;  ///< for each primitive, 1 to kMaxInvocations
    bool writes_primitive_id = false;
    uint16_t max_vertices = 0;  ///< of one invocation, all streams together
    uint8_t streams = 1;        ///< mask of the streams that it emits to
    uint8_t reserved = 0;
};

/// The domain that the tessellator divides, and how (GL 4.6 section 11.2.2).
enum class TessellationDomain : uint8_t { Isolines, Triangles, Quads };
enum class TessellationSpacing : uint8_t { Equal, FractionalOdd, FractionalEven };

/// Facts about a tessellation evaluation program.
struct TessellationInfo {
    TessellationDomain domain = TessellationDomain::Triangles;
    TessellationSpacing spacing = TessellationSpacing::Equal;
    bool clockwise = false;
    bool point_mode = false;  ///< primitives are the points of the domain
    friend bool operator==(const TessellationInfo&, const TessellationInfo&) = default;
};

/// Facts about tessellation programs. They are compute programs that work on the records of
/// patches (docs/rules/isa-notes.md, "Tessellation").
struct PatchInfo {
    uint8_t vertices = 0;           ///< control programs: vertices of the patches that they make
    uint8_t slots = 0;              ///< slots of a patch record that the program reads or writes
    TessellationInfo tessellation;  ///< evaluation programs
};

/// Facts about a compute program.
struct ComputeInfo {
    uint32_t block[3] = {};     ///< invocations of a work-group in x, y, z; 0: not fixed
    uint32_t shared_bytes = 0;  ///< memory that they share
};

struct ProgramInfo {
    Stage stage = Stage::Vertex;
    uint8_t reserved0[3] = {};
    uint32_t tls_bytes = 0;        ///< thread-local storage a lane needs, multiple of 16
    uint32_t attributes_read = 0;  ///< bit i: LD_ATTR of attribute i
    uint32_t textures_read = 0;    ///< bit i: texture i
    uint32_t samplers_read = 0;
    uint32_t images_used = 0;
    uint32_t constant_buffers_read = 0;  ///< by LD_BUFFER (FAU words come on top)
    uint32_t varying_slot_count = 0;     ///< slots of the vertex record
    VaryingSlot varyings[kMaxVaryingSlots];

    // Vertex and geometry.
    bool writes_point_size = false;
    bool writes_layer = false;
    bool writes_viewport_index = false;
    bool window_space_position = false;
    uint8_t clip_distances = 0;  ///< mask of written clip distances (slots named ClipDistance)
    uint8_t cull_distances = 0;  ///< mask; these follow the clip distances
    GeometryInfo geometry;       ///< geometry programs; they have the facts above, too
    // Fragment.
    uint8_t color_outputs = 0;       ///< bit i: BLEND to render target i
    bool color0_writes_all = false;  ///< colour 0 goes to every bound target
    bool writes_depth = false;
    bool writes_stencil = false;
    bool writes_sample_mask = false;
    bool uses_discard = false;
    bool has_side_effects = false;  ///< stores or atomics
    bool early_fragment_tests = false;
    bool per_sample = false;          ///< reads sample ID/position, or SAMPLE interpolation
    bool reads_tile = false;          ///< framebuffer fetch
    bool reads_primitive_id = false;  ///< kPrimitiveIdRegister
    ComputeInfo compute;              ///< compute programs
    PatchInfo patch;                  ///< tessellation programs
};

}  // namespace valkyr::exec
