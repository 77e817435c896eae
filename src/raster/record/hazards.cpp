// Hazards: find the draws that must wait for the writes of earlier passes.
// SPDX-License-Identifier: MIT
#include "raster/record/hazards.hpp"

#include "raster/record/stage_handles.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

ResourceUse* use_of(const TextureRef& texture, const DeviceTag* owner) {
    return own_texture(texture, owner);
}
ResourceUse* use_of(const BufferRef& buffer, const DeviceTag* owner) {
    return own_buffer(buffer, owner);
}

/// Returns a visitor that calls visit(use, writes) for handles of a device.
template <typename Visit>
auto handle_visitor(const DeviceTag* owner, Visit& visit) {
    return [owner, &visit](const auto& handle, bool writes) {
        if (ResourceUse* use = use_of(handle, owner))
            visit(*use, writes);
    };
}

/// Visits the handles of all resources that shaders read or write.
template <typename Visit>
void visit_shader_handles(const DrawState& state, const PipelineImpl& pipeline, Visit&& visit) {
    for (const DrawStage stage : kAllDrawStages)
        if (pipeline.program(stage) != nullptr)
            visit_stage(state.stage(stage), pipeline.writes(stage), visit);
}

template <typename Visit>
void visit_shader_resources(const DrawState& state, const PipelineImpl& pipeline, Visit&& visit) {
    visit_shader_handles(state, pipeline, handle_visitor(pipeline.owner(), visit));
}

/// Visits the resources that shaders and the front end read or write.
template <typename Visit>
void visit_resources(const DrawState& state, const PipelineImpl& pipeline, Visit&& visit) {
    const auto visit_handle = handle_visitor(pipeline.owner(), visit);
    visit_shader_handles(state, pipeline, visit_handle);
    visit_ranges(state.vertex_buffers, false, visit_handle);
    if (state.index_type != IndexType::None)
        visit_handle(state.index_buffer.buffer, false);
}

/// Returns whether an access must not run before the draws of a pass.
bool conflicts(const ResourceUse& use, bool writes, uint64_t pass) {
    return use.written_pass == pass || (writes && use.last_pass == pass);
}

bool is_attachment(const ResourceUse& use, const PassTargets& targets) {
    const auto is_here = [&](const TargetSurface& surface) {
        return surface.texture != nullptr &&
               static_cast<const ResourceUse*>(surface.texture) == &use;
    };
    return is_here(targets.depth_stencil) || std::ranges::any_of(targets.color, is_here);
}

bool overlaps(const ImageView& view, const TargetSurface& surface) {
    if (surface.texture == nullptr || view.texture.get() != surface.texture ||
        view.level != surface.level)
        return false;
    const uint64_t view_end = uint64_t{view.first_layer} + view.layer_count;
    const uint64_t surface_end = uint64_t{surface.layer} + surface.layer_count;
    return view.first_layer < surface_end && surface.layer < view_end;
}

}  // namespace

bool must_wait(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass) {
    bool wait = false;
    visit_resources(state, pipeline, [&](const ResourceUse& use, bool writes) {
        wait = wait || conflicts(use, writes, pass);
    });
    return wait;
}

bool must_wait(const StageResources& resources,
               const ComputePipelineImpl& pipeline,
               const Pass& pass) {
    bool wait = false;
    const auto visit = [&](const ResourceUse& use, bool writes) {
        wait = wait || conflicts(use, writes, pass.number) || use.late_pass == pass.number ||
               is_attachment(use, pass.targets);
    };
    visit_stage(resources, pipeline.has_side_effects(), handle_visitor(pipeline.owner(), visit));
    return wait;
}

bool shaders_read_late(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass) {
    bool late = false;
    visit_shader_resources(state, pipeline, [&](const ResourceUse& use, bool) {
        late = late || use.late_pass == pass;
    });
    return late;
}

bool uses_buffer(const DrawState& state, const PipelineImpl& pipeline, const BufferImpl& buffer) {
    bool uses = false;
    visit_resources(state, pipeline,
                    [&](const ResourceUse& use, bool) { uses = uses || &use == &buffer; });
    return uses;
}

void mark_written(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass) {
    visit_resources(state, pipeline, [&](ResourceUse& use, bool writes) {
        if (writes)
            use.written_pass = pass;
    });
}

bool share_image_targets(const DrawState& state,
                         const PipelineImpl& pipeline,
                         PassTargets& targets) {
    bool shared = false;
    for (const DrawStage stage : kAllDrawStages) {
        const uint32_t used =
            pipeline.program(stage) != nullptr ? pipeline.program(stage)->info().images_used : 0;
        const std::vector<ImageView>& images = state.stage(stage).images;
        for (size_t i = 0; i < images.size() && i < exec::kMaxImages; ++i) {
            if ((used >> i & 1) == 0)
                continue;
            for (TargetSurface& surface : targets.color) {
                surface.shared |= overlaps(images[i], surface);
                shared |= surface.shared;
            }
        }
    }
    return shared;
}

}  // namespace valkyr::raster
