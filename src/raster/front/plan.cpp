// Plan: weighs work items by their primitives plus a constant.
// SPDX-License-Identifier: MIT
#include "raster/front/plan.hpp"

#include "raster/data/assemble.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Cost of an item beyond its primitives, in primitives.
constexpr uint64_t kItemWeight = 8;
constexpr uint64_t kMinimumWeight = 1024;
/// Bounds the memory that a segment's vertices take before anybody looks (config.hpp).
constexpr uint64_t kMaximumWeight = 32768;
/// Restart runs are gathered into items of about this many elements.
constexpr uint32_t kRunElements = 8192;

uint64_t weight_of(const DrawRecord& draw) {
    return (primitive_count(draw.primitive, draw.count) + kItemWeight) * draw.instance_count;
}

}  // namespace

void Plan::build(std::span<const DrawRecord* const> draws, unsigned wanted_segments) {
    items_.clear();
    segments_.clear();
    uint64_t total = 0;
    for (const DrawRecord* draw : draws)
        total += weight_of(*draw);
    segment_weight_ =
        std::clamp(total / std::max(wanted_segments, 1U) + 1, kMinimumWeight, kMaximumWeight);
    weight_ = 0;
    for (const DrawRecord* draw : draws)
        add_draw(*draw);
    close_segment();
}

void Plan::add_draw(const DrawRecord& draw) {
    for (uint32_t instance = 0; instance < draw.instance_count; ++instance) {
        if (draw.restart) {
            add_restart_runs(draw, instance);
            continue;
        }
        WorkItem item;
        item.draw = &draw;
        item.instance = instance;
        item.run_count = draw.count;
        add_run(item);
    }
}

void Plan::add_run(WorkItem item) {
    const auto count = static_cast<uint32_t>(primitive_count(item.draw->primitive, item.run_count));
    for (uint32_t p = 0; p < count;) {
        const uint64_t room = segment_weight_ - std::min(segment_weight_, weight_);
        // Pieces are whole chunks, so that the cut does not depend on what else is in the pass.
        const uint64_t chunks = std::max<uint64_t>(room / kChunkPrimitives, 1);
        const uint64_t piece = item.draw->line_stipple ? kStippleChain : chunks * kChunkPrimitives;
        item.begin = p;
        item.end = static_cast<uint32_t>(std::min<uint64_t>(count, p + piece));
        items_.push_back(item);
        weight_ += item.end - item.begin + kItemWeight;
        if (weight_ >= segment_weight_)
            close_segment();
        p = item.end;
    }
}

void Plan::add_restart_runs(const DrawRecord& draw, uint32_t instance) {
    WorkItem item;
    item.draw = &draw;
    item.instance = instance;
    uint32_t gathered_id = 0;  // of the item's first run
    uint32_t next_id = 0;
    uint32_t item_first = 0;
    const auto flush = [&](uint32_t end) {
        if (end <= item_first)
            return;
        item.run_first = item_first;
        item.run_count = end - item_first;
        item.first_id = gathered_id;
        item.holds_runs = true;
        items_.push_back(item);
        weight_ += item.run_count + kItemWeight;
        if (weight_ >= segment_weight_)
            close_segment();
    };
    for (uint32_t at = 0; at < draw.count;) {
        uint32_t stop = at;
        while (stop < draw.count &&
               fetch_index(draw.indices, uint64_t{draw.first} + stop) != draw.restart_index)
            ++stop;
        const uint32_t run = stop - at;
        if (run >= kRunElements) {
            // Long runs are cut like draws without restart.
            flush(at);
            item.run_first = at;
            item.run_count = run;
            item.first_id = next_id;
            item.holds_runs = false;
            add_run(item);
        }
        next_id += static_cast<uint32_t>(primitive_ids(draw.primitive, run));
        at = stop + 1;
        if (run >= kRunElements || at - item_first >= kRunElements) {
            if (run < kRunElements)
                flush(std::min(at, draw.count));
            item_first = at;
            gathered_id = next_id;
        }
    }
    flush(draw.count);
}

void Plan::close_segment() {
    const uint32_t first = segments_.empty() ? 0 : segments_.back().end_item;
    const auto end = static_cast<uint32_t>(items_.size());
    if (end > first)
        segments_.push_back({first, end});
    weight_ = 0;
}

}  // namespace valkyr::raster
