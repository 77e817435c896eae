// Plan: weighs work items by their primitives plus a constant, and cuts them into segments.
// SPDX-License-Identifier: MIT
#include "raster/front/plan.hpp"

#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"
#include "raster/front/primitive_stages.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Cost of an item beyond its primitives, in primitives.
constexpr uint64_t kItemWeight = 8;
/// Segments of small passes have a worker's share of all work, within these limits: a segment costs
/// a bin for every tile, but a few large primitives take long to bin.
constexpr uint64_t kSmallestWeight = 64;
constexpr uint64_t kEnoughWeight = 1024;
/// Limits the vertex memory of a segment, which is only checked between segments (config.hpp).
constexpr uint64_t kMaximumWeight = 32768;
/// Each of the last segments has the part 1 / kLastShares of a worker's share of all work.
constexpr uint64_t kLastShares = 16;
/// Restart runs are gathered into items of about this many elements.
constexpr uint32_t kRunElements = 8192;

/// Returns the weight of a primitive, which programs may turn into many.
uint64_t primitive_weight(const DrawRecord& draw) {
    return expansion(draw);
}

uint64_t instance_weight(const DrawRecord& draw) {
    return primitive_count(draw.assembly, draw.assembly.count) * primitive_weight(draw) +
           kItemWeight;
}

/// Returns the primitives below which an instance is not cut into several items.
uint64_t uncut_primitives(const DrawRecord& draw) {
    return primitives_together(draw);
}

}  // namespace

void Plan::start(std::span<const DrawRecord* const> draws, unsigned workers) {
    left_ = 0;
    for (const DrawRecord* draw : draws)
        left_ += instance_weight(*draw) * draw->assembly.instance_count;
    least_weight_ = std::max(left_ / (kLastShares * workers),
                             std::clamp(left_ / workers, kSmallestWeight, kEnoughWeight));
    shares_ = uint64_t{workers} * 3 / 2;
    size_segment();
    draws_ = draws;
    next_draw_ = 0;
    next_instance_ = 0;
}

bool Plan::advance() {
    items_.clear();
    segments_.clear();
    weight_ = 0;
    while (next_draw_ < draws_.size() && items_.size() < kPortionItems) {
        const DrawRecord& draw = *draws_[next_draw_];
        next_instance_ += add_instances(draw, next_instance_);
        if (next_instance_ < draw.assembly.instance_count)
            continue;
        ++next_draw_;
        next_instance_ = 0;
    }
    close_segment();
    return !items_.empty() || next_draw_ < draws_.size();
}

/// Plans instances from `first` on; returns their number.
uint32_t Plan::add_instances(const DrawRecord& draw, uint32_t first) {
    const AssemblyState& assembly = draw.assembly;
    if (assembly.restart) {
        add_restart_runs(draw, first);
        return 1;
    }
    WorkItem item;
    item.draw = &draw;
    item.instance = first;
    item.run_count = assembly.count;
    const uint64_t primitives = primitive_count(assembly, assembly.count);
    if (primitives == 0)
        return assembly.instance_count - first;
    if (primitives > uncut_primitives(draw)) {
        add_run(item);
        return 1;
    }
    // Small instances share an item.
    const uint64_t room = segment_weight_ - std::min(segment_weight_, weight_);
    item.end = static_cast<uint32_t>(primitives);
    item.instance_count = static_cast<uint32_t>(
        std::clamp<uint64_t>(room / instance_weight(draw), 1, assembly.instance_count - first));
    add_item(item, instance_weight(draw) * item.instance_count);
    return item.instance_count;
}

void Plan::add_run(WorkItem item) {
    const auto count = static_cast<uint32_t>(primitive_count(item.draw->assembly, item.run_count));
    const uint64_t weight = primitive_weight(*item.draw);
    const uint64_t chunk = uncut_primitives(*item.draw);
    const bool chained = item.draw->shape->line_stipple && !item.draw->makes_primitives();
    for (uint32_t p = 0; p < count;) {
        const uint64_t room = segment_weight_ - std::min(segment_weight_, weight_);
        // Pieces are whole chunks, so that the cuts do not depend on other draws of the pass.
        const uint64_t chunks = std::max<uint64_t>(room / (chunk * weight), 1);
        const uint64_t piece = chained ? kStippleChain : chunks * chunk;
        item.begin = p;
        item.end = static_cast<uint32_t>(std::min<uint64_t>(count, p + piece));
        add_item(item, (item.end - item.begin) * weight + kItemWeight);
        p = item.end;
    }
}

void Plan::add_restart_runs(const DrawRecord& draw, uint32_t instance) {
    const AssemblyState& assembly = draw.assembly;
    WorkItem item;
    item.draw = &draw;
    item.instance = instance;
    uint32_t gathered_id = 0;  // primitive ID of the item's first run
    uint32_t next_id = 0;
    uint32_t item_first = 0;
    const uint64_t weight = primitive_weight(draw);
    const auto flush = [&](uint32_t end) {
        if (end <= item_first)
            return;
        item.run_first = item_first;
        item.run_count = end - item_first;
        item.first_id = gathered_id;
        item.holds_runs = true;
        add_item(item, item.run_count * weight + kItemWeight);
    };
    const uint32_t gathered = !draw.makes_primitives()
                                  ? kRunElements
                                  : static_cast<uint32_t>(std::max<uint64_t>(
                                        kRunElements / weight, uncut_primitives(draw)));
    ElementWatch watch(draw.vertex->watch);
    for (uint32_t at = 0; at < assembly.count;) {
        const std::optional<uint32_t> stop = run_end(assembly, at, watch);
        if (!stop)
            return;
        const uint32_t run = *stop - at;
        if (run >= gathered) {
            // A long run is cut like a draw without restart.
            flush(at);
            item.run_first = at;
            item.run_count = run;
            item.first_id = next_id;
            item.holds_runs = false;
            add_run(item);
        }
        next_id += static_cast<uint32_t>(primitive_ids(assembly, run));
        at = *stop + 1;
        if (run >= gathered || at - item_first >= gathered) {
            if (run < gathered)
                flush(std::min(at, assembly.count));
            item_first = at;
            gathered_id = next_id;
        }
    }
    flush(assembly.count);
}

void Plan::add_item(const WorkItem& item, uint64_t weight) {
    items_.push_back(item);
    weight_ += weight;
    if (weight_ >= segment_weight_)
        close_segment();
}

void Plan::close_segment() {
    const uint32_t first = segments_.empty() ? 0 : segments_.back().end_item;
    const auto end = static_cast<uint32_t>(items_.size());
    if (end > first)
        segments_.push_back({first, end});
    left_ -= std::min(left_, weight_);
    weight_ = 0;
    size_segment();
}

void Plan::size_segment() {
    segment_weight_ = std::min(std::max(left_ / shares_, least_weight_) + 1, kMaximumWeight);
}

}  // namespace valkyr::raster
