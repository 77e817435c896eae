// Front end: shades, assembles, culls, clips and bins a range of primitives.
// SPDX-License-Identifier: MIT
//
// Sources make chunks of shaded primitives (source_*.hpp, chunk.hpp), emitters cull and bin them
// (emit.hpp).
#pragma once

#include "raster/data/segment.hpp"
#include "raster/front/front_worker.hpp"
#include "raster/front/source_geometry.hpp"
#include "raster/front/source_list.hpp"
#include "raster/front/source_mesh.hpp"
#include "raster/front/work_item.hpp"
#include "raster/resource/targets.hpp"

#include <cstdint>

namespace valkyr::raster {

/// One worker's front end, with its scratch memory.
class FrontEnd {
public:
    /// message_calls  as in exec::VertexCall
    FrontEnd(const HostLoops& ops, uint32_t worker, uint64_t* message_calls)
        : worker_(ops, worker, message_calls) {}

    /// Sets the segment and the arena that the following items fill.
    /// targets  attachments; the segment has a bin for each of their tiles, layer by layer
    void begin(Segment& segment, Arena& arena, const PassTargets& targets, uint64_t tls);
    /// Runs an item; stops between chunks when the device is cancelled.
    void process(const WorkItem& item);

    [[nodiscard]] FrontStatistics& statistics() { return worker_.output.statistics; }

private:
    void process_instance(const WorkItem& item);
    void process_run(const WorkItem& item);
    /// Draws some primitives of the item's run by their source.
    void draw_piece(const WorkItem& item, uint32_t p, uint32_t count);

    FrontWorker worker_;
    ListSource list_;
    MeshSource mesh_;
    GeometrySource geometry_;
};

}  // namespace valkyr::raster
