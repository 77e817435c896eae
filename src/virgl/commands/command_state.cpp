// State commands: set viewports, framebuffers, buffers, constants and textures.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::virgl {
namespace {

Result<void> check_multiple(const Words& words, size_t head, size_t unit) {
    if (words.size() >= head && (words.size() - head) % unit == 0)
        return {};
    return malformed(std::to_string(words.size()) + " words are not whole items");
}

Result<ShaderStage> stage_of(const Command& command) {
    return enumerator(command.words[1], ShaderStage::Compute, "shader stage");
}

/// The first slot, from [2]; [3] and later words hold one handle each.
Result<uint32_t> first_slot(const Command& command) {
    const uint32_t first = command.words[2];
    if (first > kMaxSlots || command.words.size() - 2 > kMaxSlots - first)
        return malformed("slots from " + std::to_string(first) + " on: there are " +
                         std::to_string(kMaxSlots));
    return first;
}

/// The number of slots, of `unit` words each, that are set from slot [2] on.
Result<uint32_t> slots_of(const Words& words, size_t unit, uint32_t most, const char* what) {
    VALKYR_TRY_VOID(check_multiple(words, 2, unit));
    const auto count = static_cast<uint32_t>((words.size() - 2) / unit);
    if (words[2] > most || count > most - words[2])
        return malformed(std::string(what) + " from " + std::to_string(words[2]) +
                         " on: there are " + std::to_string(most));
    return count;
}

/// The objects of type T whose handles are [3] and later words; null for handle 0.
template <typename T>
Result<std::vector<Ref<T>>> objects_of(Context& context, const Command& command, const char* kind) {
    std::vector<Ref<T>> objects;
    for (const uint32_t handle : command.words.from(3)) {
        objects.push_back(context.sub().find<T>(handle));
        if (handle != 0 && !objects.back())
            return malformed("no " + std::string(kind) + " " + std::to_string(handle));
    }
    return objects;
}

}  // namespace

Result<void> set_viewport_state(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY_VOID(check_multiple(words, 1, 6));
    if (words[1] + (words.size() - 1) / 6 > kMaxViewports)
        return malformed("more than " + std::to_string(kMaxViewports) + " viewports");
    std::vector<raster::Viewport> viewports((words.size() - 1) / 6);
    for (size_t i = 0; i < viewports.size(); ++i)
        for (size_t axis = 0; axis < 3; ++axis) {
            viewports[i].scale[axis] = words.number(2 + 6 * i + axis);
            viewports[i].translate[axis] = words.number(5 + 6 * i + axis);
        }
    context.sub().set_viewports(words[1], viewports);
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
    std::vector<raster::Rect> scissors((words.size() - 1) / 2);
    for (size_t i = 0; i < scissors.size(); ++i) {
        const size_t at = 2 + 2 * i;
        scissors[i] = {corner(at, 0), corner(at, 16), corner(at + 1, 0), corner(at + 1, 16)};
    }
    context.sub().set_scissors(words[1], scissors);
    return {};
}

Result<void> set_framebuffer_state(Context& context, const Command& command) {
    const Words& words = command.words;
    const uint32_t count = words[1];
    if (count > exec::kMaxRenderTargets || words.size() != size_t{count} + 2)
        return malformed(std::to_string(count) + " colour surfaces in " +
                         std::to_string(words.size()) + " words");
    const Ref<SurfaceObject> depth_stencil = context.sub().find<SurfaceObject>(words[2]);
    if (words[2] != 0 && !depth_stencil)
        return malformed("no surface " + std::to_string(words[2]));
    VALKYR_TRY(color, objects_of<SurfaceObject>(context, command, "surface"));
    context.sub().set_framebuffer(std::move(color), depth_stencil);
    return {};
}

namespace {

/// Our libOSMesa says this (osmesa/context.cpp) about the surface that is bound.
constexpr std::string_view kWidenSurface = "valkyr: wide surface";

/// The text of a marker: its length in bytes, then the bytes, in words.
std::string_view marker_text(const Words& words) {
    const std::span<const uint32_t> text = words.from(2);
    return {reinterpret_cast<const char*>(text.data()),
            std::min<size_t>(words[1], text.size_bytes())};
}

}  // namespace

Result<void> emit_string_marker(Context& context, const Command& command) {
    if (marker_text(command.words) != kWidenSurface)
        return {};
    for (const Ref<SurfaceObject>& surface : context.sub().color())
        if (surface)
            context.accept(surface->resource->widen(context.device()), "wide surface");
    context.sub().renew_framebuffer();
    return {};
}

Result<void> set_framebuffer_no_attach(Context& context, const Command& command) {
    const Words& words = command.words;
    context.sub().set_framebuffer_size(words.bits(1, 0, 16), words.bits(1, 16, 16),
                                       std::max(words.bits(2, 0, 16), 1U),
                                       std::max(words.bits(2, 16, 16), 1U));
    return {};
}

