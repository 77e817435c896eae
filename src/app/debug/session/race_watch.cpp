// Race watch: follows work-groups that an interpreter runs, and checks each of them for races.
// SPDX-License-Identifier: MIT
#include "app/debug/session/race_watch.hpp"

#include <utility>

namespace valkyr::debug {

valhall::InterpreterOptions RaceWatch::options(uint64_t step_limit) {
    valhall::InterpreterOptions options;
    options.step_limit = step_limit;
    options.on_access = [this](const valhall::LaneAccess& made) {
        // Other addresses wrap around to large offsets.
        if (made.address - reinterpret_cast<uintptr_t>(shared_.data()) < shared_.size())
            accesses_.push_back(made);
    };
    options.on_step = [this](const valhall::StepEvent& event) { step(event); };
    return options;
}

void RaceWatch::begin(std::span<const uint8_t> shared) {
    check_ = {};
    steps_ = {};
    accesses_.clear();
    shared_ = shared;
}

void RaceWatch::step(const valhall::StepEvent& event) {
    const GroupSteps::Place place = steps_.next(event);
    for (const valhall::LaneAccess& made : accesses_)
        check_.note(
            {made.kind, place.warp * exec::kLanes + made.lane, event.word_index, 0}, place.phase,
            static_cast<uint32_t>(made.address - reinterpret_cast<uintptr_t>(shared_.data())),
            made.bytes);
    accesses_.clear();
}

}  // namespace valkyr::debug
