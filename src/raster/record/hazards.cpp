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

/// The first range begins at `first`, the second at `second`.
bool overlap(uint64_t first, uint64_t first_size, uint64_t second, uint64_t second_size) {
    return first < second + second_size && second < first + first_size;
}

/// Returns whether a view reaches texels of an attachment, a Surface or a TargetSurface. Slices of
/// a 3D texture are one layer.
template <typename Attachment>
bool reaches(const ImageView& view, const Attachment& surface) {
    return view.level == surface.level &&
           overlap(view.first_layer, view.layer_count, surface.layer, surface.layer_count);
}
template <typename Attachment>
bool reaches(const TextureView& view, const Attachment& surface) {
    return overlap(view.first_level, view.level_count, surface.level, 1) &&
           (view.texture->desc().kind == TextureKind::Tex3D ||
            overlap(view.first_layer, view.layer_count, surface.layer, surface.layer_count));
}

/// Adds the attachments that a view reaches.
template <typename View>
void add_reads(const View& view, const Framebuffer& framebuffer, TargetReads& reads) {
    const auto is_read = [&view](const Surface& surface) {
        return surface.texture == view.texture && reaches(view, surface);
    };
    if (!view.texture)
        return;
    reads.color = reads.color || std::ranges::any_of(framebuffer.color, is_read);
    reads.depth_stencil = reads.depth_stencil || is_read(framebuffer.depth_stencil);
}

/// Calls visit(view) for the views whose bits are set.
template <typename View, typename Visit>
void visit_used(const std::vector<View>& views, uint32_t used, Visit&& visit) {
    for (size_t i = 0; i < views.size() && i < 32; ++i)
        if ((used >> i & 1) != 0)
            visit(views[i]);
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
        if (!writes)
            return;
        use.written_pass = pass;
        ++use.changes;
    });
}

void mark_written(const StageResources& resources, const ComputePipelineImpl& pipeline) {
    const auto visit = [](ResourceUse& use, bool writes) { use.changes += writes ? 1 : 0; };
    visit_stage(resources, pipeline.has_side_effects(), handle_visitor(pipeline.owner(), visit));
}

void share_image_targets(const DrawState& state,
                         const PipelineImpl& pipeline,
                         PassTargets& targets) {
    for (const DrawStage stage : kAllDrawStages) {
        if (pipeline.program(stage) == nullptr)
            continue;
        const uint32_t used = pipeline.program(stage)->info().images_used;
        visit_used(state.stage(stage).images, used, [&targets](const ImageView& view) {
            for (TargetSurface& surface : targets.color)
                surface.shared |= surface.texture != nullptr &&
                                  view.texture.get() == surface.texture && reaches(view, surface);
        });
    }
}

TargetReads target_reads(const DrawState& state, const PipelineImpl& pipeline) {
    TargetReads reads;
    if (!pipeline.reads_texels())
        return reads;
    const auto add = [&](const auto& view) { add_reads(view, state.framebuffer, reads); };
    for (const DrawStage stage : kAllDrawStages) {
        if (pipeline.program(stage) == nullptr)
            continue;
        const exec::ProgramInfo& info = pipeline.program(stage)->info();
        visit_used(state.stage(stage).images, info.images_used, add);
        visit_used(state.stage(stage).textures, info.textures_read, add);
    }
    return reads;
}

}  // namespace valkyr::raster
