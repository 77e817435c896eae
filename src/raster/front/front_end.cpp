// Front end: passes the primitives of work items to their sources.
// SPDX-License-Identifier: MIT
#include "raster/front/front_end.hpp"

#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"

#include <algorithm>

namespace valkyr::raster {

void FrontEnd::begin(Segment& segment, Arena& arena, const PassTargets& targets, uint64_t tls) {
    worker_.output.segment = &segment;
    worker_.output.arena = &arena;
    worker_.output.grid = {targets.tiles_x(), 0};
    worker_.tiles_per_layer = targets.tile_count();
    worker_.kernels.tls = tls;
}

void FrontEnd::process(const WorkItem& item) {
    WorkItem one = item;
    one.instance_count = 1;
    for (uint32_t i = 0; i < item.instance_count && !is_cancelled(*item.draw); ++i) {
        one.instance = item.instance + i;
        process_instance(one);
    }
}

void FrontEnd::process_instance(const WorkItem& item) {
    if (!item.holds_runs) {
        process_run(item);
        return;
    }
    const DrawRecord& draw = *item.draw;
    const AssemblyState& assembly = draw.assembly;
    WorkItem run = item;
    run.holds_runs = false;
    const uint32_t end = item.run_first + item.run_count;
    uint32_t id = item.first_id;
    for (uint32_t at = item.run_first; at < end && !is_cancelled(draw);) {
        uint32_t stop = at;
        while (stop < end && fetch_index(assembly.indices, uint64_t{assembly.first} + stop) !=
                                 assembly.restart_index)
            ++stop;
        run.run_first = at;
        run.run_count = stop - at;
        run.begin = 0;
        run.end = static_cast<uint32_t>(primitive_count(assembly, run.run_count));
        run.first_id = id;
        process_run(run);
        id += static_cast<uint32_t>(primitive_ids(assembly, run.run_count));
        at = stop + 1;
    }
}

void FrontEnd::process_run(const WorkItem& item) {
    worker_.shapes.stipple().restart();
    for (uint32_t p = item.begin; p < item.end && !is_cancelled(*item.draw);) {
        const uint32_t count = std::min(item.end - p, kMeshPrimitives);
        draw_piece(item, p, count);
        p += count;
    }
}

void FrontEnd::draw_piece(const WorkItem& item, uint32_t p, uint32_t count) {
    if (item.draw->makes_primitives())
        geometry_.draw(worker_, item, p, p + count);
    else if (!mesh_.draw(worker_, item, p, count))
        list_.draw(worker_, item, p, p + count);
}

}  // namespace valkyr::raster
