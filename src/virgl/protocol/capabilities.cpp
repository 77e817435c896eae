// Capability sets: the formats, limits and switches of each OpenGL version.
// SPDX-License-Identifier: MIT
#include "virgl/protocol/capabilities.hpp"

#include "raster/sample_positions.hpp"
#include "virgl/protocol/format_map.hpp"
#include "virgl/protocol/protocol.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>

namespace valkyr::virgl {
namespace {

// Byte offsets in the capability structure.
constexpr size_t kVersion = 0;
constexpr size_t kSamplerMask = 4;
constexpr size_t kRenderMask = 68;
constexpr size_t kDepthStencilMask = 132;
constexpr size_t kVertexMask = 196;
constexpr size_t kSwitches = 260;
constexpr size_t kGlslLevel = 264;
constexpr size_t kArrayLayers = 268;
constexpr size_t kStreamBuffers = 272;
constexpr size_t kDualSourceTargets = 276;
constexpr size_t kRenderTargets = 280;
constexpr size_t kSamples = 284;
constexpr size_t kPrimitiveMask = 288;
constexpr size_t kBufferTexels = 292;
constexpr size_t kUniformBlocks = 296;
constexpr size_t kViewports = 300;
constexpr size_t kGatherComponents = 304;
constexpr size_t kFloatLimits = 308;
constexpr size_t kGeometryLimits = 344;
constexpr size_t kTexelOffsets = 364;
constexpr size_t kBufferTextureAlignment = 380;
constexpr size_t kUniformAlignment = 384;
constexpr size_t kShaderBufferAlignment = 388;
constexpr size_t kCapabilityBits = 392;
constexpr size_t kSampleLocations = 396;
constexpr size_t kAttributeStride = 428;
constexpr size_t kShaderBuffers = 432;
constexpr size_t kComputeLimits = 452;
constexpr size_t kTextureSizes = 484;
constexpr size_t kFeatureCheckVersion = 556;
constexpr size_t kMoreCapabilityBits = 688;
constexpr size_t kRenderer = 696;
constexpr size_t kRendererBytes = 64;
constexpr size_t kAnisotropy = 760;
constexpr size_t kSamplerViews = 764;
constexpr size_t kConstantBufferSizes = 832;
constexpr size_t kUniformBlockSize = 1372;

// Bits of the words of switches.
constexpr uint32_t kIndependentBlendEnable = 1U << 0;
constexpr uint32_t kIndependentBlendFunctions = 1U << 1;
constexpr uint32_t kCubeArrays = 1U << 2;
constexpr uint32_t kStencilExport = 1U << 3;
constexpr uint32_t kConditionalRender = 1U << 4;
constexpr uint32_t kFirstInstance = 1U << 5;
constexpr uint32_t kPrimitiveRestart = 1U << 6;
constexpr uint32_t kSeamlessCubes = 1U << 10;
constexpr uint32_t kOcclusionQuery = 1U << 11;
constexpr uint32_t kStreamPause = 1U << 13;
constexpr uint32_t kTextureMultisample = 1U << 14;
constexpr uint32_t kDepthClipDisable = 1U << 16;
constexpr uint32_t kSeamlessPerTexture = 1U << 17;
constexpr uint32_t kMirrorClamp = 1U << 21;
constexpr uint32_t kLodQueries = 1U << 22;
constexpr uint32_t kDoubles = 1U << 23;
constexpr uint32_t kTessellation = 1U << 24;
constexpr uint32_t kIndirectDraws = 1U << 25;
constexpr uint32_t kSampleShading = 1U << 26;
constexpr uint32_t kCullDistances = 1U << 27;
constexpr uint32_t kInvertedConditions = 1U << 28;
constexpr uint32_t kFineDerivatives = 1U << 29;
constexpr uint32_t kOffsetClamp = 1U << 30;
constexpr uint32_t kOverflowQuery = 1U << 31;
// Bits of the capability bits.
constexpr uint32_t kTextureViews = 1U << 1;
constexpr uint32_t kMinSamples = 1U << 2;
constexpr uint32_t kCopyImage = 1U << 3;
constexpr uint32_t kSampleCounts = 1U << 5;
constexpr uint32_t kMemoryBarriers = 1U << 6;
constexpr uint32_t kCompute = 1U << 7;
constexpr uint32_t kNoAttachments = 1U << 8;
constexpr uint32_t kRobustBuffers = 1U << 9;
constexpr uint32_t kFramebufferFetch = 1U << 10;
constexpr uint32_t kTextureBarriers = 1U << 12;
constexpr uint32_t kSharedSlots = 1U << 13;  // varyings that share a slot, by component
constexpr uint32_t kSrgbWriteControl = 1U << 15;
constexpr uint32_t kTransfers = 1U << 17;  // in the command stream
constexpr uint32_t kMixedColorFormats = 1U << 18;
constexpr uint32_t kManyIndirectDraws = 1U << 21;
constexpr uint32_t kIndirectCounts = 1U << 22;
constexpr uint32_t kFourStreams = 1U << 23;
constexpr uint32_t kComputedInputs = 1U << 25;  // inputs of geometry and tessellation shaders
constexpr uint32_t kCopyTransfers = 1U << 26;   // from another resource's memory
constexpr uint32_t kDepthFromZero = 1U << 27;
constexpr uint32_t kClearTexture = 1U << 30;
// Bits of more capability bits.
constexpr uint32_t kStringMarkers = 1U << 4;
constexpr uint32_t kDrawParameters = 1U << 14;  // BASEVERTEX, BASEINSTANCE, DRAWID

/// The values that differ between levels; formats add to those of the level before.
struct LevelRow {
    uint32_t glsl;
    uint32_t switches;
    uint32_t capabilities;
    uint32_t texture_size;   ///< side of 2D and cube textures
    uint32_t texture_depth;  ///< side of 3D textures
    uint32_t render_targets;
    uint32_t array_layers;
    uint32_t stream_buffers;
    uint32_t buffer_texels;
    uint32_t uniform_blocks;
    uint32_t dual_source_targets;
    uint32_t vertex_outputs;
    uint32_t primitives;  ///< mask, one bit a primitive number
    uint32_t viewports;
    uint32_t gather_components;
    uint32_t buffer_texture_alignment;   ///< 0: views are of whole buffers
    bool shader_writes;                  ///< shaders have buffers and images; compute shaders
    std::span<const uint16_t> sampled;   ///< formats that are new
    std::span<const uint16_t> rendered;  ///< formats that are new
};

// BGRA8, BGRX8, RGBA8, RGBX8, sRGB, Z16, Z24S8, Z24X8; then the compact formats of old programs,
// and RGBA32F, which the driver converts through (alone it is no extension).
constexpr uint16_t kSampled21[] = {1,  2,  67, 134, 100, 104, 16,  19,  20,  21,  135, 6,   7, 9,
                                   10, 11, 12, 105, 106, 107, 108, 109, 110, 111, 112, 226, 31};
// The driver picks a sampled format for each RGB and RGBA format that OpenGL 3.0 section 3.9.1
// requires of colour targets. That format must be renderable as well, or a framebuffer with such a
// texture is incomplete. RGB needs a format whose fourth component reads as 1 (RGBX), for blending
// by the target's alpha. The protocol has no B5G5R5X1, so B5G5R5A1 is left out: RGB5 becomes
// B5G6R5, RGB5_A1 becomes RGBA8.
constexpr uint16_t kRendered21[] = {1, 2, 67, 134, 100, 104, 135, 6, 7, 31, 9, 10, 11, 12};
constexpr uint16_t kSampled30[] = {94,  64,  65,  124, 18,  126, 74,  75,  125, 28,  29,  91,
                                   92,  48,  49,  51,  113, 114, 115, 116, 95,  96,  99,  101,
                                   230, 177, 178, 180, 181, 182, 184, 185, 186, 188, 189, 190,
                                   192, 193, 194, 196, 197, 198, 200, 136, 137, 234, 236, 239};
constexpr uint16_t kRendered30[] = {94,  64,  65,  124, 28,  29,  91,  92,  48,  49,  51,  177,
                                    178, 180, 181, 182, 184, 185, 186, 188, 189, 190, 192, 193,
                                    194, 196, 197, 198, 200, 99,  101, 230, 234, 236, 239};
constexpr uint16_t kSampled31[] = {77,  8,   131, 233, 56,  57,  59,  269, 270,
                                   271, 272, 273, 274, 275, 276, 277, 278};
constexpr uint16_t kRendered31[] = {8, 131, 233};
constexpr uint16_t kSampled33[] = {253};
// Buffer textures of three components.
constexpr uint16_t kSampled43[] = {30, 195, 199};

// Masks of primitives by number: points to polygons (native quads, so that their outlines have no
// diagonal), these with adjacency, and patches.
constexpr uint32_t kToPolygons = 0x3FF;
constexpr uint32_t kWithAdjacency = 0x3FFF;
constexpr uint32_t kWithPatches = 0x7FFF;

/// Programs that ask for the maximum get this.
constexpr uint32_t kMostSamples = 8;

constexpr uint32_t kSwitches21 = kOcclusionQuery | kMirrorClamp | kTextureMultisample;
constexpr uint32_t kSwitches30 =
    kSwitches21 | kIndependentBlendEnable | kConditionalRender | kSampleShading;
constexpr uint32_t kSwitches31 = kSwitches30 | kPrimitiveRestart;
// Includes the OpenGL 4 features that the rasterizer has.
constexpr uint32_t kSwitches33 =
    kSwitches31 | kDepthClipDisable | kSeamlessCubes | kIndependentBlendFunctions | kStreamPause |
    kInvertedConditions | kOverflowQuery | kCubeArrays | kFirstInstance | kSeamlessPerTexture |
    kIndirectDraws | kFineDerivatives | kOffsetClamp | kLodQueries;
constexpr uint32_t kSwitches43 =
    kSwitches33 | kDoubles | kTessellation | kCullDistances | kStencilExport;
constexpr uint32_t kCapabilities21 =
    kMinSamples | kSrgbWriteControl | kMixedColorFormats | kTransfers | kCopyTransfers;
constexpr uint32_t kCapabilities33 =
    kCapabilities21 | kFourStreams | kSampleCounts | kDepthFromZero | kTextureBarriers;
constexpr uint32_t kCapabilitiesEs31 = kCapabilities33 | kMemoryBarriers | kCompute |
                                       kNoAttachments | kManyIndirectDraws | kIndirectCounts |
                                       kTextureViews | kCopyImage | kClearTexture;

constexpr uint32_t kCapabilities43 =
    kCapabilitiesEs31 | kRobustBuffers | kFramebufferFetch | kComputedInputs | kSharedSlots;

/// Indexed by GlLevel. OpenGL 2.1 gets GLSL 1.30, because for 1.20 the driver makes TGSI without
/// integers and gets array indices wrong. OpenGL 3.3 gets GLSL 4.00: the program sees 3.30 and
/// GL_ARB_gpu_shader5, without which geometry shaders have neither streams nor invocations. Newer
/// clients (Mesa 25.0, not 22.3) offer OpenGL 4.1 and later only with the texture limits that these
/// specifications require: 16384 texels a side, 2048 for 3D textures, 2048 layers.
constexpr LevelRow kLevels[] = {
    {130, kSwitches21, kCapabilities21, 8192, 512, 8, 0, 0, 0, 1, 0, 16, kToPolygons, 1, 0, 0,
     false, kSampled21, kRendered21},
    {130, kSwitches30, kCapabilities21, 8192, 512, 8, 256, 4, 0, 1, 0, 32, kToPolygons, 1, 0, 0,
     false, kSampled30, kRendered30},
    {140, kSwitches31, kCapabilities21, 8192, 512, 8, 256, 4, 65536, 13, 0, 32, kToPolygons, 1, 0,
     0, false, kSampled31, kRendered31},
    {400, kSwitches33, kCapabilities33, 8192, 512, 8, 256, 4, 65536, 13, 1, 32, kWithAdjacency, 16,
     4, 16, false, kSampled33, kSampled33},
    {400,
     kSwitches33,
     kCapabilitiesEs31,
     8192,
     512,
     8,
     256,
     4,
     65536,
     13,
     1,
     32,
     kWithAdjacency,
     16,
     4,
     16,
     true,
     {},
     {}},
    {430,
     kSwitches43,
     kCapabilities43,
     16384,
     2048,
     8,
     2048,
     4,
     65536,
     15,
     1,
     32,
     kWithPatches,
     16,
     4,
     16,
     true,
     kSampled43,
     {}},
};

class Writer {
public:
    void word(size_t offset, uint32_t value) {
        std::memcpy(set_.data() + offset, &value, sizeof value);
    }
    void number(size_t offset, float value) {
        std::memcpy(set_.data() + offset, &value, sizeof value);
    }
    void words(size_t offset, std::initializer_list<uint32_t> values) {
        for (const uint32_t value : values) {
            word(offset, value);
            offset += sizeof value;
        }
    }
    void format(size_t mask, uint32_t number) {
        std::byte& byte = set_[mask + number / 8];
        byte |= std::byte{1} << (number % 8);
    }
    void text(size_t offset, size_t size, std::string_view value) {
        std::memcpy(set_.data() + offset, value.data(), std::min(value.size(), size - 1));
    }
    [[nodiscard]] const Capset& set() const { return set_; }

private:
    Capset set_{};
};

void write_formats(Writer& writer, GlLevel level) {
    for (size_t row = 0; row <= static_cast<size_t>(level); ++row) {
        for (const uint16_t number : kLevels[row].sampled) {
            writer.format(kSamplerMask, number);
            if (is_depth_stencil_format(format_of(number)))
                writer.format(kDepthStencilMask, number);
        }
        for (const uint16_t number : kLevels[row].rendered)
            writer.format(kRenderMask, number);
    }
    if (level >= GlLevel::Gl33)
        writer.format(kVertexMask, 124);
}

/// Writes x << 4 | y in 1/16 pixel, a byte a sample. The tables for 2, 4, 8 and 16 samples have 1,
/// 1, 2 and 4 words.
void write_sample_locations(Writer& writer) {
    size_t offset = kSampleLocations;
    for (unsigned samples = 2; samples <= exec::kMaxSamples; samples *= 2) {
        const auto positions = raster::sample_positions(samples);
        std::array<uint32_t, 4> words{};
        for (size_t s = 0; s < positions.size(); ++s)
            words[s / 4] |= (uint32_t{positions[s].x} << 4 | positions[s].y) << (8 * (s % 4));
        for (size_t i = 0; i < (samples + 3) / 4; ++i, offset += sizeof(uint32_t))
            writer.word(offset, words[i]);
    }
}

/// Limits of buffers and images that shaders write to, and of compute shaders.
void write_shader_limits(Writer& writer) {
    writer.word(kShaderBufferAlignment, 32);
    writer.word(kAttributeStride, 2048);
    // Buffers and images of fragment and compute shaders, then of the other stages. The driver
    // takes half of the buffers for counters; programs such as Blender 4.3 want 12 of the others.
    constexpr uint32_t kBuffers = 32;
    constexpr uint32_t kImages = 16;
    static_assert(kBuffers <= kMaxShaderBuffers && kImages <= kMaxImages);
    writer.words(kShaderBuffers, {kBuffers, kBuffers, kImages, kImages});
    // Invocations and shared bytes of a group, groups of a grid, sides of a group.
    writer.words(kComputeLimits, {1024, 32768, 65535, 65535, 65535, 1024, 1024, 64});
}

void write_limits(Writer& writer, const LevelRow& row) {
    writer.word(kArrayLayers, row.array_layers);
    writer.word(kStreamBuffers, row.stream_buffers);
    writer.word(kDualSourceTargets, row.dual_source_targets);
    writer.word(kRenderTargets, row.render_targets);
    writer.word(kSamples, kMostSamples);
    writer.word(kPrimitiveMask, row.primitives);
    writer.word(kBufferTexels, row.buffer_texels);
    writer.word(kUniformBlocks, row.uniform_blocks);
    writer.word(kViewports, row.viewports);
    writer.word(kGatherComponents, row.gather_components);
    writer.word(kBufferTextureAlignment, row.buffer_texture_alignment);
    // Ranges (minimum, maximum) of points aliased, smooth; lines aliased, smooth. Last the LOD
    // bias.
    constexpr float kFloats[] = {1, 1024, 1, 1024, 1, 10, 1, 10, 15};
    for (size_t i = 0; i < std::size(kFloats); ++i)
        writer.number(kFloatLimits + i * sizeof(float), kFloats[i]);
    writer.words(kGeometryLimits, {256, 1024, row.vertex_outputs, 16, 30});
    writer.words(kTexelOffsets, {static_cast<uint32_t>(-8), 7, static_cast<uint32_t>(-8), 7});
    writer.word(kUniformAlignment, 256);
    writer.words(kTextureSizes, {row.texture_size, row.texture_depth, row.texture_size});
    writer.number(kAnisotropy, 16);
    writer.word(kSamplerViews, 16);
    for (size_t stage = 0; stage < 6; ++stage)
        writer.word(kConstantBufferSizes + stage * sizeof(uint32_t), 65536);
    writer.word(kUniformBlockSize, 65536);
    if (row.shader_writes)
        write_shader_limits(writer);
}

}  // namespace

Capset capability_set(GlLevel level, uint32_t version) {
    const LevelRow& row = kLevels[static_cast<size_t>(level)];
    Writer writer;
    writer.word(kVersion, version);
    write_formats(writer, level);
    writer.word(kSwitches, row.switches);
    writer.word(kGlslLevel, row.glsl);
    write_limits(writer, row);
    write_sample_locations(writer);
    writer.word(kCapabilityBits, row.capabilities);
    const bool modern = level >= GlLevel::Gl33;  // core profiles
    writer.word(kMoreCapabilityBits, kStringMarkers | (modern ? kDrawParameters : 0));
    // With less than 6, compatibility contexts stop at 3.1; from 5 on the driver shows kRenderer.
    writer.word(kFeatureCheckVersion, modern ? 6 : 5);
    writer.text(kRenderer, kRendererBytes, "Valkyr");
    return writer.set();
}

}  // namespace valkyr::virgl
