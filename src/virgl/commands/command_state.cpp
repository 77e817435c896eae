// State commands: set viewports, framebuffers, buffers, constants and textures.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

#include <algorithm>

namespace valkyr::virgl {
namespace {

using raster::StateGroup;
using raster::StateGroups;

Result<void> check_multiple(const Words& words, size_t head, size_t unit) {
    if (words.size() >= head && (words.size() - head) % unit == 0)
        return {};
    return malformed(std::to_string(words.size()) + " words are not whole items");
}

Result<ShaderStage> stage_of(const Command& command) {
    return enumerator(command.words[1], ShaderStage::Compute, "shader stage");
}

/// The first slot in [2] and a handle a word behind it.
Result<uint32_t> first_slot(const Command& command) {
    const uint32_t first = command.words[2];
    if (first > kMaxSlots || command.words.size() - 2 > kMaxSlots - first)
        return malformed("slots from " + std::to_string(first) + " on: there are " +
                         std::to_string(kMaxSlots));
    return first;
}

/// The lists of a stage in the rasterizer's state, and their groups; null and none for stages that
/// it does not have.
struct StageLists {
    std::vector<raster::TextureView>* textures = nullptr;
    std::vector<raster::SamplerState>* samplers = nullptr;
    std::vector<std::vector<uint32_t>>* constants = nullptr;
    StateGroups units = {};
    StateGroups constants_group = {};
};
StageLists lists_of(raster::DrawState& draw, ShaderStage stage) {
    if (stage == ShaderStage::Vertex)
        return {&draw.vertex_textures, &draw.vertex_samplers, &draw.vertex_constants,
                StateGroup::VertexUnits, StateGroup::VertexConstants};
    if (stage == ShaderStage::Geometry)
        return {&draw.geometry.textures, &draw.geometry.samplers, &draw.geometry.constants,
                StateGroup::GeometryUnits, StateGroup::GeometryConstants};
    if (stage == ShaderStage::Fragment)
        return {&draw.fragment_textures, &draw.fragment_samplers, &draw.fragment_constants,
                StateGroup::FragmentUnits, StateGroup::FragmentConstants};
    return {};
}

size_t used_slots(const auto& slots) {
    size_t count = slots.size();
    while (count > 0 && !slots[count - 1])
        --count;
    return count;
}

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

Result<void> set_viewport_state(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY_VOID(check_multiple(words, 1, 6));
    if (words[1] + (words.size() - 1) / 6 > kMaxViewports)
        return malformed("more than " + std::to_string(kMaxViewports) + " viewports");
    context.sub().changed |= StateGroup::Viewports;
    raster::Viewport* viewport = context.sub().viewports.data() + words[1];
    for (size_t at = 2; at < words.size() + 1; at += 6, ++viewport)
        for (size_t axis = 0; axis < 3; ++axis) {
            viewport->scale[axis] = words.number(at + axis);
            viewport->translate[axis] = words.number(at + 3 + axis);
        }
    return {};
}

Result<void> set_scissor_state(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY_VOID(check_multiple(words, 1, 2));
    if (words[1] + (words.size() - 1) / 2 > kMaxViewports)
        return malformed("more than " + std::to_string(kMaxViewports) + " scissors");
    const auto corner = [&](size_t at, unsigned start) {
        return static_cast<int32_t>(words.bits(at, start, 16));
    };
    context.sub().changed |= StateGroup::Viewports;
    raster::Rect* scissor = context.sub().scissors.data() + words[1];
    for (size_t at = 2; at < words.size() + 1; at += 2, ++scissor)
        *scissor = {corner(at, 0), corner(at, 16), corner(at + 1, 0), corner(at + 1, 16)};
    return {};
}

Result<void> set_framebuffer_state(Context& context, const Command& command) {
    const Words& words = command.words;
    const uint32_t count = words[1];
    if (count > exec::kMaxRenderTargets || words.size() != size_t{count} + 2)
        return malformed(std::to_string(count) + " colour surfaces in " +
                         std::to_string(words.size()) + " words");
    SubContext& sub = context.sub();
    const auto find = [&](uint32_t handle) -> Result<Ref<SurfaceObject>> {
        Ref<SurfaceObject> surface = sub.find<SurfaceObject>(handle);
        if (handle != 0 && !surface)
            return malformed("no surface " + std::to_string(handle));
        return surface;
    };
    VALKYR_TRY(depth_stencil, find(words[2]));
    std::vector<Ref<SurfaceObject>> color;
    for (const uint32_t handle : words.from(3)) {
        VALKYR_TRY(surface, find(handle));
        color.push_back(std::move(surface));
    }
    sub.changed |= StateGroup::Framebuffer;
    sub.depth_stencil = std::move(depth_stencil);
    sub.color = std::move(color);
    raster::Framebuffer& framebuffer = sub.draw.framebuffer;
    framebuffer = {};
    framebuffer.depth_stencil = surface_of(sub.depth_stencil);
    for (const Ref<SurfaceObject>& surface : sub.color)
        framebuffer.color.push_back(surface_of(surface));
    return {};
}

Result<void> set_framebuffer_no_attach(Context& context, const Command& command) {
    context.sub().changed |= StateGroup::Framebuffer;
    raster::Framebuffer& framebuffer = context.sub().draw.framebuffer;
    framebuffer.width = command.words.bits(1, 0, 16);
    framebuffer.height = command.words.bits(1, 16, 16);
    framebuffer.layers = std::max(command.words.bits(2, 0, 16), 1U);
    framebuffer.samples = std::max(command.words.bits(2, 16, 16), 1U);
    return {};
}

Result<void> set_vertex_buffers(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY_VOID(check_multiple(words, 0, 3));
    SubContext& sub = context.sub();
    const auto count = static_cast<uint32_t>(words.size() / 3);
    sub.changed |= StateGroup::VertexBuffers;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t stride = words[1 + 3 * i];
        VALKYR_TRY(resource, context.resource_or_none(words[3 + 3 * i]));
        sub.parts_changed |= sub.parts.strides[i] != stride;
        sub.parts.strides[i] = stride;
        sub.vertex_buffers[i].resource = std::move(resource);
        sub.vertex_buffers[i].offset = words[2 + 3 * i];
    }
    for (uint32_t i = count; i < sub.vertex_buffer_count; ++i)
        sub.vertex_buffers[i] = {};
    sub.vertex_buffer_count = count;
    return {};
}

Result<void> set_index_buffer(Context& context, const Command& command) {
    IndexBufferBinding binding;
    VALKYR_TRY(resource, context.resource_or_none(command.words[1]));
    if (resource) {
        switch (command.words[2]) {
        case 1: binding.type = raster::IndexType::U8; break;
        case 2: binding.type = raster::IndexType::U16; break;
        case 4: binding.type = raster::IndexType::U32; break;
        default: return malformed("indices of " + std::to_string(command.words[2]) + " bytes");
        }
        binding.offset = command.words[3];
        binding.resource = std::move(resource);
    }
    context.sub().changed |= StateGroup::IndexBuffer;
    context.sub().index_buffer = std::move(binding);
    return {};
}

Result<void> set_constant_buffer(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    if (command.words[2] >= kMaxUniformBuffers)
        return malformed("no constant buffer " + std::to_string(command.words[2]));
    SubContext& sub = context.sub();
    if (command.words[2] != 0) {
        sub.stage(stage).uniforms[command.words[2]] = {};
        return {};
    }
    const StageLists lists = lists_of(sub.draw, stage);
    if (lists.constants == nullptr)
        return {};
    if (lists.constants->empty())
        lists.constants->resize(1);
    const auto data = command.words.from(3);
    lists.constants->front().assign(data.begin(), data.end());
    sub.changed |= lists.constants_group;
    return {};
}

Result<void> set_uniform_buffer(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    if (command.words[2] == 0 || command.words[2] >= kMaxUniformBuffers)
        return malformed("no uniform buffer " + std::to_string(command.words[2]));
    VALKYR_TRY(resource, context.resource_or_none(command.words[5]));
    StageState& state = context.sub().stage(stage);
    state.has_uniforms |= resource != nullptr;
    state.uniforms[command.words[2]] = {std::move(resource), command.words[3], command.words[4]};
    return {};
}

Result<void> set_sampler_views(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    VALKYR_TRY(first, first_slot(command));
    SubContext& sub = context.sub();
    StageState& state = sub.stage(stage);
    uint32_t slot = first;
    for (const uint32_t handle : command.words.from(3)) {
        Ref<ViewObject> view = sub.find<ViewObject>(handle);
        if (handle != 0 && !view)
            return malformed("no sampler view " + std::to_string(handle));
        state.has_buffer_views |= view && view->resource->is_buffer();
        state.views[slot++] = std::move(view);
    }
    const StageLists lists = lists_of(sub.draw, stage);
    sub.changed |= lists.units;
    if (auto* textures = lists.textures) {
        textures->resize(used_slots(state.views));
        for (size_t i = first; i < textures->size(); ++i)
            (*textures)[i] = state.views[i] ? state.views[i]->view : raster::TextureView();
    }
    return {};
}

Result<void> bind_sampler_states(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    VALKYR_TRY(first, first_slot(command));
    SubContext& sub = context.sub();
    StageState& state = sub.stage(stage);
    uint32_t slot = first;
    for (const uint32_t handle : command.words.from(3)) {
        Ref<SamplerObject> sampler = sub.find<SamplerObject>(handle);
        if (handle != 0 && !sampler)
            return malformed("no sampler state " + std::to_string(handle));
        state.samplers[slot++] = std::move(sampler);
    }
    const StageLists lists = lists_of(sub.draw, stage);
    sub.changed |= lists.units;
    if (auto* samplers = lists.samplers) {
        samplers->resize(used_slots(state.samplers));
        for (size_t i = first; i < samplers->size(); ++i)
            (*samplers)[i] = state.samplers[i] ? state.samplers[i]->state : raster::SamplerState();
    }
    return {};
}

Result<void> set_stencil_ref(Context& context, const Command& command) {
    context.sub().changed |= StateGroup::Numbers;
    context.sub().draw.stencil_reference = {static_cast<uint8_t>(command.words.bits(1, 0, 8)),
                                            static_cast<uint8_t>(command.words.bits(1, 8, 8))};
    return {};
}

Result<void> set_blend_color(Context& context, const Command& command) {
    context.sub().changed |= StateGroup::Numbers;
    for (size_t i = 0; i < 4; ++i)
        context.sub().draw.blend_color[i] = command.words.number(1 + i);
    return {};
}

Result<void> set_polygon_stipple(Context& context, const Command& command) {
    context.sub().changed |= StateGroup::Numbers;
    auto& rows = context.sub().draw.polygon_stipple;
    std::ranges::copy(command.words.from(1).first(rows.size()), rows.begin());
    return {};
}

Result<void> set_clip_state(Context& context, const Command& command) {
    context.sub().changed |= StateGroup::Numbers;
    for (size_t plane = 0; plane < 8; ++plane)
        for (size_t i = 0; i < 4; ++i)
            context.sub().draw.clip_planes[plane][i] = command.words.number(1 + 4 * plane + i);
    return {};
}

Result<void> set_sample_mask(Context& context, const Command& command) {
    context.sub().changed |= StateGroup::Numbers;
    context.sub().draw.sample_mask = command.words[1];
    return {};
}

Result<void> set_min_samples(Context& context, const Command& command) {
    // A shader runs once a pixel or once a sample, which satisfies any number in between.
    SubContext& sub = context.sub();
    const bool shading = command.words[1] > 1;
    sub.parts_changed |= sub.parts.sample_shading != shading;
    sub.parts.sample_shading = shading;
    return {};
}

}  // namespace valkyr::virgl
