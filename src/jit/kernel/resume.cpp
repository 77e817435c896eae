// Resumption: emits code that saves a warp which waits at a BARRIER, and code that goes on with it.
// SPDX-License-Identifier: MIT
#include "jit/kernel/resume.hpp"

#include "jit/context/warp_call.hpp"

#include <algorithm>
#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr Address in_call(size_t member) {
    return {Gp::Call, static_cast<int32_t>(member)};
}
/// No block.
constexpr uint32_t kNone = 0xFFFFFFFF;

Address in_warp(Gp warp, size_t member) {
    return {warp, static_cast<int32_t>(member)};
}

}  // namespace

Resumption::Resumption(EmitContext& context, Label end)
    : c(context)
    , h(context.h)
    , end_(end)
    , no_lanes_(end)
    , points_(context.program.resume_points)
    , values_(find_barrier_values(context.program)) {
    for (const ResumePoint& point : points_) {
        masks_.push_back(apart_count_);
        if (point.together())
            continue;
        ++apart_count_;
        apart_ |= c.program.blocks[point.block].live_in;
    }
    if (apart_count_ != 0)
        no_lanes_ = h.new_label();
}

/// The frame keeps these masks behind the wait masks of joins.
Address Resumption::parked(size_t point) const {
    return FrameLayout::wait_mask(c.program.joins() + masks_[point]);
}

size_t Resumption::point_behind(uint32_t b) const {
    return static_cast<size_t>(std::ranges::find(points_, b + 1, &ResumePoint::block) -
                               points_.begin());
}

void Resumption::start() {
    for (size_t point = 0; point < points_.size(); ++point)
        if (!points_[point].together())
            h.store32(parked(point), 0);
}

void Resumption::wait_behind(uint32_t b) {
    const size_t point = point_behind(b);
    if (!points_[point].together()) {
        h.or32(parked(point), Gp::Running);
        h.move(Gp::Running, uint64_t{0});
        return;
    }
    save_together(point);
}

/// Saves the warp and leaves.
void Resumption::save_together(size_t point) {
    const uint32_t state = static_cast<uint32_t>(point) + 1;
    if (values_.again[point] == values_.first[point]) {
        save(state, values_.first[point]);
        h.jump(end_);
        return;
    }
    const Label first = h.new_label();
    h.compare32(in_call(offsetof(WarpCall, resumes)), 0);
    h.jump(Jump::Equal, first);
    save(state, values_.again[point]);
    h.jump(end_);
    h.bind(first);
    save(state, values_.first[point]);
    h.jump(end_);
}

/// Saves all of the warp except parked lanes.
void Resumption::save(uint32_t state, RegSet registers) {
    const Scalar warp = c.load64(in_call(offsetof(WarpCall, waiting)));
    c.regs.store_homes(registers, in_warp(warp, offsetof(WaitingWarp, registers)));
    h.store32(in_warp(warp, offsetof(WaitingWarp, state)), state);
    h.store32(in_warp(warp, offsetof(WaitingWarp, running)), Gp::Running);
    const Scalar word = c.scalar();
    h.load32(word, VALKYR_FRAME(loops_left));
    h.store32(in_warp(warp, offsetof(WaitingWarp, loops_left)), word);
    h.load32(word, VALKYR_FRAME(loop_rounds));
    h.store32(in_warp(warp, offsetof(WaitingWarp, loop_rounds)), word);
    h.store32(in_call(offsetof(WarpCall, waits)), 1);
}

void Resumption::load(RegSet registers) {
    const Scalar warp = c.load64(in_call(offsetof(WarpCall, waiting)));
    c.regs.load_homes(registers, in_warp(warp, offsetof(WaitingWarp, registers)));
    h.load32(Gp::Running, in_warp(warp, offsetof(WaitingWarp, running)));
    const Scalar word = c.scalar();
    h.load32(word, in_warp(warp, offsetof(WaitingWarp, loops_left)));
    h.store32(VALKYR_FRAME(loops_left), word);
    h.load32(word, in_warp(warp, offsetof(WaitingWarp, loop_rounds)));
    h.store32(VALKYR_FRAME(loop_rounds), word);
}

void Resumption::finish(Label resume,
                        const std::vector<Label>& entries,
                        const std::vector<unsigned>& joins) {
    if (!needed())
        return;
    h.jump(end_);
    h.bind(resume);
    for (unsigned join = 0; join < c.program.joins(); ++join)
        h.store32(FrameLayout::wait_mask(join), 0);
    start();
    for (size_t point = 0; point < points_.size(); ++point)
        if (points_[point].together())
            go_on_together(point, entries);
    if (apart_count_ == 0)
        return;
    go_on_apart(entries, joins);
    stop_apart();
}

/// If the warp waits at this point, goes on there.
void Resumption::go_on_together(size_t point, const std::vector<Label>& entries) {
    const Label next = h.new_label();
    {
        const Scalar warp = c.load64(in_call(offsetof(WarpCall, waiting)));
        h.compare32(in_warp(warp, offsetof(WaitingWarp, state)), static_cast<uint32_t>(point) + 1);
        h.jump(Jump::NotEqual, next);
    }
    const uint32_t block = points_[point].block;
    load(values_.load[point]);
    h.jump(entries[block]);
    h.bind(next);
}

/// The parked lanes wait at their points; goes on at the first of these.
void Resumption::go_on_apart(const std::vector<Label>& entries,
                             const std::vector<unsigned>& joins) {
    load(apart_);
    h.move(Gp::Running, uint64_t{0});
    const Scalar warp = c.load64(in_call(offsetof(WarpCall, waiting)));
    const Scalar lanes = c.scalar();
    uint32_t first = kNone;
    for (size_t point = 0; point < points_.size(); ++point) {
        if (points_[point].together())
            continue;
        const uint32_t block = points_[point].block;
        first = std::min(first, block);
        h.load32(lanes, in_warp(warp, offsetof(WaitingWarp, parked) + 4 * masks_[point]));
        h.store32(FrameLayout::wait_mask(joins[block]), lanes);
    }
    h.jump(entries[first]);
}

/// No lane runs: saves the warp if lanes are parked.
void Resumption::stop_apart() {
    h.bind(no_lanes_);
    const Scalar warp = c.load64(in_call(offsetof(WarpCall, waiting)));
    const Scalar lanes = c.scalar();
    const Scalar any = c.scalar();
    h.move(any, uint64_t{0});
    for (size_t point = 0; point < points_.size(); ++point) {
        if (points_[point].together())
            continue;
        h.load32(lanes, parked(point));
        h.or32(any, lanes);
        h.store32(in_warp(warp, offsetof(WaitingWarp, parked) + 4 * masks_[point]), lanes);
    }
    h.test32(any);
    h.jump(Jump::Equal, end_);
    save(kApart, apart_);
}

}  // namespace valkyr::jit
