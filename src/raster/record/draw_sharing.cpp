// Draw sharing: compares the parts of draws by pointer.
// SPDX-License-Identifier: MIT
#include "raster/record/draw_sharing.hpp"

namespace valkyr::raster {

bool share_tiles(const DrawRecord& a, const DrawRecord& b) {
    return a.shape == b.shape && a.tile == b.tile && a.hidden == b.hidden &&
           a.fragment[0] == b.fragment[0] && a.fragment[1] == b.fragment[1] &&
           a.counters == b.counters;
}

bool join(DrawRecord& last, const DrawRecord& next, const PipelineImpl& pipeline) {
    if (pipeline.tells_draws_apart() || !share_tiles(last, next) || last.vertex != next.vertex ||
        next.viewports != nullptr || next.assembly.restart ||
        !continues(next.assembly.primitive, last.assembly, next.assembly))
        return false;
    last.assembly.count += next.assembly.count;
    return true;
}

}  // namespace valkyr::raster
