// Patience: says how long a wait polls for its event before the thread sleeps.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace valkyr {

/// Adapts to the last waits. Waking an idle processor takes longer than most answers do, so a wait
/// polls for some microseconds first. Each poll that fails (the other side needs this processor, or
/// computes for longer) halves the time of the next one, down to none; then one wait in `kProbe`
/// polls again.
class Patience {
public:
    using Duration = std::chrono::nanoseconds;

    /// The longest time of polling.
    static constexpr Duration kMost = std::chrono::microseconds(50);
    /// Every kProbe-th wait polls although polling has failed.
    static constexpr unsigned kProbe = 64;

    /// The time for which the next wait polls; 0: the thread shall sleep at once.
    Duration next() noexcept {
        if (time_ != Duration::zero() || ++waits_ < kProbe)
            return time_;
        waits_ = 0;
        return kMost / 2;  // few answers come within kLeast, so that a wait would hardly recover
    }

    /// The event came during the poll.
    void came() noexcept { time_ = kMost; }

    /// The event did not come during the poll.
    void missed() noexcept { time_ = time_ / 2 < kLeast ? Duration::zero() : time_ / 2; }

private:
    /// The shortest time of polling.
    static constexpr Duration kLeast = std::chrono::microseconds(6);

    Duration time_ = kMost;
    unsigned waits_ = 0;
};

/// The time of CLOCK_MONOTONIC. std::chrono asks from within the library of C++, but clocks that
/// are preloaded into a foreign process (tools/mesa/frame_clock.cpp) go by who asks.
inline Patience::Duration monotonic_time() noexcept {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::chrono::seconds(t.tv_sec) + Patience::Duration(t.tv_nsec);
}

/// Calls `look` until it returns true or the patience ends; says whether it returned true.
template <typename Look>
bool look_for(Patience& patience, const Look& look) {
    const Patience::Duration time = patience.next();
    if (time == Patience::Duration::zero())
        return false;
    const Patience::Duration start = monotonic_time();
    do {
        if (look()) {
            patience.came();
            return true;
        }
    } while (monotonic_time() - start < time);
    patience.missed();
    return false;
}

}  // namespace valkyr
