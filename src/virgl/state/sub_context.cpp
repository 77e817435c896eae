// Sub-context: keeps the objects and bindings of one OpenGL context, and marks changes.
// SPDX-License-Identifier: MIT
#include "virgl/state/sub_context.hpp"

#include <algorithm>

namespace valkyr::virgl {
namespace {

using raster::StateGroup;

raster::Surface surface_of(const Ref<SurfaceObject>& object) {
    if (!object)
        return {};
    raster::Surface surface;
    surface.texture = object->resource->texture();
    surface.format = drawn_format(*object);
    surface.level = object->level;
    surface.layer = object->first_layer;
    surface.layer_count = object->last_layer - object->first_layer + 1;
    return surface;
}

}  // namespace

std::optional<raster::DrawStage> draw_stage(ShaderStage stage) {
    switch (stage) {
    case ShaderStage::Vertex: return raster::DrawStage::Vertex;
    case ShaderStage::Geometry: return raster::DrawStage::Geometry;
    case ShaderStage::Fragment: return raster::DrawStage::Fragment;
    case ShaderStage::TessControl: return raster::DrawStage::TessControl;
    case ShaderStage::TessEvaluation: return raster::DrawStage::TessEvaluation;
    case ShaderStage::Compute: break;
    }
    return std::nullopt;
}

bool SubContext::drop_object(uint32_t handle) {
    std::erase_if(past_lists_,
                  [&](const auto& list) { return std::ranges::find(list, handle) != list.end(); });
    return objects_.erase(handle) != 0;
}

void SubContext::bind_depth_stencil(Ref<DepthStencilObject> object) {
    set_number(&raster::DrawState::alpha_reference, object ? object->alpha_reference : 0);
    bind(&PipelineParts::depth_stencil, std::move(object));
}

raster::StageResources* SubContext::resources(ShaderStage which) {
    if (which == ShaderStage::Compute)
        return &dispatch_.resources;
    const auto drawn = draw_stage(which);
    return drawn ? &draw_.stage(*drawn) : nullptr;
}

void SubContext::mark_constants(ShaderStage which) {
    if (const auto drawn = draw_stage(which))
        changed_ |= constants_group(*drawn);
}

void SubContext::mark_units(ShaderStage which) {
    if (const auto drawn = draw_stage(which))
        changed_ |= units_group(*drawn);
    else if (which == ShaderStage::Compute)
        dispatch_units_marked_ = true;
}

bool SubContext::units_marked(ShaderStage which) const {
    const auto drawn = draw_stage(which);
    return drawn ? changed_.has(units_group(*drawn)) : dispatch_units_marked_;
}

void SubContext::shader_completed(const ShaderObject& shader) noexcept {
    parts_changed_ = true;
    if (shader.images.mask != 0)
        mark_units(shader.stage);
}

void SubContext::bind_shader(ShaderStage which, Ref<ShaderObject> shader) {
    const Ref<ShaderObject>& old = stage(which).shader;
    if ((old && old->images.mask != 0) || (shader && shader->images.mask != 0))
        mark_units(which);
    stage(which).shader = shader;
    switch (which) {
    case ShaderStage::Vertex: parts_.vertex = std::move(shader); break;
    case ShaderStage::TessControl: parts_.tess_control = std::move(shader); break;
    case ShaderStage::TessEvaluation: parts_.tess_evaluation = std::move(shader); break;
    case ShaderStage::Geometry: parts_.geometry = std::move(shader); break;
    case ShaderStage::Fragment: parts_.fragment = std::move(shader); break;
    case ShaderStage::Compute: break;
    }
    parts_changed_ = true;
}

void SubContext::set_sample_shading(bool shading) {
    parts_changed_ |= parts_.sample_shading != shading;
    parts_.sample_shading = shading;
}

void SubContext::set_viewports(uint32_t first, std::span<const raster::Viewport> viewports) {
    std::ranges::copy(viewports, viewports_.begin() + first);
    changed_ |= StateGroup::Viewports;
}

void SubContext::set_scissors(uint32_t first, std::span<const raster::Rect> scissors) {
    std::ranges::copy(scissors, scissors_.begin() + first);
    changed_ |= StateGroup::Viewports;
}

void SubContext::set_framebuffer(std::vector<Ref<SurfaceObject>> color,
                                 Ref<SurfaceObject> depth_stencil) {
    color_ = std::move(color);
    depth_stencil_ = std::move(depth_stencil);
    draw_.framebuffer = {};
    draw_.framebuffer.depth_stencil = surface_of(depth_stencil_);
    for (const Ref<SurfaceObject>& surface : color_)
        draw_.framebuffer.color.push_back(surface_of(surface));
    changed_ |= StateGroup::Framebuffer;
}

void SubContext::set_framebuffer_size(uint32_t width,
                                      uint32_t height,
                                      uint32_t layers,
                                      uint32_t samples) {
    draw_.framebuffer.width = width;
    draw_.framebuffer.height = height;
    draw_.framebuffer.layers = layers;
    draw_.framebuffer.samples = samples;
    changed_ |= StateGroup::Framebuffer;
}

void SubContext::set_vertex_buffers(std::vector<VertexBufferBinding> bindings) {
    const auto count = static_cast<uint32_t>(bindings.size());
    for (uint32_t i = 0; i < count; ++i) {
        parts_changed_ |= parts_.strides[i] != bindings[i].stride;
        parts_.strides[i] = bindings[i].stride;
        vertex_buffers_[i] = std::move(bindings[i]);
    }
    for (uint32_t i = count; i < vertex_buffer_count_; ++i)
        vertex_buffers_[i] = {};
    vertex_buffer_count_ = count;
    changed_ |= StateGroup::VertexBuffers;
}

void SubContext::set_index_buffer(IndexBufferBinding binding) {
    index_buffer_ = std::move(binding);
    changed_ |= StateGroup::IndexBuffer;
}

void SubContext::set_constants(ShaderStage which, std::span<const uint32_t> words) {
    raster::StageResources* of_stage = resources(which);
    if (of_stage == nullptr)
        return;
    auto& constants = of_stage->constants;
    if (constants.empty())
        constants.resize(1);
    constants.front().assign(words.begin(), words.end());
    mark_constants(which);
}

void SubContext::set_uniform_buffer(ShaderStage which, uint32_t slot, RangeBinding binding) {
    StageState& state = stage(which);
    state.has_uniforms |= binding.resource != nullptr;
    state.uniforms[slot] = std::move(binding);
}

void SubContext::set_views(ShaderStage which,
                           uint32_t first,
                           std::span<const Ref<ViewObject>> views) {
    StageState& state = stage(which);
    std::ranges::copy(views, state.views.begin() + first);
    state.has_buffer_views |= std::ranges::any_of(
        views, [](const Ref<ViewObject>& view) { return view && view->resource->is_buffer(); });
    raster::StageResources* of_stage = resources(which);
    if (of_stage == nullptr)
        return;
    auto& textures = of_stage->textures;
    textures.resize(used_slots(state.views));
    for (size_t i = first; i < textures.size(); ++i)
        textures[i] = state.views[i] ? state.views[i]->view : raster::TextureView();
    mark_units(which);
}

void SubContext::set_samplers(ShaderStage which,
                              uint32_t first,
                              std::span<const Ref<SamplerObject>> samplers) {
    StageState& state = stage(which);
    std::ranges::copy(samplers, state.samplers.begin() + first);
    raster::StageResources* of_stage = resources(which);
    if (of_stage == nullptr)
        return;
    auto& states = of_stage->samplers;
    states.resize(used_slots(state.samplers));
    for (size_t i = first; i < states.size(); ++i)
        states[i] = state.samplers[i] ? state.samplers[i]->state : raster::SamplerState();
    mark_units(which);
}

void SubContext::set_storage(ShaderStage which,
                             uint32_t first,
                             std::span<const RangeBinding> ranges) {
    StageState& state = stage(which);
    std::ranges::copy(ranges, state.storage.begin() + first);
    state.has_storage |= std::ranges::any_of(ranges, [](const auto& r) { return bool(r); });
    mark_units(which);
}

void SubContext::set_images(ShaderStage which,
                            uint32_t first,
                            std::span<const ImageBinding> images) {
    StageState& state = stage(which);
    std::ranges::copy(images, state.images.begin() + first);
    state.has_images |= std::ranges::any_of(images, [](const auto& i) { return bool(i); });
    mark_units(which);
}

bool SubContext::set_stream_targets(std::vector<Ref<StreamTargetObject>> targets,
                                    std::span<const uint32_t> handles) {
    constexpr size_t kMostLists = 256;
    ++stream_clock_;
    for (const auto& target : stream_targets_)
        if (target)
            target->released = stream_clock_;
    stream_targets_ = std::move(targets);
    draw_.stream_targets.clear();
    for (const auto& target : stream_targets_)
        draw_.stream_targets.push_back(target ? target->target : nullptr);
    changed_ |= StateGroup::StreamTargets;
    parts_.captures = !stream_targets_.empty();
    parts_changed_ = true;
    std::vector<uint32_t> list(handles.begin(), handles.end());
    if (list.empty() || std::ranges::find(past_lists_, list) != past_lists_.end())
        return false;
    if (past_lists_.size() == kMostLists)
        past_lists_.erase(past_lists_.begin());
    past_lists_.push_back(std::move(list));
    return true;
}

uint32_t SubContext::captured_vertices(uint32_t size) const {
    const StreamTargetObject* best = nullptr;
    std::pair<bool, uint64_t> best_rank;
    for (const auto& [handle, object] : objects_) {
        const auto* target = std::get_if<Ref<StreamTargetObject>>(&object);
        if (target == nullptr || !(*target)->target || (*target)->size != size ||
            (*target)->vertex_bytes == 0 ||
            std::ranges::find(stream_targets_, *target) != stream_targets_.end())
            continue;
        const bool drawn = std::ranges::any_of(vertex_buffers_, [&](const auto& buffer) {
            return buffer.resource == (*target)->resource;
        });
        const std::pair<bool, uint64_t> rank{drawn, (*target)->released};
        if (best == nullptr || rank > best_rank) {
            best = target->get();
            best_rank = rank;
        }
    }
    if (best == nullptr)
        return 0;
    return static_cast<uint32_t>(
        std::min<uint64_t>(best->target->position() / best->vertex_bytes, UINT32_MAX));
}

}  // namespace valkyr::virgl
