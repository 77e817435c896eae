// A conformance case: the resources, commands and expectation that a scene file describes.
// SPDX-License-Identifier: MIT
//
// Plain data. Each draw has a copy of the state that the file set before it; resources are named by
// index. The file format is docs/guide/conformance.md.
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace valkyr::conform {

/// A resource by its place in the case's list; kNone: nothing.
using Index = uint32_t;
inline constexpr Index kNone = 0xFFFFFFFF;

/// Texels of one level (all slices), tightly packed.
struct LevelContent {
    uint32_t level = 0;
    std::vector<uint8_t> bytes;
};

struct TextureResource {
    std::string name;
    raster::TextureDesc desc;
    std::vector<LevelContent> contents;
};

struct SurfaceName {
    Index texture = kNone;
    uint32_t level = 0;
    uint32_t layer = 0;
    uint32_t layer_count = 1;
    exec::Format format = exec::Format::None;  ///< None = the texture's own
};

struct FramebufferNames {
    std::vector<SurfaceName> color;
    SurfaceName depth_stencil;
};

struct BufferName {
    Index buffer = kNone;
    uint64_t offset = 0;
    uint64_t size = UINT64_MAX;
};

/// raster::TextureView without its texture or buffer.
struct TextureBinding {
    Index texture = kNone;
    BufferName buffer;
    raster::TextureView view;
};

/// raster::ImageView without its texture or buffer.
struct ImageBinding {
    Index texture = kNone;
    BufferName buffer;
    raster::ImageView view;
};

using raster::DrawStage;

/// A shader and its bindings.
struct StageNames {
    Index shader = kNone;
    std::vector<std::vector<uint32_t>> constants;
    std::vector<TextureBinding> textures;
    std::vector<raster::SamplerState> samplers;
    std::vector<ImageBinding> images;
    std::vector<BufferName> storage;
    std::vector<BufferName> counters;
};

/// Everything that one draw reads. The handles inside `pipeline` and `state` are empty: the player
/// fills them with the resources named below.
struct DrawCommand {
    raster::PipelineDesc pipeline;
    raster::DrawState state;
    raster::DrawInfo info;
    std::array<StageNames, raster::kDrawStages> stages;  ///< by DrawStage
    FramebufferNames framebuffer;
    std::vector<BufferName> vertex_buffers;
    BufferName index_buffer;
    std::vector<Index> stream_targets;  ///< by slot, of Case::streams
    // With a buffer, the draws are indirect and `info` only has the restart index.
    BufferName indirect;
    BufferName indirect_count;
    uint32_t draw_count = 1;
    uint32_t stride = 0;

    [[nodiscard]] StageNames& stage(DrawStage stage) { return stages[static_cast<size_t>(stage)]; }
    [[nodiscard]] const StageNames& stage(DrawStage stage) const {
        return stages[static_cast<size_t>(stage)];
    }
};

/// A dispatch, with its compute shader's bindings.
struct DispatchCommand {
    StageNames compute;
    uint32_t shared_bytes = 0;
    std::array<uint32_t, 3> groups{};
    BufferName indirect;  ///< if named: the buffer that holds the groups
};

struct ClearCommand {
    FramebufferNames framebuffer;
    raster::ClearInfo info;
};

struct BlitCommand {
    Index source = kNone;
    Index destination = kNone;
    raster::BlitInfo info;  ///< without textures
};

struct Command {
    SourcePos pos;
    std::variant<std::shared_ptr<const ClearCommand>,
                 std::shared_ptr<const DrawCommand>,
                 std::shared_ptr<const DispatchCommand>,
                 std::shared_ptr<const BlitCommand>>
        what;  ///< never null
};

/// A TGSI text. It begins at line `first_line` of the scene file, so that the device's errors get
/// places in that file.
struct ShaderText {
    std::string text;
    std::string file;  ///< empty: inline
    uint32_t first_line = 1;
};

struct Case {
    std::string title;       ///< one sentence
    unsigned tolerance = 0;  ///< allowed difference of a channel, in steps of 1/255
    std::string tolerance_reason;
    std::vector<ShaderText> shaders;
    std::vector<std::vector<std::byte>> buffers;
    std::vector<TextureResource> textures;
    std::vector<BufferName> streams;  ///< ranges that draws append captured primitives to
    std::vector<Command> commands;
    std::vector<SurfaceName> show;  ///< side by side in the picture
};

}  // namespace valkyr::conform
