// Trap log: collects the places where NaN and infinity came from, over all devices of a run.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_log.hpp"

namespace valkyr::debug {

uint32_t TrapLog::program(const std::vector<uint64_t>& words) {
    const std::lock_guard lock(mutex_);
    return programs_.try_emplace(words, static_cast<uint32_t>(programs_.size())).first->second;
}

void TrapLog::count(uint32_t program,
                    uint32_t line,
                    const TrapHit& hit,
                    const std::function<TrapFinding()>& make) {
    if (!options_.wants(hit.special))
        return;
    const std::lock_guard lock(mutex_);
    const Place place{program, line, hit.by_prologue, hit.special, hit.is_made};
    auto found = places_.find(place);
    if (found == places_.end()) {
        if (findings_.size() == options_.count)
            return;
        TrapFinding made = make();
        made.frame = work_.frame();
        findings_.push_back(std::move(made));
        found = places_.emplace(place, findings_.size() - 1).first;
    }
    ++findings_[found->second].lanes;
}

void TrapLog::start_frame(uint64_t number) {
    const std::lock_guard lock(mutex_);
    work_.start_frame(number);
}

void TrapLog::start_picture(uint64_t number) {
    const std::lock_guard lock(mutex_);
    work_.start_picture(number);
}

uint32_t TrapLog::start_work(bool is_draw) {
    const std::lock_guard lock(mutex_);
    return work_.start(is_draw);
}

}  // namespace valkyr::debug