Result<void> set_vertex_buffers(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY_VOID(check_multiple(words, 0, 3));
    std::vector<VertexBufferBinding> bindings(words.size() / 3);
    for (size_t i = 0; i < bindings.size(); ++i) {
        VALKYR_TRY(resource, context.resource_or_none(words[3 + 3 * i]));
        bindings[i] = {std::move(resource), words[2 + 3 * i], words[1 + 3 * i]};
    }
    context.sub().set_vertex_buffers(std::move(bindings));
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
    context.sub().set_index_buffer(std::move(binding));
    return {};
}

Result<void> set_constant_buffer(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    if (command.words[2] >= kMaxUniformBuffers)
        return malformed("no constant buffer " + std::to_string(command.words[2]));
    if (command.words[2] != 0)
        context.sub().set_uniform_buffer(stage, command.words[2], {});
    else
        context.sub().set_constants(stage, command.words.from(3));
    return {};
}

Result<void> set_uniform_buffer(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    if (command.words[2] == 0 || command.words[2] >= kMaxUniformBuffers)
        return malformed("no uniform buffer " + std::to_string(command.words[2]));
    VALKYR_TRY(resource, context.resource_or_none(command.words[5]));
    context.sub().set_uniform_buffer(stage, command.words[2],
                                     {std::move(resource), command.words[3], command.words[4]});
    return {};
}

Result<void> set_sampler_views(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    VALKYR_TRY(first, first_slot(command));
    VALKYR_TRY(views, objects_of<ViewObject>(context, command, "sampler view"));
    context.sub().set_views(stage, first, views);
    return {};
}

Result<void> bind_sampler_states(Context& context, const Command& command) {
    VALKYR_TRY(stage, stage_of(command));
    VALKYR_TRY(first, first_slot(command));
    VALKYR_TRY(samplers, objects_of<SamplerObject>(context, command, "sampler state"));
    context.sub().set_samplers(stage, first, samplers);
    return {};
}

Result<void> set_shader_buffers(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(stage, stage_of(command));
    VALKYR_TRY(count, slots_of(words, 3, kMaxShaderBuffers, "shader buffers"));
    std::vector<RangeBinding> ranges(count);
    for (size_t i = 0; i < ranges.size(); ++i) {
        VALKYR_TRY(resource, context.resource_or_none(words[5 + 3 * i]));
        ranges[i] = {std::move(resource), words[3 + 3 * i], words[4 + 3 * i]};
    }
    context.sub().set_storage(stage, words[2], ranges);
    return {};
}

Result<void> set_shader_images(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(stage, stage_of(command));
    VALKYR_TRY(count, slots_of(words, 5, kMaxImages, "images"));
    std::vector<ImageBinding> images(count);
    for (size_t i = 0; i < images.size(); ++i) {
        VALKYR_TRY(resource, context.resource_or_none(words[7 + 5 * i]));
        VALKYR_TRY(image, decode_image(words, 3 + 5 * i, std::move(resource)));
        images[i] = std::move(image);
    }
    context.sub().set_images(stage, words[2], images);
    return {};
}

Result<void> set_stencil_ref(Context& context, const Command& command) {
    context.sub().set_number(&raster::DrawState::stencil_reference,
                             {static_cast<uint8_t>(command.words.bits(1, 0, 8)),
                              static_cast<uint8_t>(command.words.bits(1, 8, 8))});
    return {};
}

Result<void> set_blend_color(Context& context, const Command& command) {
    std::array<float, 4> color{};
    for (size_t i = 0; i < color.size(); ++i)
        color[i] = command.words.number(1 + i);
    context.sub().set_number(&raster::DrawState::blend_color, color);
    return {};
}

Result<void> set_polygon_stipple(Context& context, const Command& command) {
    std::array<uint32_t, 32> rows{};
    std::ranges::copy(command.words.from(1).first(rows.size()), rows.begin());
    context.sub().set_number(&raster::DrawState::polygon_stipple, rows);
    return {};
}

Result<void> set_clip_state(Context& context, const Command& command) {
    std::array<std::array<float, 4>, 8> planes{};
    for (size_t plane = 0; plane < planes.size(); ++plane)
        for (size_t i = 0; i < 4; ++i)
            planes[plane][i] = command.words.number(1 + 4 * plane + i);
    context.sub().set_number(&raster::DrawState::clip_planes, planes);
    return {};
}

Result<void> set_sample_mask(Context& context, const Command& command) {
    context.sub().set_number(&raster::DrawState::sample_mask, command.words[1]);
    return {};
}

Result<void> set_tess_state(Context& context, const Command& command) {
    std::array<float, 4> outer{};
    std::array<float, 2> inner{};
    for (size_t i = 0; i < outer.size(); ++i)
        outer[i] = command.words.number(1 + i);
    for (size_t i = 0; i < inner.size(); ++i)
        inner[i] = command.words.number(5 + i);
    context.sub().set_number(&raster::DrawState::outer_levels, outer);
    context.sub().set_number(&raster::DrawState::inner_levels, inner);
    return {};
}

Result<void> set_min_samples(Context& context, const Command& command) {
    // Shaders run once a pixel or once a sample; the latter satisfies every minimum above 1.
    context.sub().set_sample_shading(command.words[1] > 1);
    return {};
}

}  // namespace valkyr::virgl
