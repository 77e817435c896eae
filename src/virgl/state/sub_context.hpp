// Sub-context: holds the objects and bindings of one OpenGL context of a client.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "virgl/state/objects.hpp"
#include "virgl/state/pipelines.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace valkyr::virgl {

struct VertexBufferBinding {
    ResourcePtr resource;
    uint32_t offset = 0;
    uint32_t stride = 0;  ///< part of the pipeline
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

/// The device's stage of a shader stage; none: the device does not draw with it.
std::optional<raster::DrawStage> draw_stage(ShaderStage stage);

/// Bindings of one shader stage.
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

/// Gets what the device refuses while a draw is prepared.
using Refused = std::function<void(const Result<void>&)>;

/// Objects, bindings, and the raster::DrawState that is made of them. Each setter marks the groups
/// of that state which it changes; take_changes() hands them on with a draw.
class SubContext {
public:
    // --- objects by handle

    /// The object of a handle if it is a T, else null.
    template <typename T>
    [[nodiscard]] Ref<T> find(uint32_t handle) const {
        const auto place = objects_.find(handle);
        if (place == objects_.end())
            return nullptr;
        const auto* object = std::get_if<Ref<T>>(&place->second);
        return object == nullptr ? nullptr : *object;
    }
    /// True if the handle had no object.
    bool keep_object(uint32_t handle, Object object) {
        return objects_.insert_or_assign(handle, std::move(object)).second;
    }
    /// False if there is none.
    bool drop_object(uint32_t handle);
    [[nodiscard]] size_t object_count() const noexcept { return objects_.size(); }

    // --- parts of the pipeline

    [[nodiscard]] const PipelineParts& parts() const noexcept { return parts_; }
    template <typename T>
    void bind(Ref<T> PipelineParts::*part, Ref<T> object) {
        const auto id = [](const Ref<T>& o) { return o ? o->id : 0; };
        parts_changed_ |= id(parts_.*part) != id(object);
        parts_.*part = std::move(object);
    }
    void bind_depth_stencil(Ref<DepthStencilObject> object);
    void bind_shader(ShaderStage stage, Ref<ShaderObject> shader);
    /// The text of a shader, which may be bound, is complete.
    void shader_completed() noexcept { parts_changed_ = true; }
    void set_sample_shading(bool shading);

    // --- resources and numbers

    /// first  first + viewports.size() <= kMaxViewports; the same for scissors
    void set_viewports(uint32_t first, std::span<const raster::Viewport> viewports);
    void set_scissors(uint32_t first, std::span<const raster::Rect> scissors);
    void set_framebuffer(std::vector<Ref<SurfaceObject>> color, Ref<SurfaceObject> depth_stencil);
    /// Pixels, layers and samples of a framebuffer without attachments.
    void set_framebuffer_size(uint32_t width, uint32_t height, uint32_t layers, uint32_t samples);
    [[nodiscard]] const std::vector<Ref<SurfaceObject>>& color() const noexcept { return color_; }
    [[nodiscard]] const Ref<SurfaceObject>& depth_stencil() const noexcept {
        return depth_stencil_;
    }
    /// Slots behind the given ones are emptied.
    void set_vertex_buffers(std::vector<VertexBufferBinding> bindings);
    void set_index_buffer(IndexBufferBinding binding);
    /// Constant buffer 0 of a stage.
    void set_constants(ShaderStage stage, std::span<const uint32_t> words);
    void set_uniform_buffer(ShaderStage stage, uint32_t slot, UniformBinding binding);
    /// first  first + views.size() <= kMaxSlots
    void set_views(ShaderStage stage, uint32_t first, std::span<const Ref<ViewObject>> views);
    void
    set_samplers(ShaderStage stage, uint32_t first, std::span<const Ref<SamplerObject>> samplers);
    /// One of the numbers of the draw state (raster::StateGroup::Numbers).
    template <typename T>
    void set_number(T raster::DrawState::*member, const T& value) {
        if (draw_.*member == value)
            return;
        draw_.*member = value;
        changed_ |= raster::StateGroup::Numbers;
    }
    /// handles  those of the targets. False: this list was bound before, and its positions hold.
    bool set_stream_targets(std::vector<Ref<StreamTargetObject>> targets,
                            std::span<const uint32_t> handles);
    [[nodiscard]] const std::vector<Ref<StreamTargetObject>>& stream_targets() const noexcept {
        return stream_targets_;
    }
    void set_condition(RenderCondition condition) { condition_ = std::move(condition); }
    [[nodiscard]] const RenderCondition& condition() const noexcept { return condition_; }

    // --- drawing (draw_preparation.cpp)

    /// Brings draw() up to date: its pipeline, host storage of buffers, contents of uniform
    /// buffers. errors  no pipeline: the text says why
    Result<void> prepare(raster::Device& device,
                         PipelineCache& pipelines,
                         raster::Primitive primitive,
                         bool indexed,
                         const Refused& refused);
    /// State for the device, whole after prepare().
    [[nodiscard]] const raster::DrawState& draw() const noexcept { return draw_; }
    /// The groups that differ from those of the last call.
    raster::StateGroups take_changes() noexcept { return std::exchange(changed_, {}); }
    /// The device's last draw was not one of this sub-context.
    void change_all() noexcept { changed_ = raster::StateGroups::all(); }
    /// The number of vertices that stream output left in the target that a draw means: of targets
    /// of this size that are not bound, one whose buffer is bound for drawing before others, then
    /// the one that was bound last. The command names no more than the size.
    [[nodiscard]] uint32_t captured_vertices(uint32_t size) const;

private:
    [[nodiscard]] StageState& stage(ShaderStage which) {
        return stages_[static_cast<size_t>(which)];
    }
    Result<void> use_pipeline(PipelineCache& pipelines, raster::Primitive primitive);
    void use_vertex_buffers(raster::Device& device);
    void use_index_buffer(raster::Device& device, bool indexed);
    void use_uniforms(raster::Device& device, ShaderStage which, const Refused& refused);
    void use_buffer_views(raster::Device& device, ShaderStage which);
    void use_viewports();
    void note_capture() const;

    std::unordered_map<uint32_t, Object> objects_;
    std::array<StageState, kShaderStages> stages_;
    PipelineParts parts_;
    bool parts_changed_ = true;
    std::array<VertexBufferBinding, kMaxSlots> vertex_buffers_;
    uint32_t vertex_buffer_count_ = 0;
    IndexBufferBinding index_buffer_;
    std::vector<Ref<SurfaceObject>> color_;
    Ref<SurfaceObject> depth_stencil_;
    std::vector<Ref<StreamTargetObject>> stream_targets_;
    std::vector<std::vector<uint32_t>> past_lists_;  ///< lists of targets that were bound
    uint64_t stream_clock_ = 0;
    RenderCondition condition_;
    std::array<raster::Viewport, kMaxViewports> viewports_{};
    std::array<raster::Rect, kMaxViewports> scissors_{};
    raster::DrawState draw_;
    /// Groups in which `draw_`, or the bindings that it is made of, differ from the last draw.
    raster::StateGroups changed_ = raster::StateGroups::all();
};

}  // namespace valkyr::virgl
