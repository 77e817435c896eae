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
/// A range of a buffer. Draws clip it to the buffer.
struct RangeBinding {
    ResourcePtr resource;  ///< null: none
    uint32_t offset = 0;
    uint32_t bytes = 0;

    explicit operator bool() const { return resource != nullptr; }
};

/// The number of slots up to the last that is set.
size_t used_slots(const auto& slots) {
    size_t count = slots.size();
    while (count > 0 && !slots[count - 1])
        --count;
    return count;
}

/// The stage of draws for a shader stage; nullopt: the device lacks it, or it is compute.
std::optional<raster::DrawStage> draw_stage(ShaderStage stage);

/// Bindings of one shader stage.
struct StageState {
    Ref<ShaderObject> shader;
    std::array<Ref<ViewObject>, kMaxSlots> views;
    std::array<Ref<SamplerObject>, kMaxSlots> samplers;
    std::array<RangeBinding, kMaxUniformBuffers> uniforms;  ///< [0] is never set
    std::array<RangeBinding, kMaxShaderBuffers> storage;
    std::array<ImageBinding, kMaxImages> images;
    // Whether one was ever bound.
    bool has_uniforms = false;
    bool has_buffer_views = false;
    bool has_storage = false;
    bool has_images = false;
};

/// Draws, clears and blits with the render condition bit run only if a query's result allows it.
struct RenderCondition {
    Ref<QueryObject> query;  ///< null: always
    bool inverted = false;   ///< run if the result is 0
};

/// Called with the result of each device call while a draw is prepared.
using Refused = std::function<void(const Result<void>&)>;

/// Owns objects, bindings, and the raster::DrawState and DispatchState made of them. Each setter
/// marks the groups of the state that it changes; a draw gets them from take_changes().
class SubContext {
public:
    // --- objects by handle

    /// The object with this handle if its type is T, else null.
    template <typename T>
    [[nodiscard]] Ref<T> find(uint32_t handle) const {
        const auto place = objects_.find(handle);
        if (place == objects_.end())
            return nullptr;
        const auto* object = std::get_if<Ref<T>>(&place->second);
        return object == nullptr ? nullptr : *object;
    }
    /// Replaces an object; true if the handle had none.
    bool keep_object(uint32_t handle, Object object) {
        return objects_.insert_or_assign(handle, std::move(object)).second;
    }
    /// False if the handle has no object.
    bool drop_object(uint32_t handle);
    [[nodiscard]] size_t object_count() const noexcept { return objects_.size(); }
    [[nodiscard]] const std::unordered_map<uint32_t, Object>& objects() const noexcept {
        return objects_;
    }

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
    /// Call when the text of a shader is complete, as the shader may be bound already.
    void shader_completed(const ShaderObject& shader) noexcept;
    void set_sample_shading(bool shading);

    // --- resources and numbers

