// Plan: cuts the draws of a pass into work items, and these into segments.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/front/front_end.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::raster {

/// A contiguous range of work items; the unit that a worker takes.
struct SegmentPlan {
    uint32_t first_item = 0;
    uint32_t end_item = 0;
};

/// Work of a pass in API order. Reused from pass to pass.
class Plan {
public:
    /// Cuts the draws into about `wanted_segments` equal segments, more if they would be too large.
    void build(std::span<const DrawRecord* const> draws, unsigned wanted_segments);

    [[nodiscard]] std::span<const WorkItem> items() const { return items_; }
    [[nodiscard]] std::span<const SegmentPlan> segments() const { return segments_; }

private:
    void add_draw(const DrawRecord& draw);
    void add_run(WorkItem item);
    void add_restart_runs(const DrawRecord& draw, uint32_t instance);
    void close_segment();

    uint64_t segment_weight_ = 0;  ///< weight at which a segment is full
    uint64_t weight_ = 0;          ///< weight of the open segment
    std::vector<WorkItem> items_;
    std::vector<SegmentPlan> segments_;
};

}  // namespace valkyr::raster
