// Patience: says how long a wait looks for its event before the thread sleeps.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace valkyr {

/// Learns from the last waits. Waking a processor that has gone idle takes longer than most
/// answers, so a wait looks for some microseconds first. Where that is in vain (the other side has
/// to run on this processor, or computes for longer), each wait in vain halves the time down to
/// none; then one wait in `kProbe` tries again.
class Patience {
public:
    using Duration = std::chrono::nanoseconds;

    /// The longest time of looking.
    static constexpr Duration kMost = std::chrono::microseconds(50);
    /// Waits without looking between two that try again.
    static constexpr unsigned kProbe = 64;

    /// The time for the next wait to look for its event; 0: the thread shall sleep at once.
    Duration next() noexcept {
        if (time_ != Duration::zero() || ++waits_ < kProbe)
            return time_;
        waits_ = 0;
        return kLeast;
    }

    /// The event came while the thread looked.
    void came() noexcept { time_ = kMost; }

    /// The event did not come in that time.
    void missed() noexcept { time_ = time_ / 2 < kLeast ? Duration::zero() : time_ / 2; }

private:
    /// Less is not worth a look.
    static constexpr Duration kLeast = std::chrono::microseconds(6);

    Duration time_ = kMost;
    unsigned waits_ = 0;
};

/// Calls `look` until it returns true or the patience ends; says whether it returned true.
template <typename Look>
bool look_for(Patience& patience, const Look& look) {
    using Clock = std::chrono::steady_clock;
    const Patience::Duration time = patience.next();
    if (time == Patience::Duration::zero())
        return false;
    const Clock::time_point start = Clock::now();
    do {
        if (look()) {
            patience.came();
            return true;
        }
    } while (Clock::now() - start < time);
    patience.missed();
    return false;
}

}  // namespace valkyr
