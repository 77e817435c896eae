// Primitive stages: hand primitives from the tessellation stages to the geometry stage.
// SPDX-License-Identifier: MIT
#include "raster/front/primitive_stages.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Estimate of the vertices of a patch, whose levels are known only when it is shaded.
constexpr uint32_t kPatchExpansion = 64;

}  // namespace

uint32_t expansion(const DrawRecord& draw) {
    uint32_t vertices = draw.patches != nullptr ? kPatchExpansion : 1;
    if (draw.geometry != nullptr) {
        const exec::GeometryInfo& info = draw.geometry->info;
        vertices *= std::max(1U, uint32_t{info.max_vertices} * info.invocations);
    }
    return vertices;
}

uint32_t primitives_together(const DrawRecord& draw) {
    if (draw.patches != nullptr)
        return patches_per_group(draw);
    return draw.geometry != nullptr ? primitives_per_call(draw) : kChunkPrimitives;
}

void PrimitiveStages::begin(const GeometryInput& input) {
    input_ = input;
    tessellated_ = {};
    taken_ = 0;
    if (input.draw->patches != nullptr)
        patches_.begin(input);
    geometry_.forget_pattern();
}

bool PrimitiveStages::next(const KernelWorker& worker, bool to_draw, Emissions& made) {
    const DrawRecord& draw = *input_.draw;
    shaded_ = 0;
    if (exec::is_cancelled(draw.vertex->watch))
        return false;
    if (draw.patches == nullptr) {
        if (input_.begin == input_.end)
            return false;
        made = geometry_.advance(input_, worker, to_draw);
        shaded_ = geometry_.shaded_vertices();
        return true;
    }
    if (taken_ == tessellated_.primitives.size()) {
        const bool more = patches_.next(worker, to_draw && draw.geometry == nullptr, tessellated_);
        shaded_ = patches_.shaded_vertices();
        taken_ = 0;
        if (!more) {
            tessellated_ = {};
            return false;
        }
    }
    if (draw.geometry != nullptr) {
        made = geometry_.advance(draw, tessellated_, taken_, worker, to_draw);
        return true;
    }
    made = tessellated_;
    taken_ = tessellated_.primitives.size();
    return true;
}

}  // namespace valkyr::raster
