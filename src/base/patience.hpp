// Patience: decides how long a wait polls for its event before the thread sleeps.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace valkyr {

/// Adapts the polling time of a wait to the results of the waits before it. Waking an idle
/// processor takes longer than most answers, so a wait polls for some microseconds before the
/// thread sleeps. Polling is in vain if the other side needs this processor, or takes longer to
/// answer. Each wait that polled in vain halves the time, down to zero; then every `kProbe`-th wait
/// polls again.
class Patience {
public:
    using Duration = std::chrono::nanoseconds;

    /// The longest time of polling.
    static constexpr Duration kMost = std::chrono::microseconds(50);
    /// At a polling time of zero, one of so many waits polls.
    static constexpr unsigned kProbe = 64;

    /// The polling time of the next wait; 0: the thread shall sleep at once.
    Duration next() noexcept {
        if (time_ != Duration::zero() || ++waits_ < kProbe)
            return time_;
        waits_ = 0;
        return kLeast;
    }

    /// The event came while the thread polled.
    void came() noexcept { time_ = kMost; }

    /// The event did not come in the polling time.
    void missed() noexcept { time_ = time_ / 2 < kLeast ? Duration::zero() : time_ / 2; }

private:
    /// The shortest useful time of polling.
    static constexpr Duration kLeast = std::chrono::microseconds(6);

    Duration time_ = kMost;
    unsigned waits_ = 0;
};

/// Calls `look` until it returns true or the polling time is over; returns whether it was true.
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
