// Draw commands: execute draws, dispatches and clears.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::virgl {
namespace {

/// Vertices of a patch; draws of other primitives may have an old number.
uint32_t patch_vertices(const Words& words) {
    const bool patches = words[3] == static_cast<uint32_t>(raster::Primitive::Patches);
    return patches ? words[13] : raster::DrawInfo().patch_vertices;
}

Result<void> draw_indirect(Context& context, const Words& words) {
    VALKYR_TRY(buffer, context.resource(words[15]));
    VALKYR_TRY(count_buffer, context.resource_or_none(words[20]));
    raster::IndirectInfo info;
    info.buffer = buffer->buffer(context.device());
    info.offset = words[16];
    info.stride = words[17];
    info.draw_count = words[18];
    if (count_buffer)
        info.count_buffer = count_buffer->buffer(context.device());
    info.count_offset = words[19];
    info.primitive_restart = words[8] != 0;
    info.restart_index = words[9];
    info.patch_vertices = patch_vertices(words);
    if (!context.accept(context.device().draw_indirect(context.sub().draw(), info), "DRAW_VBO"))
        ++context.figures().refused_draws;
    return {};
}

void draw_direct(Context& context, const Words& words) {
    const bool indexed = words[4] != 0;
    raster::DrawInfo info;
    info.first = indexed ? 0 : words[1];  // the index buffer's offset includes the first index
    info.count = words[12] != 0 ? context.sub().captured_vertices(words[12]) : words[2];
    info.base_vertex = indexed ? words.signed_word(6) : 0;
    info.first_instance = words[7];
    info.instance_count = words[5];
    info.primitive_restart = words[8] != 0;
    info.restart_index = words[9];
    info.draw_id = words[14];
    info.patch_vertices = patch_vertices(words);
    const raster::StateGroups changed = context.sub().take_changes();
    if (!context.accept(context.device().redraw(context.sub().draw(), info, changed), "DRAW_VBO"))
        ++context.figures().refused_draws;
}

/// Reports uniform buffers that cannot be read.
Refused uniform_reports(Context& context) {
    return [&context](const Result<void>& result) { context.accept(result, "uniform buffer"); };
}

/// One layer of an attachment, or nothing if it has no such layer.
raster::Surface layer_of(const Ref<SurfaceObject>& object, uint32_t layer) {
    raster::Surface surface;
    if (!object || layer > object->last_layer - object->first_layer)
        return surface;
    surface.texture = object->resource->texture();
    surface.format = drawn_format(*object);
    surface.level = object->level;
    surface.layer = object->first_layer + layer;
    return surface;
}

}  // namespace

Result<void> draw_vbo(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(primitive, enumerator(words[3], raster::Primitive::Patches, "primitive"));
    ++context.figures().draws;
    if (!context.condition_holds())
        return {};
    const auto ready = context.sub().prepare(context.device(), context.pipelines(), primitive,
                                             words[4] != 0, uniform_reports(context));
    if (!ready) {
        ++context.figures().refused_draws;
        context.accept(ready, "DRAW_VBO");
        return {};
    }
    if (words.size() >= 20 && words[15] != 0)
        return draw_indirect(context, words);
    draw_direct(context, words);
    return {};
}

Result<void> launch_grid(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(indirect, context.resource_or_none(words[7]));
    ++context.figures().dispatches;
    if (!context.condition_holds())
        return {};
    raster::Device& device = context.device();
    const auto run = [&]() -> Result<void> {
        VALKYR_TRY_VOID(context.sub().prepare_dispatch(
            device, context.pipelines(), {words[1], words[2], words[3]}, uniform_reports(context)));
        const raster::DispatchState& state = context.sub().dispatch();
        if (indirect)
            return device.dispatch_indirect(state, indirect->buffer(device), words[8]);
        return device.dispatch(state, {words[4], words[5], words[6]});
    };
    if (!context.accept(run(), "LAUNCH_GRID"))
        ++context.figures().refused_dispatches;
    return {};
}

Result<void> clear(Context& context, const Command& command) {
    const Words& words = command.words;
    const uint32_t mask = words[1];
    const SubContext& sub = context.sub();
    raster::ClearInfo info;
    info.depth = (mask & 1) != 0;
    info.stencil = (mask & 2) != 0;
    info.color_targets = mask >> 2 & 0xFF;
    for (auto& color : info.color)
        color = {words[2], words[3], words[4], words[5]};
    double depth = 0;
    const uint64_t bits = words[6] | uint64_t{words[7]} << 32;
    std::memcpy(&depth, &bits, sizeof depth);
    info.depth_value = static_cast<float>(depth);
    info.stencil_value = static_cast<uint8_t>(words[8]);
    ++context.figures().clears;
    if (!context.condition_holds())
        return {};

    uint32_t layers = 1;
    const auto count = [&](const Ref<SurfaceObject>& s) {
        if (s)
            layers = std::max(layers, s->last_layer - s->first_layer + 1);
    };
    count(sub.depth_stencil());
    std::ranges::for_each(sub.color(), count);
    for (uint32_t layer = 0; layer < layers; ++layer) {
        raster::Framebuffer framebuffer;
        framebuffer.depth_stencil = layer_of(sub.depth_stencil(), layer);
        for (const Ref<SurfaceObject>& surface : sub.color())
            framebuffer.color.push_back(layer_of(surface, layer));
        if (!context.accept(context.device().clear(framebuffer, info), "CLEAR"))
            return {};
    }
    return {};
}

}  // namespace valkyr::virgl
