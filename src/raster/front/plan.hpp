// Plan: cuts the draws of a pass into work items, and groups these into segments.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/front/work_item.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::raster {

/// A contiguous range of work items; a worker takes one segment at a time.
struct SegmentPlan {
    uint32_t first_item = 0;
    uint32_t end_item = 0;
};

/// Work of a pass in API order, planned in portions, so that its memory does not grow with the
/// number of instances. It is reused from pass to pass.
class Plan {
public:
    /// Items after which a portion ends. The instance that reaches the limit is still planned
    /// whole: it adds at most one item for every 256 indices.
    static constexpr size_t kPortionItems = 16384;

    /// Begins at the first draw. `draws` must live until the last portion. They are cut for
    /// `workers` workers, at least one: the first segments are large, because each costs a bin for
    /// every tile, and the last ones small, so that all workers end at about the same time.
    void start(std::span<const DrawRecord* const> draws, unsigned workers);
    /// Replaces items and segments by the next portion; returns false if no work is left.
    bool advance();

    [[nodiscard]] std::span<const WorkItem> items() const { return items_; }
    [[nodiscard]] std::span<const SegmentPlan> segments() const { return segments_; }

private:
    uint32_t add_instances(const DrawRecord& draw, uint32_t first);
    void add_run(WorkItem item);
    void add_restart_runs(const DrawRecord& draw, uint32_t instance);
    void add_item(const WorkItem& item, uint64_t weight);
    void close_segment();
    void size_segment();

    std::span<const DrawRecord* const> draws_;
    size_t next_draw_ = 0;
    uint32_t next_instance_ = 0;   ///< first unplanned instance of that draw
    uint64_t left_ = 0;            ///< weight of all work without a segment
    uint64_t least_weight_ = 0;    ///< weight of the last segments
    uint64_t shares_ = 1;          ///< a segment has the part 1 / shares_ of the work that is left
    uint64_t segment_weight_ = 0;  ///< weight at which a segment is full
    uint64_t weight_ = 0;          ///< weight of the open segment
    std::vector<WorkItem> items_;
    std::vector<SegmentPlan> segments_;
};

}  // namespace valkyr::raster
