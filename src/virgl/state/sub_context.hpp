// Sub-context: holds the objects and bindings of one OpenGL context of a client.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "virgl/state/objects.hpp"
#include "virgl/state/pipelines.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace valkyr::virgl {

struct VertexBufferBinding {
    ResourcePtr resource;
    uint32_t offset = 0;
};
struct IndexBufferBinding {
    ResourcePtr resource;
    uint32_t offset = 0;  ///< includes the first index of the draw
    raster::IndexType type = raster::IndexType::None;
};
struct UniformBinding {
    ResourcePtr resource;
    uint32_t offset = 0;
    uint32_t bytes = 0;
};

struct StageState {
    Ref<ShaderObject> shader;
    std::array<Ref<ViewObject>, kMaxSlots> views;
    std::array<Ref<SamplerObject>, kMaxSlots> samplers;
    std::array<UniformBinding, kMaxUniformBuffers> uniforms;  ///< [0] is never set
    bool has_uniforms = false;
    bool has_buffer_views = false;
};

/// Draws and clears are made, and blits that ask for it, only if a query's result says so.
struct RenderCondition {
    Ref<QueryObject> query;  ///< null: always
    bool inverted = false;   ///< do so if the result is 0
};

struct SubContext {
    std::unordered_map<uint32_t, Object> objects;
    std::array<StageState, kShaderStages> stages;
    PipelineParts parts;
    bool parts_changed = true;
    std::array<VertexBufferBinding, kMaxSlots> vertex_buffers;
    uint32_t vertex_buffer_count = 0;
    IndexBufferBinding index_buffer;
    std::vector<Ref<SurfaceObject>> color;
    Ref<SurfaceObject> depth_stencil;
    std::vector<Ref<StreamTargetObject>> stream_targets;
    std::vector<std::vector<uint32_t>> past_lists;  ///< lists that were bound, whose positions hold
    uint64_t stream_clock = 0;
    RenderCondition condition;
    std::array<raster::Viewport, kMaxViewports> viewports{};
    std::array<raster::Rect, kMaxViewports> scissors{};
    /// State for the rasterizer. Constants, textures, samplers and framebuffer
    /// are kept up to date by the commands; the rest is filled in when something is drawn.
    raster::DrawState draw;
    /// Groups in which `draw`, or what it is filled from, differs from what was drawn last on the
    /// device: commands that change something add its group.
    raster::StateGroups changed = raster::StateGroups::all();

    /// The object of a handle if it is a T, else null.
    template <typename T>
    [[nodiscard]] Ref<T> find(uint32_t handle) const {
        const auto place = objects.find(handle);
        if (place == objects.end())
            return nullptr;
        const auto* object = std::get_if<Ref<T>>(&place->second);
        return object == nullptr ? nullptr : *object;
    }
    [[nodiscard]] StageState& stage(ShaderStage which) {
        return stages[static_cast<size_t>(which)];
    }
};

}  // namespace valkyr::virgl
