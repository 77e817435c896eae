// Race check: finds invocations of a work-group that access one byte of shared memory at once.
// SPDX-License-Identifier: MIT
#include "app/debug/session/race_check.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

using Kind = valhall::LaneAccess::Kind;

/// Whether accesses of these kinds by two invocations race. An atomic writes.
bool conflict(Kind a, Kind b) {
    const bool writes = a != Kind::Read || b != Kind::Read;
    return writes && (a != Kind::Atomic || b != Kind::Atomic);
}

}  // namespace

/// Warps first run in the order of their numbers. Between barriers they take turns in ascending
/// order, each until all its lanes wait or have ended.
GroupSteps::Place GroupSteps::next(const valhall::StepEvent& event) {
    const auto found = std::ranges::find(warps_, &event.warp);
    const auto warp = static_cast<uint16_t>(found - warps_.begin());
    if (found == warps_.end())
        warps_.push_back(&event.warp);
    const bool begins = warp < last_.warp || (warp == last_.warp && last_waits_);
    last_ = {warp, last_.phase + (begins ? 1 : 0)};
    last_waits_ = event.after.running == 0;
    return last_;
}

void RaceCheck::Two::add(const SharedAccess& made) {
    if (count == 0 || (count == 1 && access[0].invocation != made.invocation))
        access[count++] = made;
}

const SharedAccess* RaceCheck::Two::by_another(uint32_t invocation) const {
    for (unsigned i = 0; i < count; ++i)
        if (access[i].invocation != invocation)
            return &access[i];
    return nullptr;
}

void RaceCheck::report(const Race& race) {
    const auto [entry, is_new] = of_words_.try_emplace(
        std::minmax(race.first.word, race.second.word), Found{races_.size(), race.second});
    Found& found = entry->second;
    if (is_new)
        races_.push_back(race);
    else if (found.last != race.second)
        ++races_[found.place].times;
    found.last = race.second;
}

void RaceCheck::note(const SharedAccess& access, uint32_t phase, uint32_t first, uint32_t bytes) {
    bytes_.resize(std::max<size_t>(bytes_.size(), size_t{first} + bytes));
    for (uint32_t at = first; at < first + bytes; ++at) {
        Byte& byte = bytes_[at];
        if (byte.phase != phase)
            byte = {phase, {}};
        for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic}) {
            const SharedAccess* other =
                conflict(kind, access.kind)
                    ? byte.kinds[static_cast<size_t>(kind)].by_another(access.invocation)
                    : nullptr;
            if (other != nullptr)
                report({at, phase, *other, access, 1});
        }
        byte.kinds[static_cast<size_t>(access.kind)].add(access);
    }
}

}  // namespace valkyr::debug
