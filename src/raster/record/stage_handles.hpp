// Stage handles: visit the handles of all resources that one shader stage may access.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <vector>

namespace valkyr::raster {

/// Call visit(handle, writes) for each handle, null ones included.
template <typename Visit>
void visit_ranges(const std::vector<BufferRange>& ranges, bool writes, Visit&& visit) {
    for (const BufferRange& range : ranges)
        visit(range.buffer, writes);
}

template <typename View, typename Visit>
void visit_views(const std::vector<View>& views, bool writes, Visit&& visit) {
    for (const View& view : views) {
        visit(view.texture, writes);
        visit(view.buffer.buffer, writes);
    }
}

/// writes  whether the stage's program writes to images and buffers
template <typename Visit>
void visit_stage(const StageResources& stage, bool writes, Visit&& visit) {
    visit_views(stage.images, writes, visit);
    visit_ranges(stage.storage, writes, visit);
    visit_ranges(stage.counters, writes, visit);
    visit_views(stage.textures, false, visit);
}

}  // namespace valkyr::raster