    /// first  first + viewports.size() <= kMaxViewports, also for scissors
    void set_viewports(uint32_t first, std::span<const raster::Viewport> viewports);
    void set_scissors(uint32_t first, std::span<const raster::Rect> scissors);
    void set_framebuffer(std::vector<Ref<SurfaceObject>> color, Ref<SurfaceObject> depth_stencil);
    /// Sets the same framebuffer again, because a resource has another texture now.
    void renew_framebuffer() { set_framebuffer(color_, depth_stencil_); }
    /// Pixels, layers and samples of a framebuffer without attachments.
    void set_framebuffer_size(uint32_t width, uint32_t height, uint32_t layers, uint32_t samples);
    [[nodiscard]] const std::vector<Ref<SurfaceObject>>& color() const noexcept { return color_; }
    [[nodiscard]] const Ref<SurfaceObject>& depth_stencil() const noexcept {
        return depth_stencil_;
    }
    /// Slots after the given ones become empty.
    void set_vertex_buffers(std::vector<VertexBufferBinding> bindings);
    void set_index_buffer(IndexBufferBinding binding);
    /// Sets constant buffer 0 of a stage.
    void set_constants(ShaderStage stage, std::span<const uint32_t> words);
    void set_uniform_buffer(ShaderStage stage, uint32_t slot, RangeBinding binding);
    /// first  first + views.size() <= kMaxSlots
    void set_views(ShaderStage stage, uint32_t first, std::span<const Ref<ViewObject>> views);
    void
    set_samplers(ShaderStage stage, uint32_t first, std::span<const Ref<SamplerObject>> samplers);
    /// Slots other than the given ones stay. first  first + ranges.size() <= kMaxShaderBuffers
    void set_storage(ShaderStage stage, uint32_t first, std::span<const RangeBinding> ranges);
    /// first  first + images.size() <= kMaxImages
    void set_images(ShaderStage stage, uint32_t first, std::span<const ImageBinding> images);
    /// Sets a member of the draw state that is in raster::StateGroup::Numbers.
    template <typename T>
    void set_number(T raster::DrawState::*member, const T& value) {
        if (draw_.*member == value)
            return;
        draw_.*member = value;
        changed_ |= raster::StateGroup::Numbers;
    }
    /// handles  of the targets. False: this list was bound before, or is empty; keep the positions.
    bool set_stream_targets(std::vector<Ref<StreamTargetObject>> targets,
                            std::span<const uint32_t> handles);
    [[nodiscard]] const std::vector<Ref<StreamTargetObject>>& stream_targets() const noexcept {
        return stream_targets_;
    }
    void set_condition(RenderCondition condition) { condition_ = std::move(condition); }
    [[nodiscard]] const RenderCondition& condition() const noexcept { return condition_; }

    // --- drawing and dispatching (draw_preparation.cpp)

    /// Brings draw() up to date: pipeline, host storage of buffers, contents of uniform buffers.
    /// errors  the pipeline cannot be made; the text says why
    Result<void> prepare(raster::Device& device,
                         PipelineCache& pipelines,
                         raster::Primitive primitive,
                         bool indexed,
                         const Refused& refused);
    /// The state for the device, complete after prepare().
    [[nodiscard]] const raster::DrawState& draw() const noexcept { return draw_; }
    /// Brings dispatch() up to date.
    /// group_size  invocations of a work-group that the client announced
    /// errors  no compute shader, or one of another group size; the pipeline cannot be made
    Result<void> prepare_dispatch(raster::Device& device,
                                  PipelineCache& pipelines,
                                  const std::array<uint32_t, 3>& group_size,
                                  const Refused& refused);
    /// The state for the device, complete after prepare_dispatch().
    [[nodiscard]] const raster::DispatchState& dispatch() const noexcept { return dispatch_; }
    /// Returns the groups that changed since the last call.
    raster::StateGroups take_changes() noexcept { return std::exchange(changed_, {}); }
    /// Call if the device's last draw was of another sub-context.
    void change_all() noexcept { changed_ = raster::StateGroups::all(); }
    /// The number of vertices in the stream output target that a draw reads. The command names only
    /// the target's size. Candidates are unbound targets of this size that hold vertices; preferred
    /// are targets whose buffer is bound as a vertex buffer, then the target that was bound last.
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
    void use_storage(raster::Device& device, ShaderStage which);
    void use_images(raster::Device& device, ShaderStage which);
    void use_units(raster::Device& device, ShaderStage which);
    /// The device's resources of a stage; null: it lacks this stage.
    [[nodiscard]] raster::StageResources* resources(ShaderStage which);
    void mark_constants(ShaderStage which);
    void mark_units(ShaderStage which);
    /// Whether the units of a stage were marked since the last draw or dispatch that used them.
    [[nodiscard]] bool units_marked(ShaderStage which) const;
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
    std::vector<std::vector<uint32_t>> past_lists_;  ///< handles of the lists bound so far
    uint64_t stream_clock_ = 0;
    RenderCondition condition_;
    std::array<raster::Viewport, kMaxViewports> viewports_{};
    std::array<raster::Rect, kMaxViewports> scissors_{};
    raster::DrawState draw_;
    raster::DispatchState dispatch_;
    bool dispatch_units_marked_ = true;
    /// Groups in which `draw_`, or the bindings that it is made of, differ from the last draw.
    raster::StateGroups changed_ = raster::StateGroups::all();
};

}  // namespace valkyr::virgl
